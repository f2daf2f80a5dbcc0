// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the efficiency must be, whatever isn't known turns out to be.
#include "estimate/estimate_internal.h"

#include <math.h>

// Machine instructions of a block that was compiled for the GPU may be this many times more or
// fewer than expected: conversions of branches into predicates, and what is shared between blocks,
// change small blocks most.
#define MACHINE_FACTOR 4

// The greatest level of anything that decides where lanes go.
static uint8_t greatest_level(const dc_kernel *kernel) {
  uint8_t level = DC_UNIFORM;
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    level = kernel->branches[k].level > level ? kernel->branches[k].level : level;
  for (uint32_t k = 0; k < kernel->n_exits; ++k)
    level = kernel->exits[k].level > level ? kernel->exits[k].level : level;
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    level = kernel->loops[k].level > level ? kernel->loops[k].level : level;
  return kernel->n_calls > 0 || kernel->not_analysed ? DC_DIVERGENT : level;
}

// Of the fullest warp, the emptiest, and all of a block, / 32.
typedef struct occupied {
  double most, least, mean;
} occupied;

static occupied warps_of(const dc_launch *launch) {
  if (launch->from >= DC_BLOCK_LAUNCH_BOUNDS) // nobody knows
    return (occupied){1, 1.0 / DC_WARP, -1};
  uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
  uint32_t warps = (threads + DC_WARP - 1) / DC_WARP, last = threads - (warps - 1) * DC_WARP;
  return (occupied){.most = warps > 1 ? 1 : (double)last / DC_WARP,
                    .least = (double)last / DC_WARP,
                    .mean = (double)threads / (warps * DC_WARP)};
}

// All warps go the same way, so that a block with slow paths is the worst and the best that they
// can do: in one lane, or in the fullest warps alone, and as long as that and as short as the rest
// may be.
static dc_interval with_slow_paths(const dc_walk *walk, occupied warps, dc_interval otherwise) {
  dc_interval result = otherwise;
  for (uint32_t k = 0; k < walk->kernel->n_blocks; ++k) {
    const dc_block *block = &walk->kernel->blocks[k];
    double differs = (double)block->slow - block->slow_alike, slow = MACHINE_FACTOR * differs,
           others = fmax(walk->flow->costs[k].instructions - differs, 0) / MACHINE_FACTOR;
    if (slow <= 0)
      continue;
    result.low = fmin(result.low, (others * otherwise.low + slow / DC_WARP) / (others + slow));
    result.high =
        fmax(result.high, (others * otherwise.high + slow * warps.most) / (others + slow));
  }
  return result;
}

dc_interval dc__certain_efficiency(const dc_walk *walk, const dc_launch *launch, bool assumed,
                                   double more, dc_account_row *rows) {
  occupied warps = warps_of(launch);
  uint8_t level = greatest_level(walk->kernel);
  if (level <= DC_BLOCK_UNIFORM && warps.mean > 0) // all warps of a block do as much
    return with_slow_paths(walk, warps, (dc_interval){warps.mean, warps.mean});
  if (level <= DC_WARP_UNIFORM)
    return with_slow_paths(walk, warps, (dc_interval){warps.least, warps.most});
  if (assumed || walk->some_warps || walk->some_blocks || warps.mean < 0 ||
      walk->kernel->n_calls > 0)
    return (dc_interval){1.0 / DC_WARP, warps.most};
  return dc__account_efficiency(walk, more, MACHINE_FACTOR, true, rows);
}
