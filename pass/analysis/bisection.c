// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection: a loop whose condition is about an interval (two ends, or a length) of which each
// iteration keeps one half. The lanes take different halves, but if they start with the same
// interval their trip counts differ by at most one. Looked for in the values alone: every way
// through an iteration moves an end to the middle, but for one, and keeps the other (or moves that,
// too).
#include "analysis/analysis.h"

#include <string.h>

typedef struct interval {
  const dcp_analysis *analysis;
  uint32_t loop;
  uint32_t ends[DCP_MAX_ENDS]; // phis of the header that the condition is about
  uint32_t n_ends;
} interval;

static const ssa_value *value_at(const interval *in, uint32_t value) {
  return &in->analysis->function->values[value];
}

static uint32_t operand(const interval *in, const ssa_value *v, uint32_t k) {
  return in->analysis->function->operands[v->first_operand + k];
}

static bool is_header_phi(const interval *in, uint32_t value) {
  const ssa_value *v = value_at(in, value);
  return v->op == SSA_PHI && v->block == in->analysis->function->loops[in->loop].header &&
         v->n_operands == 2;
}

static uint32_t value_carried(const interval *in, const ssa_value *phi) {
  const ssa_function *f = in->analysis->function;
  uint32_t from = f->incoming[phi->first_operand];
  return operand(in, phi, ssa_loop_contains(f, in->loop, f->blocks[from].loop) ? 0 : 1);
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
    if (is_header_phi(in, phi) && value_carried(in, value_at(in, phi)) == value)
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

// A value as a sum of the ends and a constant, all counted in halves: what rounding does is less
// than one of them.
typedef struct halves {
  int64_t end[DCP_MAX_ENDS], constant;
} halves;

static bool halves_of(const interval *in, uint32_t value, unsigned depth, halves *out);

static bool half_of(const interval *in, uint32_t value, unsigned depth, halves *out) {
  if (!halves_of(in, value, depth, out))
    return false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    if (out->end[k] % 2)
      return false;
    out->end[k] /= 2;
  }
  out->constant /= 2;
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
  return true;
}

static bool is_constant(const interval *in, uint32_t value, int64_t wanted) {
  const ssa_value *v = value_at(in, value);
  return v->op == SSA_CONST && v->i == wanted;
}

static bool halves_of(const interval *in, uint32_t value, unsigned depth, halves *out) {
  const ssa_value *v = value_at(in, value);
  *out = (halves){0};
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (in->ends[k] == value) {
      out->end[k] = 2;
      return true;
    }
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
    return is_constant(in, operand(in, v, 1), 1) && half_of(in, operand(in, v, 0), depth - 1, out);
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    return is_constant(in, operand(in, v, 1), 2) && half_of(in, operand(in, v, 0), depth - 1, out);
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

// Every way in which an iteration makes the ends from themselves moves one of them to the middle
// and keeps the other, or moves both there. `next` has what each becomes.
static bool every_way_halves(const interval *in, const uint32_t next[DCP_MAX_ENDS],
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
      if (!every_way_halves(in, way, depth - 1))
        return false;
    }
    return true;
  }
  bool moves = false;
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    bool kept = next[k] == in->ends[k];
    if (!kept && !is_middle(in, next[k]))
      return false;
    moves |= !kept;
  }
  return moves;
}

bool dcp_is_bisection(const dcp_analysis *analysis, const dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  uint32_t condition = f->blocks[exit->block].condition;
  interval in = {.analysis = analysis, .loop = exit->loop};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0)
    return false;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k) {
    const ssa_value *end = value_at(&in, in.ends[k]);
    next[k] = value_carried(&in, end);
    uint32_t back = operand(&in, end, 0) == next[k] ? 0 : 1;
    if (analysis->value_level[operand(&in, end, 1 - back)] == DC_DIVERGENT)
      return false;
  }
  return every_way_halves(&in, next, (unsigned)dcp_limit->bisection_depth);
}
