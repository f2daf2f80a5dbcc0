// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Above the warp: blocks whose warps meet at a barrier, and grids of blocks on a GPU.
//
// All lanes draw from one distribution, independently. An iteration takes one unit of time, however
// many warps share the multiprocessor (with contention, or a cost that depends on the active lanes,
// see dc_simulate in simulate.h for the latter; the former isn't modelled).
#ifndef DIVCOST_GRID_H
#define DIVCOST_GRID_H

#include "divcost/distribution.h"
#include "divcost/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How a grid is cut up, and what runs it.
typedef struct dc_grid {
  unsigned lanes;           // of a warp
  unsigned warps;           // of a block; lanes * warps in 1 .. DC_LANES_MAX
  uint64_t blocks;          // 1 .. 2^31
  unsigned multiprocessors; // 1 .. 65536
  unsigned slots;           // blocks that a multiprocessor runs at once, 1 .. 65536
} dc_grid;

// Errors: DC_ERROR_ARGUMENT, names the field, its value and its range. O(1).
dc_status dc_grid_check(const dc_grid *grid, dc_error *error);

// A block at whose end a barrier waits for all lanes of all its warps.
typedef struct dc_block_loss {
  double iterations; // E[max over the block]: how long the block takes
  double waiting;    // E[max over the block] - E[max over a warp]: how long a warp waits at the
                     // barrier, in the mean
  double aggregate;  // iterations / E[W]; 1 if all counts are 0
  double efficiency; // 1 / aggregate: the share of the block's lanes that are active, in the mean
} dc_block_loss;

// The maximum over lanes * warps iid lanes, exactly. lanes, warps >= 1 and lanes * warps in 1 ..
// DC_LANES_MAX, else DC_ERROR_ARGUMENT. O(count).
dc_status dc_block_imbalance(const dc_distribution *distribution, unsigned lanes, unsigned warps,
                             dc_block_loss *result, dc_error *error);

// How long the grid takes: its blocks, each as long as its longest lane, are handed out in order,
// each to the first of the m = multiprocessors * slots places that gets free (list scheduling).
typedef struct dc_makespan {
  double low, high;  // bounds of E[makespan], always right
  double iterations; // E[makespan]: exact, or an approximation within the bounds
  bool exact;        // whether it is
  double tail;       // iterations - blocks * E[block] / m: how long a place idles at the end
  double efficiency; // blocks * E[W] / (m * iterations): active lanes over those there is room for
} dc_makespan;

// Exact where the blocks fit in one wave (blocks <= m: the longest of all lanes of the grid) and
// where all counts are equal. Otherwise the bounds are
//     low  = max(blocks * E[D] / m, E[longest block]),
//     high = blocks * E[D] / m + (1 - 1 / m) * E[longest block],
// D being a block's duration (Graham, "Bounds for certain multiprocessing anomalies", Bell System
// Technical Journal 45, 1966, theorem 1's argument, taken in the mean), and the approximation is
// that of renewal theory: when the last block starts, the others' remaining times R are independent
// with P(R > x) = integral from x to infinity of P(D > y) dy / E[D]:
//     E[makespan] = ((blocks - 1) * E[D] - (m - 1) * E[R]) / m + E[max(D, R_1, ... R_(m-1))].
// It tends to the truth as waves grow many, the sooner the more D varies; where D hardly varies,
// blocks end in step for many waves, and it can be off by about half a block's duration (the bounds
// hold). dc_simulate estimates the same to any accuracy. O(count).
dc_status dc_grid_makespan(const dc_distribution *distribution, const dc_grid *grid,
                           dc_makespan *result, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
