// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured: series of cases, each a kernel with a pattern whose parameter goes from first
// to last, or a kernel with a growing crowd of warps.
#ifndef DIVCOST_BENCH_PLAN_H
#define DIVCOST_BENCH_PLAN_H

#include "results.h"

typedef struct series {
  const char *file; // of the kernels: "loops" for kernels/loops.cu
  const char *kernel;
  pattern lanes;
  unsigned first, last, step;
  unsigned rows;        // of clocks; for crowds 1
  unsigned warps_first; // 0: one warp; else crowds of warps_first, twice as many, ...
  unsigned warps_last;
  int argument; // of a crowd's kernel
} series;

// The series of a group, NULL if there is none of this name; *count of them.
const series *plan_series(const char *group, unsigned *count);

// The names of the groups, NULL at the end.
extern const char *const plan_groups[];

// Measures a series and hands each result to `take`.
dc_status plan_measure(gpu *device, const kernels *from, const series *what,
                       void (*take)(void *context, const result *item), void *context,
                       dc_error *error);

#endif
