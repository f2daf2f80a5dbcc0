// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured cycles: kernels are launched again and again, and what differs from launch to launch is
// shown as a spread.
#ifndef DIVCOST_BENCH_MEASURE_H
#define DIVCOST_BENCH_MEASURE_H

#include "gpu.h"
#include "patterns.h"

enum { MEASURE_RUNS = 3 }; // of the code in a launch of one warp: those before fetch it

typedef struct sample {
  double median, least, greatest; // cycles
  unsigned launches;
} sample;

// A module of kernels. build says what made it: "clang" (PTX, made into machine code by the driver)
// or "nvcc" (a cubin).
typedef struct kernels {
  const char *file, *build;
  gpu_module module;
  unsigned launches; // of each case; 0: 256, of crowds 32
} kernels;

// Loads the kernels that the program carries, kernels/FILE.cu as clang compiled it; launches stay
// as they are.
dc_status kernels_load(gpu *device, const char *file, kernels *from, dc_error *error);

// Sorts values and takes the median (of an even count the upper one) and the ends.
sample sample_of(double *values, unsigned count);

// One warp with these values in its lanes: the cycles of the last of MEASURE_RUNS runs, by the
// clock of the lane that is slowest. The kernel's arguments are (const int *lanes, float *sums,
// long long *cycles, int runs), cycles holding `rows` rows of LANES; -1 is no cycles. result: rows.
dc_status measure_warp(gpu *device, const kernels *from, const char *name, const int lanes[LANES],
                       unsigned rows, sample *result, dc_error *error);

// What one multiprocessor took for `warps` warps of each, all multiprocessors doing the same: from
// its first warp's start to its last one's end, the median over the multiprocessors. Blocks are as
// large as they can be. The kernel's arguments are (const int *lanes, void *data, Span *spans, int
// argument), data holding 32 bytes for each thread, 0 at first.
typedef struct crowd {
  unsigned warps; // on each multiprocessor: 1 .. 32, or a multiple of 32
  int argument;
} crowd;
dc_status measure_crowd(gpu *device, const kernels *from, const char *name, const int lanes[LANES],
                        crowd how, sample *result, dc_error *error);

#endif
