// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of which there are few, and which do far more than all that were chosen to stand for the
// launch: the trips of loops say so, where they follow from the block's number. These may be what
// the launch ends with.
#include "estimate/timing.h"

#include <math.h>

enum {
  BLOCKS = 4096,       // of a launch that are looked at
  FAR_MORE = 2,        // times as much
  EVALUATIONS = 500000 // operations of expressions
};

// Of the loops from this one on, in the middle lane of a warp; what isn't known runs once.
static double work_of(dc_walk *walk, uint32_t loop, uint32_t lane) {
  double work = 0;
  for (; loop != DC_NONE; loop = walk->facts[loop].next_sibling) {
    const dc_loop_facts *facts = &walk->facts[loop];
    if (walk->kernel->loops[loop].depth > DC_WALK_DEPTH || !dc__guards_pass(walk, loop, lane))
      continue;
    int64_t trips[DC_WARP];
    bool known =
        facts->evaluable && facts->unknown == 0 && facts->around == 0 &&
        dc__walk_evaluate(walk, walk->kernel->loops[loop].trips, lane, EVALUATIONS, 0, false, trips)
                .known == lane;
    double of_body = walk->flow->bodies[DC_PART_ITERATION][loop].cycles[DC_WARP];
    work += (known ? fmax((double)trips[dc__first_lane(lane)], 0) : 1) *
            (of_body + work_of(walk, facts->first_child, lane));
  }
  return work;
}

static double work_of_block(const dc__plan *p, const uint32_t *grid, uint64_t block,
                            dc_walk *walk) {
  const uint64_t row = grid[0], plane = row * grid[1];
  uint32_t lane = walk->lanes / 2;
  dc_expr_environment *environment = &walk->environments[lane];
  ++walk->walked;
  environment->ctaid[0] = (int64_t)(block % row);
  environment->ctaid[1] = (int64_t)(block % plane / row);
  environment->ctaid[2] = (int64_t)(block / plane);
  return work_of(walk, p->first_loop, UINT32_C(1) << lane);
}

static bool goes_by_block(const dc__plan *p) {
  bool on_block = p->guards.count > 0;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    on_block |= p->facts[loop].on_block && p->facts[loop].evaluable;
  return on_block;
}

unsigned dc__add_rare_blocks(dc__plan *p, const uint32_t *grid, unsigned n, dc_walk *walk) {
  if (!walk->some_blocks || n == DC_WARPS_MAX || !goes_by_block(p))
    return n;
  uint64_t left = walk->operations, all = (uint64_t)grid[0] * grid[1] * grid[2];
  dc_warp_sample most = {.weight = 0};
  double usual = 0, greatest = 0, looked_at = 0;
  walk->operations = EVALUATIONS;
  dc__plan_set_warp(p, &most, grid, walk);
  for (unsigned k = 0; k < n; ++k)
    usual = fmax(usual, work_of_block(p, grid, p->samples[k].block, walk));
  for (uint64_t k = 0; k < all && k < BLOCKS && walk->operations > 0; ++k, ++looked_at) {
    double at = (double)k * 0.6180339887498949;
    uint64_t block = all <= BLOCKS ? k : (uint64_t)((at - floor(at)) * (double)all);
    double work = work_of_block(p, grid, block, walk);
    most.weight += work > FAR_MORE * usual;
    if (work > greatest) {
      greatest = work;
      most.block = block;
    }
  }
  walk->operations = left;
  if (most.weight == 0)
    return n;
  most.weight /= looked_at;
  for (unsigned k = 0; k < n; ++k)
    p->samples[k].weight *= 1 - most.weight;
  p->samples[n] = most;
  return n + 1;
}
