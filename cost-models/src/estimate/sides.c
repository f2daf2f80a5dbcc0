// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes come to each block of a loop (or of the kernel, outside of loops) that some lanes
// have entered, where the launch and the iterations tell who goes where (masked branches), or who
// doesn't go one way (partly); and what
// the blocks cost with these lanes. If not all of the entry's lanes are active, which are is as
// good as any other choice: how many of a block's lanes are there is hypergeometric.
//
// Blocks are passed in the flow's order. Loops inside hand all lanes on that come to them; of
// these, their guards may keep more away, by branches that are no masked ones.
#include "estimate/estimate_internal.h"

#include <string.h>

#define OPERATIONS_MAX 1000 // of one condition in a lane

// Evaluates a condition, or a part of one, in some lanes; returns those where it is known.
static uint32_t evaluate(dc_walk *walk, dc_expr condition, unsigned degree, uint32_t lanes,
                         uint32_t *holds) {
  int64_t values[DC_WARP] = {0};
  dc_lanes_value result = dc__walk_evaluate(walk, condition, lanes, OPERATIONS_MAX,
                                            dc__assumed_factor(walk, degree), false, values);
  uint32_t known = (uint32_t)result.known;
  walk->used_assumed |= (known & result.uses_assumed) != 0;
  walk->unknown_sides |= known != lanes;
  *holds = 0;
  for (unsigned lane = 0; lane < DC_WARP; ++lane)
    *holds |= (uint32_t)(values[lane] != 0) << lane;
  *holds &= known;
  return known;
}

// Each of the lanes takes the first target with its chance.
static void draw_targets(const dc_walk *walk, uint32_t branch, uint32_t lanes,
                         uint32_t targets[2]) {
  const dc_kernel *kernel = walk->kernel;
  const dc_block *block = &kernel->blocks[kernel->branches[branch].block];
  double share = dc__target_share(kernel, walk->flow, block, 0, 2, walk->choice);
  targets[0] = dc__draw_side(walk->draws, branch, share, lanes);
  targets[1] = lanes & ~targets[0];
}

// Those of `lanes` that may take either target of a branch.
static void find_targets(dc_walk *walk, uint32_t branch, uint32_t lanes, uint32_t targets[2]) {
  const dc_condition *condition = &walk->flow->conditions[branch];
  uint32_t holds, decided = 0;
  if (walk->draws && walk->flow->drawn[branch]) {
    draw_targets(walk, branch, lanes, targets);
    return;
  }
  if (walk->flow->masked[branch]) {
    uint32_t known =
        evaluate(walk, walk->kernel->branches[branch].condition, condition->degree, lanes, &holds);
    targets[0] = holds | (lanes & ~known);
    targets[1] = lanes & ~holds;
    return;
  }
  walk->unknown_sides = true;
  for (unsigned n = 0; n < condition->n_told && lanes; ++n) {
    uint32_t known = evaluate(walk, condition->told[n], condition->degree, lanes, &holds);
    decided |= condition->any ? holds : known & ~holds;
  }
  targets[0] = condition->any ? lanes : lanes & ~decided;
  targets[1] = condition->any ? lanes & ~decided : lanes;
}

static bool is_in(const dc_kernel *kernel, uint32_t block, uint32_t context) {
  return dc__loop_holds(kernel, context, kernel->blocks[block].loop);
}

// Hands lanes on from one block of the context to another, of another loop.
static void hand_on(dc_walk *walk, uint32_t context, uint32_t from, uint32_t to, uint32_t lanes) {
  uint32_t entered = dc__loop_inside(walk->kernel, context, to);
  walk->block_lanes[to] |= lanes;
  if (entered != DC_NONE && !is_in(walk->kernel, from, entered))
    walk->come[entered] |= lanes;
}

// Hands the lanes that come to a block on to its successors; those of either target of its branch.
static void pass_lanes(dc_walk *walk, uint32_t context, uint32_t block) {
  const dc_kernel *kernel = walk->kernel;
  const dc_block *data = &kernel->blocks[block];
  uint32_t lanes = walk->block_lanes[block], targets[2] = {lanes, lanes};
  bool masked = data->loop == context && data->branch != DC_NONE &&
                (walk->flow->masked[data->branch] || walk->flow->partly[data->branch]);
  if (masked) {
    if (lanes)
      find_targets(walk, data->branch, lanes, targets);
    memcpy(walk->branch_lanes[data->branch], targets, sizeof targets);
  }
  for (uint32_t k = 0; k < data->n_successors; ++k) {
    uint32_t to = kernel->successors[data->first_successor + k];
    uint32_t handed = masked ? targets[k] : lanes;
    if (kernel->blocks[to].loop == data->loop) // most do
      walk->block_lanes[to] |= handed;
    else if (is_in(kernel, to, context))
      hand_on(walk, context, block, to, handed);
  }
}

void dc__sides_find(dc_walk *walk, uint32_t context, uint32_t lanes) {
  const dc_kernel *kernel = walk->kernel;
  const dc_flow *flow = walk->flow;
  uint32_t first = context == DC_NONE ? 0 : flow->position[kernel->loops[context].header];
  uint32_t last = context == DC_NONE ? kernel->n_blocks - 1 : flow->last[context];
  for (uint32_t at = first; at <= last; ++at) {
    uint32_t block = flow->order[at], loop = kernel->blocks[block].loop;
    if (!dc__loop_holds(kernel, context, loop))
      continue;
    walk->block_lanes[block] = 0;
    if (loop != context && kernel->loops[loop].parent == context)
      walk->come[loop] = 0;
  }
  walk->block_lanes[context == DC_NONE ? 0 : kernel->loops[context].header] = lanes;
  for (uint32_t at = first; at <= last; ++at)
    if (is_in(kernel, flow->order[at], context) && flow->attached[flow->order[at]])
      pass_lanes(walk, context, flow->order[at]);
}

// chances[j]: that a block with `members` of the set is run where j of the set are active, if each
// of them comes to it with this chance.
static void find_chances(const dc_walk *walk, const dc_active *here, unsigned members,
                         double chance, double *chances) {
  unsigned s = here->size;
  double some[DC_WARP + 1]; // of the block's lanes
  dc__some_chances(chance, members, some);
  for (unsigned j = here->exact ? s : 1; j <= s; ++j) {
    chances[j] = members == s ? some[j] : 0;
    unsigned least = j > s - members ? j - (s - members) : 0, most = j < members ? j : members;
    for (unsigned n = least; n <= most && members < s; ++n)
      chances[j] += some[n] * walk->choose[members][n] * walk->choose[s - members][j - n] /
                    walk->choose[s][j];
  }
}

static double sum_over(const dc_active *here, unsigned measure, const double *of) {
  double sum = 0;
  for (unsigned j = here->exact ? here->size : 1; j <= here->size; ++j)
    sum += here->at[measure][j] * of[j];
  return sum;
}

// How often lanes part at a masked branch: where both ways have some.
static double parted(const dc_walk *walk, uint32_t branch, const dc_active *here, double chance,
                     double executions) {
  double ways = -executions, chances[DC_WARP + 1];
  for (unsigned k = 0; k < 2; ++k) {
    find_chances(walk, here, dc__lanes_count(walk->branch_lanes[branch][k] & here->set), chance,
                 chances);
    ways += sum_over(here, 0, chances);
  }
  return ways > 0 ? ways : 0;
}

// How often a block is executed in a part of its loop, if these lanes of the set come to it, and by
// how many in total; chances[j]: of an execution where j of the set are active, before it is
// multiplied by how often the block is in that part.
static dc_visits find_visits(const dc_walk *walk, const dc_active *here, uint32_t block,
                             uint32_t lanes, dc_part part, double *chances) {
  const dc_flow *flow = walk->flow;
  double times = flow->times[part][block] * flow->frequency[block];
  unsigned members = dc__lanes_count(lanes & here->set);
  if (times == 0 || members == 0)
    return (dc_visits){0, 0};
  find_chances(walk, here, members, flow->lanes[block], chances);
  return (dc_visits){times * sum_over(here, 0, chances),
                     times * dc__active_lanes(here) / here->size * members * flow->lanes[block]};
}

dc_visits dc__sides_visits(const dc_walk *walk, const dc_active *here, uint32_t block,
                           uint32_t lanes, dc_part part) {
  double chances[DC_WARP + 1];
  return find_visits(walk, here, block, lanes, part, chances);
}

dc_executed dc__sides_account(dc_walk *walk, uint32_t context, const dc_active *here, dc_part part,
                              double *lost) {
  const dc_kernel *kernel = walk->kernel;
  const dc_flow *flow = walk->flow;
  uint32_t room = context == DC_NONE ? kernel->n_loops : context;
  dc_executed out = {.branches = sum_over(here, 0, flow->bodies[part][room].branches)};
  for (uint32_t k = flow->first_own[room]; k < flow->first_own[room + 1]; ++k) {
    uint32_t block = flow->own[k], branch = kernel->blocks[block].branch;
    double times = flow->times[part][block] * flow->frequency[block], chances[DC_WARP + 1];
    dc_block_cost cost = flow->costs[block];
    dc_visits visits = find_visits(walk, here, block, walk->block_lanes[block], part, chances);
    if (visits.lanes == 0)
      continue;
    out.cycles += visits.executions * cost.cycles;
    out.instructions += visits.executions * cost.instructions;
    out.lane_instructions += visits.lanes * cost.instructions;
    walk->visits[block].executions += visits.executions;
    walk->visits[block].lanes += visits.lanes;
    for (unsigned d = 0; d + 1 < here->n && lost; ++d)
      lost[d] += times * cost.cycles * sum_over(here, d + 1, chances);
    if (branch != DC_NONE && flow->masked[branch] && flow->parts[branch] &&
        part == DC_PART_ITERATION)
      out.branches +=
          times * parted(walk, branch, here, flow->lanes[block], visits.executions / times);
  }
  return out;
}
