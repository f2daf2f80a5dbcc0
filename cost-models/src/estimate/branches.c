// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of each branch before any lane is looked at: whether it is one in machine code,
// whether it diverging costs something, and whether the launch tells which lanes go where.
#include "estimate/estimate_internal.h"
#include "kernel/predication.h"
#include "kernel/regions.h"

#define GUARD_STEPS 3 // blocks between a guard and its loop

static bool accesses_memory(const dc_block *block) {
  return block->mix[DC_MIX_GLOBAL] + block->mix[DC_MIX_SHARED] + block->mix[DC_MIX_LOCAL] +
             block->mix[DC_MIX_ATOMIC] + block->mix[DC_MIX_CALL] >
         0;
}

// Whether a branch only tells which lanes have iterations in a loop: if (k < n) do ... while, where
// nothing is read between. These belong to the loop's trip counts, none to which is nothing new.
// Lanes that part there have different trips, then.
static bool guards_a_loop(const dc_kernel *kernel, const dc_block *block) {
  const uint32_t *to = &kernel->successors[block->first_successor];
  if (block->n_successors != 2 ||
      (to[0] != block->post_dominator && to[1] != block->post_dominator))
    return false;
  uint32_t at = to[0] == block->post_dominator ? to[1] : to[0];
  for (unsigned step = 0; step < GUARD_STEPS && kernel->blocks[at].loop == block->loop; ++step) {
    if (kernel->blocks[at].n_successors != 1 || accesses_memory(&kernel->blocks[at]))
      return false;
    at = kernel->successors[kernel->blocks[at].first_successor];
  }
  uint32_t loop = kernel->blocks[at].loop;
  return loop != DC_NONE && loop != block->loop && kernel->loops[loop].header == at &&
         (block->branch == DC_NONE ||
          kernel->loops[loop].level >= kernel->branches[block->branch].level);
}

bool dc__iterations_known(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop,
                          dc_expr condition) {
  if (loop == DC_NONE || !dc_expr_mentions(&kernel->pool, condition, DC_OP_IV, loop))
    return true;
  const dc_loop *data = &kernel->loops[loop];
  bool follows = facts[loop].unknown <= 1 || data->loop_class == DC_CLASS_LANE_AFFINE;
  return data->level < DC_DIVERGENT ||
         (facts[loop].evaluable && follows && !dc_kernel_text(kernel, data->distribution)[0]);
}

// Notes what the walk has to find for a part of a condition in this loop.
static void mention(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t loop, dc_expr part,
                    dc_flow *flow) {
  flow->sided[loop] = true;
  flow->iterates[loop] |= dc_expr_mentions(&kernel->pool, part, DC_OP_IV, loop);
  for (uint32_t at = kernel->loops[loop].parent; at != DC_NONE; at = kernel->loops[at].parent)
    if (dc_expr_mentions(&kernel->pool, part, DC_OP_IV, at))
      flow->outside[loop] = facts[at].inner_depend = true;
}

// Outside of loops each lane takes one side, once.
static bool is_drawn(const dc_kernel *kernel, const dc_flow *flow, uint32_t k) {
  const dc_branch *branch = &kernel->branches[k];
  const dc_block *block = &kernel->blocks[branch->block];
  const dc_condition *condition = &flow->conditions[k];
  return block->loop == DC_NONE && block->n_successors == 2 && branch->level >= DC_DIVERGENT &&
         branch->exits == DC_NONE && condition->n_told == 0 && condition->rest == DC_REST_DATA &&
         !flow->predicated[k] && flow->attached[branch->block] && !guards_a_loop(kernel, block);
}

static void describe(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t k, dc_flow *flow) {
  const dc_branch *branch = &kernel->branches[k];
  const dc_block *block = &kernel->blocks[branch->block];
  const dc_condition *condition = &flow->conditions[k];
  uint32_t loop = block->loop;
  flow->conditions[k] = dc__condition_of(kernel, facts, k);
  flow->predicated[k] = dc__is_predicated(kernel, block);
  bool asked = condition->n_told > 0 && !flow->predicated[k] && flow->attached[branch->block];
  flow->partly[k] = asked && !dc__is_told(condition);
  flow->masked[k] = asked && dc__is_told(condition) &&
                    dc__iterations_known(kernel, facts, loop, branch->condition);
  flow->drawn[k] = flow->draws && is_drawn(kernel, flow, k);
  flow->masked[k] |= flow->drawn[k];
  for (unsigned n = 0; n < condition->n_told && loop != DC_NONE; ++n)
    if (flow->masked[k] || flow->partly[k])
      mention(kernel, facts, loop, condition->told[n], flow);
  flow->guards[k] = branch->exits == DC_NONE && guards_a_loop(kernel, block);
  flow->parts[k] = dc__parts_lanes(kernel, k);
  bool parts = !flow->predicated[k] && branch->exits == DC_NONE && block->n_successors > 1;
  flow->assumed |= parts && !flow->masked[k] && branch->level >= DC_DIVERGENT;
  flow->sides_assumed |= parts && branch->level < DC_DIVERGENT && condition->rest != DC_REST_NONE;
}

bool dc__parts_by_data(const dc_kernel *kernel, const dc_flow *flow, uint32_t branch) {
  return kernel->branches[branch].level >= DC_DIVERGENT &&
         flow->conditions[branch].rest != DC_REST_ALIKE;
}

static void note_open_sides(const dc_kernel *kernel, const dc_branch *branch, uint32_t *open_side) {
  const dc_block *block = &kernel->blocks[branch->block];
  bool open = branch->close && dc__has_simple_targets(kernel, block);
  for (uint32_t s = 0; s < block->n_successors && open; ++s) {
    uint32_t side = kernel->successors[block->first_successor + s];
    if (side != block->post_dominator)
      open_side[side] = branch->block;
  }
}

void dc__branches_describe(const dc_kernel *kernel, dc_loop_facts *facts, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    describe(kernel, facts, k, flow);
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    flow->open_side[k] = DC_NONE;
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    note_open_sides(kernel, &kernel->branches[k], flow->open_side);
  dc__count_regions(kernel, flow->regions);
}
