// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes that come out the same in every warp of the block: each warp asks all of its 32 lanes, and
// what lane i says is the same in all of them, such as a word of shared memory behind a barrier, at
// an address that follows from the lane alone.
#include "analysis/analysis.h"

enum { DEPTH = 8 };

// Whether all warps have 32 threads.
static bool warps_are_whole(const dcp_block_dims *dims) {
  if (!dims->known)
    return dims->whole_rows;
  for (uint32_t s = 0; s < dims->n; ++s)
    if (dims->block[s][0] * dims->block[s][1] * dims->block[s][2] % 32 != 0)
      return false;
  return true;
}

// Whether threads that part somewhere may have left the kernel before a block, so that a warp
// there has fewer lanes than another.
static bool some_may_have_left(const dcp_analysis *analysis, uint32_t block) {
  const ssa_function *f = analysis->function;
  for (uint32_t b = 0; b < f->n_blocks; ++b) {
    uint32_t meet = f->blocks[b].post_dominator, loop = f->blocks[block].loop;
    bool before = f->blocks[b].order < f->blocks[block].order;
    for (; loop != DC_NONE && !before; loop = f->loops[loop].parent)
      before = ssa_loop_contains(f, loop, f->blocks[b].loop);
    if (before && analysis->branch_level[b] > DC_BLOCK_UNIFORM &&
        (meet == DC_NONE || f->blocks[meet].n_successors == 0))
      return true;
  }
  return false;
}

// threadIdx.x in blocks whose rows are whole warps, without the bits that differ between warps.
static bool is_lane_of_row(const dcp_analysis *analysis, dc_expr e) {
  const dc_expr_node *nodes = analysis->pool.nodes, *node = &nodes[e];
  while (node->op == DC_OP_ZEXT || node->op == DC_OP_SEXT)
    node = &nodes[node->a];
  if (node->op != DC_OP_AND || nodes[node->b].op != DC_OP_CONST || nodes[node->b].i < 0 ||
      nodes[node->b].i > 31)
    return false;
  node = &nodes[node->a];
  while (node->op == DC_OP_ZEXT || node->op == DC_OP_SEXT)
    node = &nodes[node->a];
  return analysis->dims.whole_rows && node->op == DC_OP_TID && node->i == 0;
}

// Whether an expression was evaluated for all threads of the known block dimensions, and is the
// same in lane i of each warp.
static bool repeats(const dcp_analysis *analysis, dc_expr e) {
  if (!analysis->dims.known || !analysis->node_lane[e])
    return false;
  for (uint32_t s = 0; s < analysis->dims.n; ++s) {
    const uint32_t *block = analysis->dims.block[s];
    int64_t first[32], value;
    for (uint32_t thread = 0; thread < block[0] * block[1] * block[2]; ++thread) {
      dc_expr_environment environment = {.budget = dcp_limit->term_operations};
      dcp_set_thread(&environment, block, thread);
      if (!dc_expr_evaluate(&analysis->pool, e, &environment, &value))
        return false;
      if (thread < 32)
        first[thread] = value;
      if (value != first[thread % 32])
        return false;
    }
  }
  return true;
}

static bool is_alike(const dcp_analysis *analysis, uint32_t value, uint32_t block, unsigned depth) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  if (dcp_use_level(analysis, value, block) <= DC_BLOCK_UNIFORM)
    return true;
  bool same_round = v->block != DC_NONE &&
                    (f->blocks[v->block].loop == DC_NONE ||
                     ssa_loop_contains(f, f->blocks[v->block].loop, f->blocks[block].loop));
  if (depth == 0 || !same_round)
    return false;
  dc_expr e = analysis->exprs[value];
  if (e != DC_NO_EXPR && (analysis->pool.nodes[e].op == DC_OP_LANE || is_lane_of_row(analysis, e) ||
                          repeats(analysis, e)))
    return true;
  bool follows = v->op == SSA_EXPR || v->op == SSA_PURE;
  bool reads = v->op == SSA_LOAD && !v->changing &&
               (v->space == SSA_READONLY || (v->space == SSA_SHARED && analysis->stable[value]));
  if (!follows && !reads)
    return false;
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!is_alike(analysis, ssa_operand(f, v, k), block, depth - 1))
      return false;
  return true;
}

bool dcp_votes_alike(const dcp_analysis *analysis, uint32_t vote) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[vote];
  if (v->n_operands != 2 || !f->is_kernel)
    return false;
  const ssa_value *mask = &f->values[f->operands[v->first_operand]];
  return mask->op == SSA_CONST && (uint32_t)mask->i == UINT32_MAX &&
         warps_are_whole(&analysis->dims) && analysis->control[v->block] <= DC_BLOCK_UNIFORM &&
         !some_may_have_left(analysis, v->block) &&
         is_alike(analysis, ssa_operand(f, v, 1), v->block, DEPTH);
}
