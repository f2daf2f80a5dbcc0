// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the lanes' own clocks tell less imbalance than their trip counts have, where blocks have
// several warps: warps share a multiprocessor, and the fewer of them have work left, the faster
// each of them gets on. A block keeps its place until its last warp is done, so a lane with many
// iterations spends the late ones among fewer warps than the early ones: its time is less than in
// proportion to its count. With blocks of one warp, a warp that is done is replaced at once, there
// are always as many, and times are in proportion to counts.
//
// The model: processor sharing. An iteration takes cycles(w, b), where w warps of the
// multiprocessor have work left, and b on average over all of them (they share the memory behind
// the caches). Blocks go, in order, wherever there is room. The whole grid is simulated, its first
// and its last blocks too. Parameters are measured with crowds of warps that all do the same
// (power_measure.h); the cells aren't used.
#ifndef DIVCOST_BENCH_SHARING_H
#define DIVCOST_BENCH_SHARING_H

#include "divcost/error.h"

#include <stddef.h>

enum { SHARING_WARPS = 64, SHARING_LANES = 32 }; // the most warps of a multiprocessor, and lanes

typedef struct sharing {
  unsigned multiprocessors;
  unsigned resident; // blocks on each at the same time; with at most SHARING_WARPS warps
  unsigned block;    // threads; the last warp may have fewer than SHARING_LANES
  unsigned lanes;    // of a group: neighbours of one warp, so it divides the block and a warp
  // cycles[b][w]: of an iteration; row b is used where multiprocessors have b warps on average
  // (between rows the mean by distance); all columns w in 1 .. resident * warps of a block
  // positive.
  double cycles[SHARING_WARPS + 1][SHARING_WARPS + 1];
  // An iteration with a lanes active, in iterations with all the warp's lanes: work[a]. 1: as many.
  double work[SHARING_LANES + 1];
  double entry; // cycles that each lane's clock tells though there is no iteration
  double first; // what the first iteration takes more, in iterations
  double setup; // what a warp does before its clocks start, in iterations
} sharing;

typedef struct shared_time {
  double expected;  // mean over the groups of lanes * (longest time) / (sum of times)
  double aggregate; // lanes * (sum of the groups' longest times) / (sum of all times)
  double lane;      // mean time of a lane, cycles
  double cycles;    // until the last block is done
} shared_time;

// counts[threads]: iterations by thread; threads: a multiple of the block. A group without
// iterations counts as 1. Errors: DC_ERROR_ARGUMENT, names the argument; DC_ERROR_MEMORY.
// O((threads + iterations of a multiprocessor) * warps of a multiprocessor).
dc_status sharing_simulate(const sharing *how, const int *counts, size_t threads,
                           shared_time *result, dc_error *error);

#endif
