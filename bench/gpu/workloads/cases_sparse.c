// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that run over rows of different length, as in CSR matrices and graphs.
#include "cases.h"

#include <stdlib.h>

enum { ROWS = 131072 };

// The rows in another order, see workload_group.
static void group_rows(workload *w, int32_t *begin) {
  int32_t *lengths = workload_memory(ROWS, sizeof *lengths);
  for (unsigned row = 0; row < ROWS; ++row)
    lengths[row] = begin[row + 1] - begin[row];
  workload_group(w, lengths, begin + 1, ROWS, sizeof *begin);
  for (unsigned row = 0; row < ROWS; ++row)
    begin[row + 1] = begin[row] + lengths[row];
  free(lengths);
}

// begin, columns, values, x, y and the number of rows; gives begin.
static const int32_t *add_matrix(workload *w) {
  int32_t *begin = draw_bounds(w, w->of->law, ROWS);
  if (workload_is_balanced(w))
    group_rows(w, begin);
  size_t entries = (size_t)begin[ROWS];
  workload_take(w, begin, (ROWS + 1) * sizeof *begin);
  workload_take(w, draw_whole(w, entries, 0, ROWS - 1), entries * sizeof(int32_t));
  workload_take(w, draw_reals(w, entries), entries * sizeof(float));
  workload_take(w, draw_reals(w, ROWS), ROWS * sizeof(float));
  workload_array(w, ROWS, sizeof(float));
  workload_integer(w, "rows", ROWS);
  return begin;
}

void make_spmv_scalar(workload *w) {
  workload_launch(w, ROWS / 256, 256);
  const int32_t *begin = add_matrix(w);
  int32_t *lengths = workload_memory(ROWS, sizeof *lengths);
  for (unsigned row = 0; row < ROWS; ++row)
    lengths[row] = begin[row + 1] - begin[row];
  tally_threads(workload_tally(w, 15, TALLY_EXACT), lengths, ROWS);
  free(lengths);
}

// A warp runs over each row together: lane l takes the elements l, l + 32, ...
static void tally_rows(tally *t, const int32_t *begin, unsigned rows) {
  t->dependent = true;
  for (unsigned row = 0; row < rows; ++row) {
    int32_t trips[WARP];
    for (int32_t lane = 0; lane < WARP; ++lane) {
      int32_t left = begin[row + 1] - begin[row] - lane;
      trips[lane] = left > 0 ? (left + WARP - 1) / WARP : 0;
    }
    tally_warp(t, trips);
  }
}

void make_spmv_vector(workload *w) {
  workload_launch(w, 1024, 256);
  const int32_t *begin = add_matrix(w);
  tally_rows(workload_tally(w, 17, TALLY_EXACT), begin, ROWS);
}

void make_work_queue(workload *w) {
  enum { SEGMENTS = 65536, BLOCKS = 264, BLOCK = 128, WARPS = BLOCKS * BLOCK / WARP };
  workload_launch(w, BLOCKS, BLOCK);
  int32_t *begin = draw_bounds(w, w->of->law, SEGMENTS);
  size_t values = (size_t)begin[SEGMENTS];
  workload_take(w, begin, (SEGMENTS + 1) * sizeof *begin);
  workload_take(w, draw_reals(w, values), values * sizeof(float));
  workload_array(w, SEGMENTS, sizeof(float));
  workload_integer(w, "segments", SEGMENTS);
  workload_array(w, 1, sizeof(int32_t));
  // Which warp gets how many is the GPU's affair; that they are even is as good as any. Each makes
  // one round more, in which it finds the queue empty.
  tally *rounds = workload_tally(w, 12, TALLY_ORDER);
  for (int32_t warp = 0; warp < WARPS; ++warp) {
    int32_t trips[WARP];
    for (unsigned lane = 0; lane < WARP; ++lane)
      trips[lane] = SEGMENTS / WARPS + (warp < SEGMENTS % WARPS) + 1;
    tally_warp(rounds, trips);
  }
  tally_rows(workload_tally(w, 21, TALLY_EXACT), begin, SEGMENTS);
}

void make_block_sparse(workload *w) {
  enum { TILE_ROWS = 512, TILE = 64 };
  workload_launch(w, TILE_ROWS, TILE);
  int32_t *begin = draw_bounds(w, w->of->law, TILE_ROWS);
  size_t tiles = (size_t)begin[TILE_ROWS];
  workload_take(w, begin, (TILE_ROWS + 1) * sizeof *begin);
  workload_take(w, draw_whole(w, tiles, 0, TILE_ROWS - 1), tiles * sizeof(int32_t));
  workload_take(w, draw_reals(w, tiles * TILE * TILE), tiles * TILE * TILE * sizeof(float));
  workload_take(w, draw_reals(w, (size_t)TILE_ROWS * TILE), TILE_ROWS * TILE * sizeof(float));
  workload_array(w, (size_t)TILE_ROWS * TILE, sizeof(float));
  tally *t = workload_tally(w, 17, TALLY_EXACT);
  for (unsigned row = 0; row < TILE_ROWS; ++row)
    for (unsigned warp = 0; warp < TILE / WARP; ++warp) {
      int32_t trips[WARP];
      for (unsigned lane = 0; lane < WARP; ++lane)
        trips[lane] = begin[row + 1] - begin[row];
      tally_warp(t, trips);
    }
}

// One level in the middle of a search: half of the vertices have been seen, and every fourth is in
// the frontier, in no order.
void make_bfs_frontier(workload *w) {
  enum { VERTICES = 262144, FRONTIER = 65536 };
  workload_launch(w, FRONTIER / 256, 256);
  int32_t *begin = draw_bounds(w, w->of->law, VERTICES);
  size_t edges = (size_t)begin[VERTICES];
  workload_take(w, begin, (VERTICES + 1) * sizeof *begin);
  workload_take(w, draw_whole(w, edges, 0, VERTICES - 1), edges * sizeof(int32_t));
  int32_t *frontier = workload_array(w, FRONTIER, sizeof *frontier);
  workload_integer(w, "frontier_size", FRONTIER);
  workload_integer(w, "level", 3);
  int32_t *levels = draw_whole(w, VERTICES, -1, 0);
  workload_take(w, levels, VERTICES * sizeof *levels);
  workload_array(w, VERTICES, sizeof(int32_t));
  workload_array(w, 1, sizeof(int32_t));
  int32_t *degrees = workload_memory(FRONTIER, sizeof *degrees);
  for (uint32_t i = 0; i < FRONTIER; ++i) {
    uint32_t vertex = i * 2654435761u % VERTICES; // an odd multiplier: each at most once
    frontier[i] = (int32_t)vertex;
    levels[vertex] = 2;
    degrees[i] = begin[vertex + 1] - begin[vertex];
  }
  if (workload_is_balanced(w))
    workload_group(w, degrees, frontier, FRONTIER, sizeof *frontier);
  tally_threads(workload_tally(w, 16, TALLY_EXACT), degrees, FRONTIER);
  free(degrees);
}
