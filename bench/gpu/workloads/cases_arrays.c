// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels over arrays and grids, whose trip counts follow from the launch and the parameters: there
// is nothing to tally. Sizes are awkward where the kernel has an edge.
#include "cases.h"

#include <float.h>

static float *add_reals(workload *w, size_t count) {
  return workload_take(w, draw_reals(w, count), count * sizeof(float));
}

void make_reduction(workload *w) {
  enum { BLOCK = 256, BLOCKS = 4096, N = BLOCK * BLOCKS };
  workload_launch(w, BLOCKS, BLOCK);
  w->shared = BLOCK * sizeof(float);
  add_reals(w, N);
  workload_array(w, BLOCKS, sizeof(float));
  workload_integer(w, "n", N);
}

void make_float_max(workload *w) {
  enum { N = 1000003 };
  workload_launch(w, 128, 256);
  add_reals(w, N);
  workload_integer(w, "n", N);
  *(float *)workload_array(w, 1, sizeof(float)) = -FLT_MAX;
}

void make_softmax(workload *w) {
  enum { ROWS = 1024, COLUMNS = 1000, BLOCK = 256 };
  workload_launch(w, ROWS, BLOCK);
  w->shared = BLOCK * sizeof(float);
  add_reals(w, ROWS * COLUMNS);
  workload_array(w, ROWS * COLUMNS, sizeof(float));
  workload_integer(w, "columns", COLUMNS);
}

void make_bitonic_sort(workload *w) {
  enum { PIECES = 1024, BLOCK = 512 };
  workload_launch(w, PIECES, BLOCK);
  w->shared = BLOCK * sizeof(float);
  add_reals(w, PIECES * BLOCK);
}

void make_saxpy(workload *w) {
  enum { N = 1000003 };
  workload_launch(w, 256, 256);
  workload_real(w, 2.5f);
  add_reals(w, N);
  add_reals(w, N);
  workload_integer(w, "n", N);
}

void make_moving_average(workload *w) {
  enum { N = 200003 };
  workload_launch(w, (N + 255) / 256, 256);
  add_reals(w, N);
  workload_array(w, N, sizeof(float));
  workload_integer(w, "n", N);
  workload_integer(w, "radius", 50);
}

void make_stencil(workload *w) {
  enum { NX = 250, NY = 130, NZ = 64 };
  workload_launch_2d(w, (NX + 29) / 32, (NY + 5) / 8, 32, 8);
  add_reals(w, (size_t)NX * NY * NZ);
  workload_array(w, (size_t)NX * NY * NZ, sizeof(float));
  workload_integer(w, "nx", NX);
  workload_integer(w, "ny", NY);
  workload_integer(w, "nz", NZ);
}

void make_transpose(workload *w) {
  enum { COLUMNS = 1000, ROWS = 700, TILE = 32 };
  workload_launch_2d(w, (COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE, TILE, 8);
  add_reals(w, COLUMNS * ROWS);
  workload_array(w, COLUMNS * ROWS, sizeof(float));
  workload_integer(w, "width", COLUMNS);
  workload_integer(w, "height", ROWS);
}

void make_matmul_tiled(workload *w) {
  enum { ROWS = 500, INNER = 300, COLUMNS = 700, TILE = 16 };
  workload_launch_2d(w, (COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE, TILE, TILE);
  add_reals(w, ROWS * INNER);
  add_reals(w, INNER * COLUMNS);
  workload_array(w, ROWS * COLUMNS, sizeof(float));
  workload_integer(w, "rows", ROWS);
  workload_integer(w, "inner", INNER);
  workload_integer(w, "columns", COLUMNS);
}

void make_all_pairs(workload *w) {
  enum { N = 8000 };
  workload_launch(w, (N + 255) / 256, 256);
  add_reals(w, 2 * N);
  workload_integer(w, "n", N);
  workload_real(w, 0.01f);
  workload_array(w, 1, sizeof(uint64_t));
}

void make_nbody_cutoff(workload *w) {
  enum { N = 8000, TILE = 128 };
  workload_launch(w, (N + TILE - 1) / TILE, TILE);
  add_reals(w, 4 * N);
  workload_array(w, 3 * N, sizeof(float));
  workload_integer(w, "n", N);
  workload_real(w, 0.04f);
}

static void add_triangle(workload *w, int32_t n) {
  float *matrix = add_reals(w, (size_t)n * (size_t)n);
  for (int32_t i = 0; i < n; ++i)
    matrix[(size_t)i * (size_t)n + (size_t)i] += 2.0f;
}

void make_invert_tiles(workload *w) {
  enum { N = 2048, TILE = 32 };
  workload_launch(w, N / TILE, TILE);
  add_triangle(w, N);
  workload_array(w, (size_t)N * TILE, sizeof(float));
  workload_integer(w, "n", N);
}

void make_solve_columns(workload *w) {
  enum { N = 256, COLUMNS = 4000 };
  workload_launch(w, (COLUMNS + 127) / 128, 128);
  add_triangle(w, N);
  add_reals(w, (size_t)N * COLUMNS);
  workload_integer(w, "n", N);
  workload_integer(w, "columns", COLUMNS);
}
