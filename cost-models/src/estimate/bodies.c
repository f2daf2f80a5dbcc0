// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an iteration of a loop (or the kernel outside of loops) costs the warp, by the number of
// lanes that are active in it. A block that each of them comes to with the chance q is run by the
// warp with the chance 1 - (1 - q)^n, and a branch there makes the lanes diverge into as many ways
// as are taken, on average, but one.
//
// Trip counts tell how often the body begins. Lanes that leave by the loop's own condition, in
// front of the body, test it once more; those that leave by another exit don't run what comes after
// it in their last iteration. That is the same for each entry, however many iterations there are.
#include "estimate/estimate_internal.h"

#include <stdlib.h>
#include <string.h>

#define EXITS_MAX 64 // of a loop
#define WAYS_MAX 64  // of a branch

// ---- costs --------------------------------------------------------------------------------------

void dc__some_chances(double p, unsigned most, double *chances) {
  chances[0] = 0;
  if (p == 1)
    for (unsigned n = 1; n <= most; ++n)
      chances[n] = 1;
  else
    for (unsigned n = 1; n <= most; ++n)
      chances[n] = chances[n - 1] + p * (1 - chances[n - 1]);
}

static dc_block_cost cost_of(const dc_block *block, const dc_arch *arch, uint16_t regions) {
  dc_block_cost cost = {0, 0};
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix) {
    cost.cycles += block->mix[mix] * arch->issue[mix];
    cost.instructions += block->mix[mix];
  }
  if (block->counted)
    cost.instructions = (double)block->machine + regions;
  return cost;
}

// Adds `times` executions of a block to a part of its loop.
static void add_block(const dc_kernel *kernel, uint32_t block, dc_part part, double times,
                      dc_flow *flow) {
  double some[DC_WARP + 1];
  dc_block_cost cost = flow->costs[block];
  uint32_t loop = kernel->blocks[block].loop;
  dc_body *body = &flow->bodies[part][loop == DC_NONE ? kernel->n_loops : loop];
  flow->times[part][block] += times;
  times *= flow->frequency[block];
  dc__some_chances(flow->lanes[block], DC_WARP, some);
  body->used |= times != 0;
  for (unsigned n = 1; n <= DC_WARP; ++n) {
    body->cycles[n] += times * some[n] * cost.cycles;
    body->instructions[n] += times * some[n] * cost.instructions;
  }
  body->lane_instructions += times * flow->lanes[block] * cost.instructions;
}

static void add_ways(const dc_kernel *kernel, const dc_flow *flow, uint32_t block, dc_choice choice,
                     dc_body *body) {
  const dc_block *data = &kernel->blocks[block];
  const uint32_t *to = &kernel->successors[data->first_successor];
  double times = flow->frequency[block], chances[DC_WARP + 1], shares[WAYS_MAX] = {0};
  body->used |= times != 0;
  uint32_t ways = data->n_successors < WAYS_MAX ? data->n_successors : WAYS_MAX;
  for (uint32_t k = 0; k < ways; ++k) {
    uint32_t first = 0;
    while (to[first] != to[k])
      ++first;
    shares[first] += dc__target_share(kernel, flow, data, k, data->n_successors, choice);
  }
  for (uint32_t k = 0; k <= ways; ++k) {
    dc__some_chances(flow->lanes[block] * (k < ways ? shares[k] : 1), DC_WARP, chances);
    for (unsigned n = 1; n <= DC_WARP; ++n)
      body->branches[n] += (k < ways ? times : -times) * chances[n];
  }
}

// ---- ends of loops ------------------------------------------------------------------------------

typedef struct ends {
  const dc_kernel *kernel;
  uint64_t *before;           // of each block: the exits of the loop that it leads to, as bits
  uint64_t candidates, front; // of the loop: exits that a lane may leave by; those before the body
} ends;

static bool same_place(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  if (a == DC_NONE || b == DC_NONE)
    return false;
  const dc_location *x = &kernel->locations[a], *y = &kernel->locations[b];
  return x->line == y->line && x->column == y->column && x->file == y->file && x->line > 0;
}

static bool is_latch(const dc_kernel *kernel, const dc_loop *loop, uint32_t block) {
  const dc_block *data = &kernel->blocks[block];
  for (uint32_t k = 0; k < data->n_successors; ++k)
    if (kernel->successors[data->first_successor + k] == loop->header)
      return true;
  return false;
}

// Which exits lead to which, and which stand before the body: that at the header, the one that is
// the loop's own condition (its branch stands where the loop does), and all that lead there.
static void find_exits(ends *s, const dc_flow *flow, uint32_t loop) {
  const dc_kernel *kernel = s->kernel;
  const dc_loop *data = &kernel->loops[loop];
  uint64_t own = 0, drawn = 0, all = 0;
  for (uint32_t at = flow->position[data->header]; at <= flow->last[loop]; ++at)
    s->before[flow->order[at]] = 0;
  for (uint32_t k = 0; k < data->n_exits; ++k) {
    const dc_exit *exit = &kernel->exits[data->first_exit + k];
    s->before[exit->block] |= UINT64_C(1) << k;
    all |= UINT64_C(1) << k;
    drawn |= (uint64_t)(exit->trips == DC_NO_EXPR) << k;
    if (!is_latch(kernel, data, exit->block) &&
        (exit->block == data->header || same_place(kernel, exit->location, data->location)))
      own |= UINT64_C(1) << k;
  }
  for (uint32_t at = flow->last[loop] + 1; at-- > flow->position[data->header];) {
    const dc_block *block = &kernel->blocks[flow->order[at]];
    for (uint32_t k = 0; k < block->n_successors; ++k) {
      uint32_t to = kernel->successors[block->first_successor + k];
      if (flow->position[to] > at && flow->position[to] <= flow->last[loop])
        s->before[flow->order[at]] |= s->before[to];
    }
  }
  s->candidates = drawn ? drawn : all;
  s->front = 0;
  for (uint32_t k = 0; k < data->n_exits; ++k)
    if (s->before[kernel->exits[data->first_exit + k].block] & own)
      s->front |= UINT64_C(1) << k;
}

static void add_end(ends *s, uint32_t loop, dc_flow *flow) {
  const dc_loop *data = &s->kernel->loops[loop];
  if (data->n_exits == 0 || data->n_exits > EXITS_MAX || data->irreducible)
    return;
  find_exits(s, flow, loop);
  double share = 1.0 / dc__lanes_count(s->candidates);
  for (uint32_t at = flow->position[data->header]; at <= flow->last[loop]; ++at) {
    uint32_t block = flow->order[at];
    if (s->kernel->blocks[block].loop != loop)
      continue;
    unsigned more = dc__lanes_count(s->candidates & s->front & s->before[block]);
    unsigned fewer = dc__lanes_count(s->candidates & ~s->front & ~s->before[block]);
    if (more)
      add_block(s->kernel, block, DC_PART_TEST, more * share, flow);
    if (fewer)
      add_block(s->kernel, block, DC_PART_END, -(fewer * share), flow);
  }
}

static bool add_ends(const dc_kernel *kernel, dc_flow *flow) {
  ends s = {.kernel = kernel, .before = calloc(kernel->n_blocks + 1u, sizeof *s.before)};
  bool done = s.before != NULL;
  for (uint32_t loop = 0; done && loop < kernel->n_loops; ++loop)
    add_end(&s, loop, flow);
  free(s.before);
  return done;
}

// ---- all of it ----------------------------------------------------------------------------------

bool dc__bodies_build(const dc_kernel *kernel, const dc_arch *arch, dc_ways ways, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    flow->costs[k] = cost_of(&kernel->blocks[k], arch, flow->regions[k]);
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    if (block->loop == DC_NONE && !flow->attached[k])
      continue;
    dc_choice choice = block->loop == DC_NONE ? ways.outside : ways.inside;
    add_block(kernel, k, DC_PART_ITERATION, 1, flow);
    if (block->branch != DC_NONE && flow->parts[block->branch] && !flow->masked[block->branch] &&
        dc__parts_by_data(kernel, flow, block->branch) && choice != DC_CHOICE_ALIKE)
      add_ways(
          kernel, flow, k, choice,
          &flow->bodies[DC_PART_ITERATION][block->loop == DC_NONE ? kernel->n_loops : block->loop]);
  }
  return add_ends(kernel, flow);
}
