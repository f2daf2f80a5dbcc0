// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How libdivcost, which has no threads of its own, hands out work: the caller supplies a
// parallel-for. Wherever a const dc_parallel * is taken, NULL means one after another in the
// calling thread; the results are the same, to the last bit, whatever is supplied.
#ifndef DIVCOST_PARALLEL_H
#define DIVCOST_PARALLEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// One piece of work: number index, done by a worker of number 0 .. workers - 1. No two tasks run at
// once on the same worker, so what belongs to a worker can be written without locks.
typedef void (*dc_task)(void *work, size_t index, unsigned worker);

typedef struct dc_parallel {
  unsigned workers; // at least 1: how many tasks may run at once
  // Calls task(work, index, worker) once for each index in 0 .. count - 1, in any order, and
  // returns when all are done.
  void (*run)(void *context, size_t count, dc_task task, void *work);
  void *context; // handed to run
} dc_parallel;

#ifdef __cplusplus
}
#endif

#endif
