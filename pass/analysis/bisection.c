// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection: a loop whose condition is about an interval (two ends, or a length) of which each
// iteration keeps one half. The lanes take different halves, but if they start with the same
// interval their trip counts differ by at most one, and by few if not. Looked for in the values
// alone: every way through an iteration moves an end to the middle, but for one, and keeps the
// other (or moves that, too). Where each way leaves half at most, the logarithm of the interval
// bounds the trip counts, whatever the lanes start with.
#include "analysis/interval.h"

// The middle of the interval, or half of a length, but for one.
static bool is_middle(const dcp_interval *in, uint32_t value) {
  dcp_halves sum;
  if (!dcp_halves_of(in, value, (unsigned)dcp_limit->bisection_depth, &sum))
    return false;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (sum.end[k] != 1)
      return false;
  return sum.constant >= -3 && sum.constant <= 3;
}

// Moves one end to the middle and keeps the other, or moves both there.
static bool moves_to_middle(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS]) {
  bool moves = false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    bool kept = next[k] == in->ends[k];
    if (!kept && !is_middle(in, next[k]))
      return false;
    moves |= !kept;
  }
  return moves;
}

dcp_bisection dcp_bisects(const dcp_analysis *analysis, const dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  uint32_t condition = f->blocks[exit->block].condition;
  dcp_interval in = {.analysis = analysis, .loop = exit->loop, .expected = true};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !dcp_find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0)
    return DCP_NO_BISECTION;
  dcp_bisection of = DCP_ONE_INTERVAL;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k) {
    next[k] = dcp_value_carried(&in, in.ends[k]);
    if (!dcp_known_lane_function(analysis, analysis->exprs[dcp_value_before(&in, in.ends[k])]))
      of = DCP_OWN_INTERVALS;
  }
  bool halves = dcp_every_way(&in, next, moves_to_middle, (unsigned)dcp_limit->bisection_depth);
  return halves ? of : DCP_NO_BISECTION;
}

// ---- what is left is halved ---------------------------------------------------------------------

// A number that is shifted or divided, or loses its lowest bit.
static bool is_less_than_half(const dcp_interval *in, uint32_t value) {
  const ssa_value *v = dcp_value_at(in, value);
  if (in->n_ends != 1 || in->least < 1 || v->op != SSA_EXPR || v->n_operands != 2)
    return false;
  uint32_t end = in->ends[0], a = dcp_operand(in, v, 0), b = dcp_operand(in, v, 1);
  const ssa_value *by = dcp_value_at(in, b), *less = dcp_value_at(in, a == end ? b : a);
  switch ((dc_expr_op)v->expr) {
  case DC_OP_LSHR:
    return a == end && by->op == SSA_CONST && by->i >= 1;
  case DC_OP_ASHR:
    return a == end && by->op == SSA_CONST && by->i >= 1 && !in->is_unsigned;
  case DC_OP_UDIV:
    return a == end && by->op == SSA_CONST && by->i >= 2;
  case DC_OP_SDIV:
    return a == end && by->op == SSA_CONST && by->i >= 2 && !in->is_unsigned;
  case DC_OP_AND:
    return (a == end || b == end) && less->op == SSA_EXPR && less->expr == DC_OP_ADD &&
           dcp_operand(in, less, 0) == end && dcp_is_number(in, dcp_operand(in, less, 1), -1);
  default:
    return false;
  }
}

// In halves: what an end becomes at most, or at least, beside the middle. Where s = size - least +
// 1 is left, these leave s / 2 at most.
static bool leaves_half(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS]) {
  unsigned depth = (unsigned)dcp_limit->bisection_depth;
  bool moves = false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    dcp_halves sum;
    if (next[k] == in->ends[k])
      continue;
    moves = true;
    if (is_less_than_half(in, next[k]))
      continue;
    if (!dcp_halves_of(in, next[k], depth, &sum) || sum.end[k] != 1 ||
        (in->n_ends == 2 && sum.end[!k] != 1))
      return false;
    bool enough = k == in->high ? sum.constant + sum.above <= in->least - 1
                                : sum.constant - sum.below >= 1 - in->least;
    if (!enough)
      return false;
  }
  return moves;
}

// What a condition asks for: that one operand is larger than the other, or that a number is left.
static bool read_order(dcp_interval *in, uint32_t condition, bool stays_if_true) {
  const ssa_value *v = dcp_value_at(in, condition);
  if (v->op == SSA_EXPR && v->expr == DC_OP_XOR && v->bits == 1) {
    v = dcp_value_at(in, dcp_operand(in, v, 0));
    stays_if_true = !stays_if_true;
  }
  if (v->op != SSA_EXPR || v->n_operands != 2)
    return false;
  bool equal = v->expr == DC_OP_EQ || v->expr == DC_OP_NE;
  bool less = v->expr == DC_OP_ULT || v->expr == DC_OP_SLT;
  if (!equal && !less && v->expr != DC_OP_ULE && v->expr != DC_OP_SLE)
    return false;
  if (equal && (v->expr == DC_OP_NE) != stays_if_true)
    return false;
  // not (a < b) is b <= a
  uint32_t low = dcp_operand(in, v, equal || !stays_if_true),
           high = dcp_operand(in, v, !equal && stays_if_true);
  bool strict = equal || less == stays_if_true;
  dcp_halves size, more;
  unsigned depth = (unsigned)dcp_limit->bisection_depth;
  if (!dcp_halves_of(in, high, depth, &size) || !dcp_halves_of(in, low, depth, &more) ||
      size.above + size.below + more.above + more.below > 0)
    return false;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    size.end[k] -= more.end[k];
  size.constant -= more.constant;
  in->high = size.end[0] == 2 ? 0 : 1;
  in->least = -size.constant / 2 + strict;
  in->is_unsigned = equal || v->expr == DC_OP_ULT || v->expr == DC_OP_ULE;
  in->is_ordered = in->n_ends == 1 ? size.end[0] == 2 && (!equal || in->least == 1)
                   : in->n_ends == 2
                       ? size.end[in->high] == 2 && size.end[!in->high] == -2 && !equal
                       : false;
  return in->is_ordered;
}

static dc_expr start_expression(dcp_interval *in, dcp_analysis *analysis, uint32_t end) {
  dc_expr start = analysis->exprs[dcp_value_before(in, in->ends[end])];
  return start == DC_NO_EXPR
             ? start
             : dc_expr_cast(&analysis->pool, in->is_unsigned ? DC_OP_ZEXT : DC_OP_SEXT, 64, start);
}

// How much more there is than the least with which the loop ends, or 0.
static dc_expr what_is_left(dcp_interval *in, dcp_analysis *analysis) {
  dc_expr_pool *pool = &analysis->pool;
  dc_expr high = start_expression(in, analysis, in->high);
  dc_expr low =
      in->n_ends == 2 ? start_expression(in, analysis, !in->high) : dc_expr_constant(pool, 64, 0);
  if (dcp_value_at(in, in->ends[in->high])->bits ==
      64) { // as much as a number without a sign can be
    low = dc_expr_binary(pool, DC_OP_ADD, low, dc_expr_constant(pool, 64, in->least - 1));
    dc_expr_op larger = in->is_unsigned ? DC_OP_UMAX : DC_OP_SMAX;
    return dc_expr_binary(pool, DC_OP_SUB, dc_expr_binary(pool, larger, high, low), low);
  }
  dc_expr left = dc_expr_binary(pool, DC_OP_SUB, high, low);
  left = dc_expr_binary(pool, DC_OP_ADD, left, dc_expr_constant(pool, 64, 1 - in->least));
  if (in->n_ends == 2 || in->least != 1 || !in->is_unsigned)
    left = dc_expr_binary(pool, DC_OP_SMAX, left, dc_expr_constant(pool, 64, 0));
  return left;
}

dc_expr dcp_most_halvings(dcp_analysis *analysis, const dcp_exit *exit, bool stays_if_true) {
  const ssa_function *f = analysis->function;
  dc_expr_pool *pool = &analysis->pool;
  uint32_t condition = f->blocks[exit->block].condition;
  dcp_interval in = {.analysis = analysis, .loop = exit->loop};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !dcp_find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0 ||
      !read_order(&in, condition, stays_if_true))
    return DC_NO_EXPR;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k)
    next[k] = dcp_value_carried(&in, in.ends[k]);
  if (!dcp_every_way(&in, next, leaves_half, (unsigned)dcp_limit->bisection_depth))
    return DC_NO_EXPR;
  dc_expr left = what_is_left(&in, analysis);
  dc_expr iteration = dc_expr_leaf(pool, DC_OP_IV, 64, DC_UNIFORM, exit->loop);
  dc_expr none_left =
      dc_expr_binary(pool, DC_OP_EQ, dc_expr_binary(pool, DC_OP_LSHR, left, iteration),
                     dc_expr_constant(pool, 64, 0));
  return dc_expr_apply(pool, DC_OP_FIRST, 64, DC_UNIFORM, none_left, DC_NO_EXPR, DC_NO_EXPR,
                       exit->loop);
}
