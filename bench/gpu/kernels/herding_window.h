// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel of herding.cu computes: pixels of the plane, and which of them a warp has. For the
// kernels and for what runs them.
#ifndef DIVCOST_BENCH_HERDING_WINDOW_H
#define DIVCOST_BENCH_HERDING_WINDOW_H

typedef struct herding_window {
  float left, top, step;    // of pixel (column, row): left + column * step, top - row * step
  int julia;                // 0: z starts at 0 and c is the pixel; else z at the pixel, and c is
  float real, imaginary;    // this
  unsigned limit;           // iterations at most, a multiple of HERDING_BRANCHES
  unsigned width_log2;      // 1 << this pixels in a row
  unsigned warp_width_log2; // a warp covers 1 << this of them (at most 32), of 32 >> this rows
} herding_window;

#endif
