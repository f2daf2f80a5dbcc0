// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch herding on the host: the pictures that kernels/herding.cu must make, to the bit, and what
// is measured on pictures. A pixel is a byte, its number of iterations.
#ifndef DIVCOST_BENCH_HERDING_H
#define DIVCOST_BENCH_HERDING_H

#include <stddef.h>

#include "kernels/herding_choices.h"
#include "kernels/herding_window.h"

enum { HERDING_SIDE_LOG2 = 12, HERDING_SIDE = 1 << HERDING_SIDE_LOG2, HERDING_LIMIT = 250 };

// The planes that are measured: the whole Mandelbrot set and a Julia set, 4096 x 4096 pixels, 250
// iterations; and one where nothing ever escapes, so that all lanes do the same.
typedef enum herding_set { HERDING_MANDELBROT, HERDING_JULIA, HERDING_FLAT } herding_set;

extern const char *const herding_set_names[3];

herding_window herding_window_of(herding_set set, unsigned warp_width_log2);

// Pixels (column, row) ... of a window; all four multiples of 32.
typedef struct herding_region {
  unsigned column, row, width, height;
} herding_region;

// The region as the kernels compute it if the branches in `forced` (a bit for each of the
// HERDING_BRANCHES) follow the majority of the active lanes, strictly to stay, and the others part.
// image: width * height bytes. O(iterations of the slowest lane of each warp, times 32).
void herding_emulate(const herding_window *window, unsigned forced, herding_region region,
                     unsigned char *image);

// Active lanes per iteration of a warp / 32, where each warp's lanes do the iterations of an image
// of the whole window, of `height` rows.
double herding_efficiency(const herding_window *window, unsigned height,
                          const unsigned char *image);

typedef struct herding_difference {
  double wrong; // share of the pixels that differ
  double mean;  // difference in iterations, absolute, over all pixels
} herding_difference;

herding_difference herding_compare(const unsigned char *image, const unsigned char *right,
                                   size_t pixels);

#endif
