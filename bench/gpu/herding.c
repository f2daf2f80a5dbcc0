// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "herding.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { LANES = 32 };

const char *const herding_set_names[] = {"mandelbrot", "julia", "flat"};

herding_window herding_window_of(herding_set set, unsigned warp_width_log2) {
  herding_window window = {
      .limit = HERDING_LIMIT, .width_log2 = HERDING_SIDE_LOG2, .warp_width_log2 = warp_width_log2};
  if (set == HERDING_MANDELBROT) { // as bench/kernels/mandelbrot.cu
    window.left = -2.0f;
    window.top = 1.25f;
    window.step = 2.5f / HERDING_SIDE;
  } else if (set == HERDING_JULIA) { // as bench/kernels/julia.cu
    window.left = -1.5f;
    window.top = 1.5f;
    window.step = 3.0f / HERDING_SIDE;
    window.julia = 1;
    window.real = -0.8f;
    window.imaginary = 0.156f;
  }
  return window;
}

// --- one warp ------------------------------------------------------------------------------------

typedef struct point {
  float x, y, real, imaginary;
} point;

static point point_at(const herding_window *window, unsigned column, unsigned row) {
  float x = fmaf((float)column, window->step, window->left);
  float y = fmaf(-(float)row, window->step, window->top);
  return window->julia ? (point){x, y, window->real, window->imaginary} : (point){0.0f, 0.0f, x, y};
}

static bool inside(const point *p) { return fmaf(p->x, p->x, p->y * p->y) <= 4.0f; }

static void advance(point *p) {
  float next = fmaf(p->x, p->x, fmaf(-p->y, p->y, p->real));
  p->y = fmaf(p->x + p->x, p->y, p->imaginary);
  p->x = next;
}

static unsigned bits_of(unsigned mask) {
  unsigned count = 0;
  for (; mask; mask &= mask - 1)
    ++count;
  return count;
}

// The iterations of each lane.
static void run_warp(point points[LANES], unsigned forced, unsigned limit, unsigned char *counts) {
  unsigned active = 0xffffffffu;
  for (unsigned n = 0; n < limit && active; ++n) {
    unsigned staying = 0;
    for (unsigned lane = 0; lane < LANES; ++lane)
      if (active >> lane & 1 && inside(&points[lane]))
        staying |= 1u << lane;
    if (forced >> n % HERDING_BRANCHES & 1)
      staying = 2 * bits_of(staying) > bits_of(active) ? active : 0;
    for (unsigned lane = 0; lane < LANES; ++lane)
      if (staying >> lane & 1)
        advance(&points[lane]);
      else if (active >> lane & 1)
        counts[lane] = (unsigned char)n;
    active = staying;
  }
  for (unsigned lane = 0; lane < LANES; ++lane)
    if (active >> lane & 1)
      counts[lane] = (unsigned char)limit;
}

void herding_emulate(const herding_window *window, unsigned forced, herding_region region,
                     unsigned char *image) {
  unsigned across = 1u << window->warp_width_log2, down = LANES / across;
  for (unsigned row = 0; row < region.height; row += down)
    for (unsigned column = 0; column < region.width; column += across) {
      point points[LANES];
      unsigned char counts[LANES];
      for (unsigned lane = 0; lane < LANES; ++lane)
        points[lane] = point_at(window, region.column + column + lane % across,
                                region.row + row + lane / across);
      run_warp(points, forced, window->limit, counts);
      for (unsigned lane = 0; lane < LANES; ++lane)
        image[(size_t)(row + lane / across) * region.width + column + lane % across] = counts[lane];
    }
}

// --- pictures ------------------------------------------------------------------------------------

// The sum and the maximum of a warp's pixels.
static void look_at_warp(const unsigned char *corner, size_t width, unsigned across, unsigned *sum,
                         unsigned *most) {
  *sum = *most = 0;
  for (unsigned row = 0; row < LANES / across; ++row, corner += width)
    for (unsigned column = 0; column < across; ++column) {
      *sum += corner[column];
      *most = corner[column] > *most ? corner[column] : *most;
    }
}

double herding_efficiency(const herding_window *window, unsigned height,
                          const unsigned char *image) {
  size_t width = (size_t)1 << window->width_log2;
  unsigned across = 1u << window->warp_width_log2;
  uint64_t sum = 0, issued = 0;
  for (unsigned row = 0; row < height; row += LANES / across)
    for (size_t column = 0; column < width; column += across) {
      unsigned of_warp, most;
      look_at_warp(image + row * width + column, width, across, &of_warp, &most);
      sum += of_warp;
      issued += LANES * most;
    }
  return issued > 0 ? (double)sum / (double)issued : 1;
}

herding_difference herding_compare(const unsigned char *image, const unsigned char *right,
                                   size_t pixels) {
  uint64_t wrong = 0, sum = 0;
  for (size_t p = 0; p < pixels; ++p) {
    wrong += image[p] != right[p];
    sum += image[p] > right[p] ? image[p] - right[p] : right[p] - image[p];
  }
  return (herding_difference){(double)wrong / (double)pixels, (double)sum / (double)pixels};
}
