// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel-for on threads, for libdivcost.
#ifndef DIVCOST_TOOLS_THREADS_H
#define DIVCOST_TOOLS_THREADS_H

#include "divcost/parallel.h"

// The most threads that tasks run on.
#define THREADS_MAX 256u

// Runs tasks on *workers threads, 1 .. THREADS_MAX, the calling one among them; on fewer where the
// system gives no more. workers must outlive the result.
dc_parallel threads_parallel(const unsigned *workers);

// How many processors there are, 1 .. THREADS_MAX.
unsigned threads_processors(void);

#endif
