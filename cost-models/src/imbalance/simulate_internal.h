// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulator's two halves share: simulate.c (memory, statistics) and simulate_one.c (what
// happens in one replication).
#ifndef DIVCOST_SIMULATE_INTERNAL_H
#define DIVCOST_SIMULATE_INTERNAL_H

#include "divcost/sampler.h"
#include "divcost/simulate.h"

// What one replication gave, in the mean over its lanes, warps or blocks.
enum {
  DC_MEAN,           // a lane's trip count
  DC_MAXIMUM,        // a warp's longest lane
  DC_IMBALANCE,      // a warp's X
  DC_CYCLES,         // of a warp
  DC_COST_IMBALANCE, // a warp's cycles over its work at T(lanes)
  DC_BLOCK,          // cycles of a block
  DC_MAKESPAN,       // cycles of the grid
  DC_FIELDS,
};

typedef struct dc_record {
  double field[DC_FIELDS];
} dc_record;

typedef struct dc_simulator {
  const dc_simulation *simulation;
  const dc_sampler *samplers; // one for each type
  uint64_t seed, replications;
  dc_record *records; // one for each replication
  int64_t *counts;    // for each worker, counts_each
  uint64_t counts_each;
  double *places; // for each worker, places_each
  uint64_t places_each;
} dc_simulator;

// Runs one replication on the memory of a worker.
void dc__simulate_one(const dc_simulator *simulator, uint64_t replication, unsigned worker,
                      dc_record *record);

#endif
