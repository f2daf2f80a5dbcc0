// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What managing divergence costs in a benchmark's kernel, by the warp emulator: the benchmark as a
// program of the emulator's assembly, with a pattern in its lanes.
#ifndef DIVCOST_BENCH_PREDICT_H
#define DIVCOST_BENCH_PREDICT_H

#include "divcost/emulator.h"
#include "patterns.h"

typedef enum shape {
  SHAPE_SINGLE_LOOP,
  SHAPE_DOUBLE_LOOP,
  SHAPE_IF,      // lanes with 0 skip the body
  SHAPE_IF_ELSE, // and run another one
  SHAPE_COUNT    // no shape that is known here
} shape;

// The shape of a kernel of the benchmarks, by its name ("if_16").
shape predict_shape(const char *kernel);

// Cycles of managing divergence with these values in the lanes, without the instructions'. Errors:
// those of the emulator.
dc_status predict_managing(shape which, const dc_arch *arch, const int lanes[LANES], double *cycles,
                           dc_error *error);

// All that the emulator counts. Instructions are those of the shape, which the compiler's loops
// have more of; the sides of "if_else_16" have 16 each, so that what the warp executes more where
// its lanes part is as in the kernel. Errors: DC_ERROR_ARGUMENT for a kernel without a shape, and
// those of the emulator.
dc_status predict_counts(const char *kernel, const dc_arch *arch, const int lanes[LANES],
                         dc_emulation *result, dc_error *error);

#endif
