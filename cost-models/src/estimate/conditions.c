// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a branch's condition: a && b && ... (or a || b || ...) is taken apart, and each
// part is one of three kinds:
// - the launch and the iterations tell it of each lane: tid < s, tid <= i0, tid + n * i < m. One
//   value that isn't known may be as large as the launch;
// - they would, but for values that aren't known: of tid < n - m nobody knows which is larger. It
//   turns at one lane of a launch, so the warps are many in which all lanes do alike. So they are
//   where the code lets one expect that lanes agree (dc_branch.alike);
// - data tell it.
#include "estimate/estimate_internal.h"
#include "expr/expr_internal.h"
#include "expr/joined.h"
#include "kernel/small_params.h"
#include "kernel/unknowns.h"

#define DEPTH_MAX 12 // of a condition

// Assumed of comparisons that aren't known, and turn all lanes of a warp alike: as likely as not;
// but what differs between lanes is hardly ever equal.
#define CHANCE_ORDER 0.5
#define CHANCE_EQUAL (1.0 / DC_WARP)

// Whether each lane's value follows from the launch, iterations around, and values that are the
// same for all of a block.
static bool follows_from_launch(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (dc_expr_op_is_search((dc_expr_op)node->op) || depth == 0 ||
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
    return !dc__is_small(kernel, node);
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
  if (!dc__is_joined(node) || depth == 0)
    return count_extents(kernel, e, depth) < 2;
  return has_single_extents(kernel, node->a, depth - 1) &&
         has_single_extents(kernel, node->b, depth - 1) &&
         (node->op != DC_OP_SELECT || has_single_extents(kernel, node->c, depth - 1));
}

static bool is_told(const dc_kernel *kernel, dc_expr condition) {
  dc_expr unknown = DC_NO_EXPR;
  if (!follows_from_launch(kernel, condition, DEPTH_MAX) ||
      !has_single_extents(kernel, condition, DEPTH_MAX) ||
      dc__asks_for_value(kernel, condition, DEPTH_MAX))
    return false;
  dc__has_several_unknowns(kernel, condition, &unknown, DEPTH_MAX);
  // What all lanes would do with an assumed value says nothing.
  return unknown == DC_NO_EXPR || dc_expr_uniformity(&kernel->pool, condition) >= DC_DIVERGENT;
}

// Whether lanes side by side have values side by side: sums and multiples of what counts them.
static bool is_in_order(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (node->op <= DC_OP_OPAQUE || dc_expr_uniformity(&kernel->pool, e) < DC_DIVERGENT)
    return true;
  switch ((dc_expr_op)node->op) {
  case DC_OP_ADD:
  case DC_OP_SUB:
  case DC_OP_MUL:
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_SMIN:
  case DC_OP_SMAX:
  case DC_OP_UMIN:
  case DC_OP_UMAX:
    return depth > 0 && is_in_order(kernel, node->a, depth - 1) &&
           is_in_order(kernel, node->b, depth - 1);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return depth > 0 && is_in_order(kernel, node->a, depth - 1);
  default:
    return false;
  }
}

// Whether all lanes of most warps do alike, whatever the values are that aren't known.
static bool is_alike(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop,
                     dc_expr e) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (dc_expr_uniformity(&kernel->pool, e) < DC_DIVERGENT)
    return true;
  return node->op >= DC_OP_EQ && node->op <= DC_OP_SLE &&
         follows_from_launch(kernel, e, DEPTH_MAX) &&
         dc__iterations_known(kernel, facts, loop, e) && is_in_order(kernel, node->a, DEPTH_MAX) &&
         is_in_order(kernel, node->b, DEPTH_MAX);
}

static double chance_of(const dc_kernel *kernel, dc_expr e) {
  dc_expr_op op = (dc_expr_op)kernel->pool.nodes[e].op;
  if (dc_expr_uniformity(&kernel->pool, e) < DC_DIVERGENT)
    return CHANCE_ORDER;
  return op == DC_OP_EQ ? CHANCE_EQUAL : op == DC_OP_NE ? 1 - CHANCE_EQUAL : CHANCE_ORDER;
}

static void tell(const dc_kernel *kernel, dc_expr e, dc_condition *out) {
  unsigned degree = dc__degree_of_unknowns(kernel, e, DEPTH_MAX);
  out->told[out->n_told++] = e;
  out->degree = degree > out->degree ? (uint8_t)degree : out->degree;
}

static void add_part(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop, dc_expr e,
                     bool alike, dc_condition *out) {
  if (out->n_told < DC_TOLD_MAX && is_told(kernel, e) &&
      dc__iterations_known(kernel, facts, loop, e)) {
    tell(kernel, e, out);
    return;
  }
  dc_expr_op op = (dc_expr_op)kernel->pool.nodes[e].op;
  bool real = op == DC_OP_FEQ || op == DC_OP_FLT || op == DC_OP_FLE;
  bool agree = alike && (real || !follows_from_launch(kernel, e, DEPTH_MAX));
  if (!agree && !is_alike(kernel, facts, loop, e))
    out->rest = DC_REST_DATA;
  else if (out->rest == DC_REST_NONE)
    out->rest = DC_REST_ALIKE;
  double holds = chance_of(kernel, e);
  out->chance = out->any ? 1 - (1 - out->chance) * (1 - holds) : out->chance * holds;
}

static void add_parts(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop, dc_expr e,
                      bool alike, unsigned depth, dc_condition *out) {
  dc_expr operands[2];
  if (depth == 0 || !dc_expr_split_joined(&kernel->pool, e, out->any, operands)) {
    add_part(kernel, facts, loop, e, alike, out);
    return;
  }
  for (unsigned k = 0; k < 2; ++k)
    add_parts(kernel, facts, loop, operands[k], alike, depth - 1, out);
}

dc_condition dc__condition_of(const dc_kernel *kernel, const dc_loop_facts *facts,
                              uint32_t branch) {
  const dc_branch *data = &kernel->branches[branch];
  const dc_block *block = &kernel->blocks[data->block];
  dc_condition out = {.rest = DC_REST_DATA, .degree = 1}, whole = {.degree = 1};
  if (block->n_successors != 2 || data->exits != DC_NONE)
    return out;
  if (data->condition == DC_NO_EXPR) {
    out.rest = data->alike ? DC_REST_ALIKE : DC_REST_DATA;
    out.chance = CHANCE_ORDER;
    return out;
  }
  whole.iterates = out.iterates = dc_expr_mentions(&kernel->pool, data->condition, DC_OP_IV, -1);
  if (is_told(kernel, data->condition)) {
    tell(kernel, data->condition, &whole);
    return whole;
  }
  dc_expr operands[2];
  out.rest = DC_REST_NONE;
  out.any = dc_expr_split_joined(&kernel->pool, data->condition, true, operands);
  out.chance = out.any ? 0 : 1;
  add_parts(kernel, facts, block->loop, data->condition, data->alike, DEPTH_MAX, &out);
  return out;
}
