// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection: a loop whose condition is about an interval (two ends, or a length) of which each
// iteration keeps one half. The lanes take different halves, but if they start with the same
// interval their trip counts differ by at most one, and by few if not. Looked for in the values
// alone: every way through an iteration moves an end to the middle, but for one, and keeps the
// other (or moves that, too). Where each way leaves half at most, the logarithm of the interval
// bounds the trip counts, whatever the lanes start with.
#include "analysis/analysis.h"

#include <string.h>

typedef struct interval {
  const dcp_analysis *analysis;
  uint32_t loop;
  uint32_t ends[DCP_MAX_ENDS]; // phis of the header that the condition is about
  uint32_t n_ends;
  bool expected; // that a middle which iterations hand on is one in the first iteration, too
  // Where that is known: the loop goes on while ends[high] is larger than the other by `least` at
  // least, or, as the only one, `least` itself at least.
  bool is_ordered, is_unsigned;
  uint32_t high;
  int64_t least;
} interval;

static const ssa_value *value_at(const interval *in, uint32_t value) {
  return &in->analysis->function->values[value];
}

static uint32_t operand(const interval *in, const ssa_value *v, uint32_t k) {
  return ssa_operand(in->analysis->function, v, k);
}

static bool is_header_phi(const interval *in, uint32_t value) {
  return ssa_is_counter(in->analysis->function, in->loop, value);
}

static uint32_t value_carried(const interval *in, uint32_t phi) {
  return ssa_value_carried(in->analysis->function, in->loop, phi);
}

static uint32_t value_before(const interval *in, uint32_t phi) {
  return ssa_value_before(in->analysis->function, in->loop, phi);
}

// The phi of the header that a value is, or becomes in the next iteration (a test at the end of the
// body sees that one); or DC_NONE.
static uint32_t end_for(const interval *in, uint32_t value) {
  const ssa_function *f = in->analysis->function;
  const ssa_block *header = &f->blocks[f->loops[in->loop].header];
  if (is_header_phi(in, value))
    return value;
  for (uint32_t n = 0; n < header->n_values; ++n) {
    uint32_t phi = f->block_values[header->first_value + n];
    if (is_header_phi(in, phi) && value_carried(in, phi) == value)
      return phi;
  }
  return DC_NONE;
}

// Collects the header's phis under a condition. False where there are too many, or something else
// that changes.
static bool find_ends(interval *in, uint32_t value, unsigned depth) {
  const ssa_function *f = in->analysis->function;
  const ssa_value *v = value_at(in, value);
  if (v->block == DC_NONE || !ssa_loop_contains(f, in->loop, f->blocks[v->block].loop))
    return true;
  uint32_t end = end_for(in, value);
  if (end != DC_NONE) {
    for (uint32_t k = 0; k < in->n_ends; ++k)
      if (in->ends[k] == end)
        return true;
    if (in->n_ends >= dcp_limit->bisection_ends)
      return false;
    in->ends[in->n_ends++] = end;
    return true;
  }
  if (v->op != SSA_EXPR || depth == 0)
    return false;
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!find_ends(in, operand(in, v, k), depth - 1))
      return false;
  return true;
}

// A value as a sum of the ends and a constant, all counted in halves. Rounding has made it at most
// `above` halves larger or `below` smaller than that.
typedef struct halves {
  int64_t end[DCP_MAX_ENDS], constant;
  int64_t above, below;
} halves;

static bool halves_of(const interval *in, uint32_t value, unsigned depth, halves *out);

static bool half_of(const interval *in, uint32_t value, bool rounds_down, unsigned depth,
                    halves *out) {
  if (!halves_of(in, value, depth, out) || out->constant % 2)
    return false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    if (out->end[k] % 2)
      return false;
    out->end[k] /= 2;
  }
  out->constant /= 2;
  out->above = (out->above + 1) / 2 + !rounds_down;
  out->below = (out->below + 1) / 2 + 1;
  return true;
}

static bool sum_of_halves(const interval *in, const ssa_value *v, unsigned depth, halves *out) {
  halves more;
  if (!halves_of(in, operand(in, v, 0), depth, out) ||
      !halves_of(in, operand(in, v, 1), depth, &more))
    return false;
  int64_t sign = v->expr == DC_OP_SUB ? -1 : 1;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    out->end[k] += sign * more.end[k];
  out->constant += sign * more.constant;
  out->above += sign > 0 ? more.above : more.below;
  out->below += sign > 0 ? more.below : more.above;
  return true;
}

// Whether a value is the interval, or a number of which there is some left while the loop runs.
static bool is_size(const interval *in, uint32_t value, unsigned depth) {
  halves sum;
  if (!in->n_ends || !in->is_ordered || !halves_of(in, value, depth, &sum))
    return false;
  return sum.end[in->high] == 2 && (in->n_ends == 1 || sum.end[!in->high] == -2) &&
         sum.constant >= 0 && sum.below == 0;
}

static bool is_constant(const interval *in, uint32_t value, int64_t wanted) {
  const ssa_value *v = value_at(in, value);
  return v->op == SSA_CONST && v->i == wanted;
}

// A number that iterations hand on with the ends: of these it is what the next iteration's is of
// the next ends.
static bool handed_on(const interval *in, uint32_t phi, unsigned depth, halves *out) {
  interval next = *in;
  next.expected = false;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    next.ends[k] = value_carried(in, in->ends[k]);
  return halves_of(&next, value_carried(in, phi), depth, out);
}

static bool halves_of(const interval *in, uint32_t value, unsigned depth, halves *out) {
  const ssa_value *v = value_at(in, value);
  *out = (halves){0};
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (in->ends[k] == value) {
      out->end[k] = 2;
      return true;
    }
  if (in->expected && depth > 0 && is_header_phi(in, value))
    return handed_on(in, value, depth - 1, out);
  if (v->op == SSA_CONST && v->i >= -4 && v->i <= 4) {
    out->constant = 2 * v->i;
    return true;
  }
  if (v->op != SSA_EXPR || depth == 0)
    return false;
  switch ((dc_expr_op)v->expr) {
  case DC_OP_ADD:
  case DC_OP_SUB:
    return sum_of_halves(in, v, depth - 1, out);
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return is_constant(in, operand(in, v, 1), 1) &&
           half_of(in, operand(in, v, 0), true, depth - 1, out);
  case DC_OP_UDIV:
  case DC_OP_SDIV: // rounds a negative number up
    return is_constant(in, operand(in, v, 1), 2) &&
           half_of(in, operand(in, v, 0),
                   v->expr == DC_OP_UDIV || is_size(in, operand(in, v, 0), depth - 1), depth - 1,
                   out);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return halves_of(in, operand(in, v, 0), depth - 1, out);
  default:
    return false;
  }
}

// The middle of the interval, or half of a length, but for one.
static bool is_middle(const interval *in, uint32_t value) {
  halves sum;
  if (!halves_of(in, value, (unsigned)dcp_limit->bisection_depth, &sum))
    return false;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (sum.end[k] != 1)
      return false;
  return sum.constant >= -3 && sum.constant <= 3;
}

static bool is_choice(const interval *in, uint32_t value) {
  const ssa_value *v = value_at(in, value);
  return (v->op == SSA_EXPR && v->expr == DC_OP_SELECT) ||
         (v->op == SSA_PHI && !is_header_phi(in, value) &&
          in->analysis->function->blocks[v->block].loop == in->loop);
}

// Whether two choices are made as one: selects by the same condition, or phis of a block.
static bool go_together(const interval *in, uint32_t one, uint32_t other) {
  const ssa_value *a = value_at(in, one), *b = value_at(in, other);
  if (!is_choice(in, one) || !is_choice(in, other) || a->op != b->op ||
      a->n_operands != b->n_operands)
    return false;
  if (a->op == SSA_EXPR)
    return operand(in, a, 0) == operand(in, b, 0);
  return a->block == b->block &&
         memcmp(&in->analysis->function->incoming[a->first_operand],
                &in->analysis->function->incoming[b->first_operand],
                a->n_operands * sizeof *in->analysis->function->incoming) == 0;
}

typedef bool halves_it(const interval *in, const uint32_t next[DCP_MAX_ENDS]);

// Whether every way in which an iteration makes the ends from themselves halves what is between
// them. `next` has what each becomes.
static bool every_way(const interval *in, const uint32_t next[DCP_MAX_ENDS], halves_it *does,
                      unsigned depth) {
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    const ssa_value *v = value_at(in, next[k]);
    if (!is_choice(in, next[k]))
      continue;
    if (depth == 0)
      return false;
    for (uint32_t n = v->op == SSA_EXPR ? 1 : 0; n < v->n_operands; ++n) {
      uint32_t way[DCP_MAX_ENDS] = {0};
      for (uint32_t other = 0; other < in->n_ends; ++other)
        way[other] = other == k || go_together(in, next[k], next[other])
                         ? operand(in, value_at(in, next[other]), n)
                         : next[other];
      if (!every_way(in, way, does, depth - 1))
        return false;
    }
    return true;
  }
  return does(in, next);
}

// Moves one end to the middle and keeps the other, or moves both there.
static bool moves_to_middle(const interval *in, const uint32_t next[DCP_MAX_ENDS]) {
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
  interval in = {.analysis = analysis, .loop = exit->loop, .expected = true};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0)
    return DCP_NO_BISECTION;
  dcp_bisection of = DCP_ONE_INTERVAL;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k) {
    next[k] = value_carried(&in, in.ends[k]);
    if (!dcp_known_lane_function(analysis, analysis->exprs[value_before(&in, in.ends[k])]))
      of = DCP_OWN_INTERVALS;
  }
  bool halves = every_way(&in, next, moves_to_middle, (unsigned)dcp_limit->bisection_depth);
  return halves ? of : DCP_NO_BISECTION;
}

// ---- what is left is halved ---------------------------------------------------------------------

// A number that is shifted or divided, or loses its lowest bit.
static bool is_less_than_half(const interval *in, uint32_t value) {
  const ssa_value *v = value_at(in, value);
  if (in->n_ends != 1 || in->least < 1 || v->op != SSA_EXPR || v->n_operands != 2)
    return false;
  uint32_t end = in->ends[0], a = operand(in, v, 0), b = operand(in, v, 1);
  const ssa_value *by = value_at(in, b), *less = value_at(in, a == end ? b : a);
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
           operand(in, less, 0) == end && is_constant(in, operand(in, less, 1), -1);
  default:
    return false;
  }
}

// In halves: what an end becomes at most, or at least, beside the middle. Where s = size - least +
// 1 is left, these leave s / 2 at most.
static bool leaves_half(const interval *in, const uint32_t next[DCP_MAX_ENDS]) {
  unsigned depth = (unsigned)dcp_limit->bisection_depth;
  bool moves = false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    halves sum;
    if (next[k] == in->ends[k])
      continue;
    moves = true;
    if (is_less_than_half(in, next[k]))
      continue;
    if (!halves_of(in, next[k], depth, &sum) || sum.end[k] != 1 ||
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
static bool read_order(interval *in, uint32_t condition, bool stays_if_true) {
  const ssa_value *v = value_at(in, condition);
  if (v->op == SSA_EXPR && v->expr == DC_OP_XOR && v->bits == 1) {
    v = value_at(in, operand(in, v, 0));
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
  uint32_t low = operand(in, v, equal || !stays_if_true),
           high = operand(in, v, !equal && stays_if_true);
  bool strict = equal || less == stays_if_true;
  halves size, more;
  unsigned depth = (unsigned)dcp_limit->bisection_depth;
  if (!halves_of(in, high, depth, &size) || !halves_of(in, low, depth, &more) ||
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

static dc_expr start_expression(interval *in, dcp_analysis *analysis, uint32_t end) {
  dc_expr start = analysis->exprs[value_before(in, in->ends[end])];
  return start == DC_NO_EXPR
             ? start
             : dc_expr_cast(&analysis->pool, in->is_unsigned ? DC_OP_ZEXT : DC_OP_SEXT, 64, start);
}

// How much more there is than the least with which the loop ends, or 0.
static dc_expr what_is_left(interval *in, dcp_analysis *analysis) {
  dc_expr_pool *pool = &analysis->pool;
  dc_expr high = start_expression(in, analysis, in->high);
  dc_expr low =
      in->n_ends == 2 ? start_expression(in, analysis, !in->high) : dc_expr_constant(pool, 64, 0);
  if (value_at(in, in->ends[in->high])->bits == 64) { // as much as a number without a sign can be
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
  interval in = {.analysis = analysis, .loop = exit->loop};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0 ||
      !read_order(&in, condition, stays_if_true))
    return DC_NO_EXPR;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k)
    next[k] = value_carried(&in, in.ends[k]);
  if (!every_way(&in, next, leaves_half, (unsigned)dcp_limit->bisection_depth))
    return DC_NO_EXPR;
  dc_expr left = what_is_left(&in, analysis);
  dc_expr iteration = dc_expr_leaf(pool, DC_OP_IV, 64, DC_UNIFORM, exit->loop);
  dc_expr none_left =
      dc_expr_binary(pool, DC_OP_EQ, dc_expr_binary(pool, DC_OP_LSHR, left, iteration),
                     dc_expr_constant(pool, 64, 0));
  return dc_expr_apply(pool, DC_OP_FIRST, 64, DC_UNIFORM, none_left, DC_NO_EXPR, DC_NO_EXPR,
                       exit->loop);
}
