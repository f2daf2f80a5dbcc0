// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of each branch before any lane is looked at: whether it is one in machine code,
// whether it diverging costs something, and whether the launch tells which lanes go where.
#include "estimate/estimate_internal.h"
#include "expr/expr_internal.h"
#include "kernel/predication.h"
#include "kernel/unknowns.h"

#define DEPTH_MAX 12  // of a condition
#define GUARD_STEPS 3 // blocks between a guard and its loop

// Whether each lane's value follows from the launch, iterations around, and values that are the
// same for all of a block.
static bool follows_from_launch(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (dc__expr_op_is_search((dc_expr_op)node->op) || depth == 0 ||
      ((node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE) && node->level >= DC_DIVERGENT))
    return false;
  if (node->op <= DC_OP_OPAQUE)
    return true;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !follows_from_launch(kernel, operands[k], depth - 1))
      return false;
  return true;
}

// Made of nothing but unknown values and numbers, and grows with each: n, n * m, (n + 31) / 32.
static bool is_extent(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_PARAM:
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
    return true;
  case DC_OP_CONST:
    return node->i >= 0;
  case DC_OP_ADD:
  case DC_OP_MUL:
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_SHL:
    return depth > 0 && is_extent(kernel, node->a, depth - 1) &&
           is_extent(kernel, node->b, depth - 1);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return depth > 0 && is_extent(kernel, node->a, depth - 1);
  default:
    return false;
  }
}

// Unknown extents in an expression, two of them where there are more.
static unsigned count_extents(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (is_extent(kernel, e, depth)) {
    dc_expr unknown = DC_NO_EXPR;
    dc__has_several_unknowns(kernel, e, &unknown, depth);
    return unknown != DC_NO_EXPR;
  }
  if (node->op <= DC_OP_OPAQUE)
    return 0;
  if (depth == 0)
    return 2;
  const dc_expr operands[] = {node->a, node->b, node->c};
  unsigned count = 0;
  for (unsigned k = 0; k < 3 && count < 2; ++k)
    if (operands[k] != DC_NO_EXPR)
      count += count_extents(kernel, operands[k], depth - 1);
  return count;
}

// Whether each comparison in a condition has one unknown extent at most: then it may as well be as
// large as the launch. Of several nobody knows which is larger.
static bool has_single_extents(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  bool both = node->bits == 1 && (node->op == DC_OP_AND || node->op == DC_OP_OR ||
                                  node->op == DC_OP_SELECT); // x || y may stand as x ? true : y
  if (!both || depth == 0)
    return count_extents(kernel, e, depth) < 2;
  return has_single_extents(kernel, node->a, depth - 1) &&
         has_single_extents(kernel, node->b, depth - 1) &&
         (node->op != DC_OP_SELECT || has_single_extents(kernel, node->c, depth - 1));
}

static bool is_told(const dc_kernel *kernel, const dc_block *block, dc_expr condition) {
  dc_expr unknown = DC_NO_EXPR;
  if (condition == DC_NO_EXPR || block->n_successors != 2 ||
      !follows_from_launch(kernel, condition, DEPTH_MAX) ||
      !has_single_extents(kernel, condition, DEPTH_MAX))
    return false;
  dc__has_several_unknowns(kernel, condition, &unknown, DEPTH_MAX);
  // What all lanes would do with an assumed value says nothing.
  return unknown == DC_NO_EXPR || dc_expr_uniformity(&kernel->pool, condition) >= DC_DIVERGENT;
}

// Whether lanes that diverge at a branch have to be managed: not where it is an exit (counted with
// its loop), all its targets go to one place, or one target just returns.
static bool parts(const dc_kernel *kernel, const dc_branch *branch) {
  const dc_block *block = &kernel->blocks[branch->block];
  if (branch->exits != DC_NONE || block->n_successors < 2 || dc__has_bare_return(kernel, block))
    return false;
  uint32_t first = kernel->successors[block->first_successor];
  bool differ = false;
  for (uint32_t k = 0; k < block->n_successors; ++k) {
    uint32_t to = kernel->successors[block->first_successor + k];
    differ |= to != first;
    if (kernel->blocks[to].n_successors == 0 && block->post_dominator == DC_NONE)
      return false;
  }
  return differ;
}

static bool accesses_memory(const dc_block *block) {
  return block->mix[DC_MIX_GLOBAL] + block->mix[DC_MIX_SHARED] + block->mix[DC_MIX_LOCAL] +
             block->mix[DC_MIX_ATOMIC] + block->mix[DC_MIX_CALL] >
         0;
}

// Whether a branch only tells which lanes have iterations in a loop: if (k < n) do ... while, where
// nothing is read between. These belong to the loop's trip counts, none to which is nothing new.
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
  return loop != DC_NONE && loop != block->loop && kernel->loops[loop].header == at;
}

// Lanes that may part are reconverged by an instruction before and one behind: of a
// branch (BSSY, BSYNC), in its block; of a loop, in the blocks that enter it.
static void count_regions(const dc_kernel *kernel, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    if (flow->parts[k] && kernel->branches[k].level >= DC_DIVERGENT)
      flow->regions[kernel->branches[k].block] += 2;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s], loop = kernel->blocks[to].loop;
      if (loop != DC_NONE && kernel->loops[loop].header == to && block->loop != loop &&
          kernel->loops[loop].level >= DC_DIVERGENT &&
          (block->loop == DC_NONE || kernel->loops[block->loop].depth < kernel->loops[loop].depth))
        flow->regions[k] += 2;
    }
  }
}

// Whether the walk knows the iterations that a condition in this loop goes by: those of loops
// around, which it goes through one by one then, and of the loop itself where its trips are
// evaluated.
static bool iterations_known(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop,
                             dc_expr condition) {
  if (loop == DC_NONE || !dc_expr_mentions(&kernel->pool, condition, DC_OP_IV, loop))
    return true;
  const dc_loop *data = &kernel->loops[loop];
  bool follows = facts[loop].unknown <= 1 || data->loop_class == DC_CLASS_LANE_AFFINE;
  return data->level < DC_DIVERGENT ||
         (facts[loop].evaluable && follows && !dc_kernel_text(kernel, data->distribution)[0]);
}

static void describe(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t k, dc_flow *flow) {
  const dc_branch *branch = &kernel->branches[k];
  const dc_block *block = &kernel->blocks[branch->block];
  uint32_t loop = block->loop;
  flow->predicated[k] = dc__is_predicated(kernel, block);
  flow->told[k] = branch->exits == DC_NONE && is_told(kernel, block, branch->condition);
  flow->masked[k] = flow->told[k] && !flow->predicated[k] && flow->attached[branch->block] &&
                    iterations_known(kernel, facts, loop, branch->condition);
  if (flow->masked[k] && loop != DC_NONE) {
    flow->sided[loop] = true;
    flow->iterates[loop] |= dc_expr_mentions(&kernel->pool, branch->condition, DC_OP_IV, loop);
    for (uint32_t at = kernel->loops[loop].parent; at != DC_NONE; at = kernel->loops[at].parent)
      if (dc_expr_mentions(&kernel->pool, branch->condition, DC_OP_IV, at))
        flow->outside[loop] = facts[at].inner_depend = true;
  }
  flow->guards[k] = branch->exits == DC_NONE && guards_a_loop(kernel, block);
  flow->parts[k] = !flow->predicated[k] && parts(kernel, branch);
  flow->assumed |= !flow->predicated[k] && !flow->masked[k] && branch->exits == DC_NONE &&
                   branch->level >= DC_DIVERGENT && block->n_successors > 1;
}

void dc__branches_describe(const dc_kernel *kernel, dc_loop_facts *facts, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    describe(kernel, facts, k, flow);
  count_regions(kernel, flow);
}
