// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection: a loop whose condition is about an interval (two ends, or a length) of which each
// iteration keeps one half. The lanes take different halves, but if they start with the same
// interval their trip counts differ by at most one. Looked for in the values alone: every way in
// which an iteration changes an end leaves it as it is or computes it from half of what the
// condition is about.
#include "analysis/analysis.h"

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

// Bits of the ends that a value is computed from.
static unsigned mentions(const interval *in, uint32_t value, unsigned depth) {
  const ssa_value *v = value_at(in, value);
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (in->ends[k] == value)
      return 1u << k;
  unsigned found = 0;
  for (uint32_t k = 0; v->op == SSA_EXPR && depth > 0 && k < v->n_operands; ++k)
    found |= mentions(in, operand(in, v, k), depth - 1);
  return found;
}

// Computed from half of a value that all ends are in.
static bool has_half(const interval *in, uint32_t value, unsigned depth) {
  const ssa_value *v = value_at(in, value);
  if (v->op != SSA_EXPR || depth == 0)
    return false;
  bool shift = v->expr == DC_OP_LSHR || v->expr == DC_OP_ASHR,
       quotient = v->expr == DC_OP_UDIV || v->expr == DC_OP_SDIV;
  if (shift || quotient) {
    const ssa_value *by = value_at(in, operand(in, v, 1));
    if (by->op == SSA_CONST && by->i == (shift ? 1 : 2) &&
        mentions(in, operand(in, v, 0), 4) == (1u << in->n_ends) - 1)
      return true;
  }
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (has_half(in, operand(in, v, k), depth - 1))
      return true;
  return false;
}

// Every way in which an iteration makes `end` from itself keeps it (if it may) or halves.
static bool every_way_halves(const interval *in, uint32_t value, uint32_t end, unsigned depth) {
  const ssa_value *v = value_at(in, value);
  if (value == end)
    return in->n_ends == 2; // the other end moves then
  bool select = v->op == SSA_EXPR && v->expr == DC_OP_SELECT;
  if ((select || (v->op == SSA_PHI && !is_header_phi(in, value))) && depth > 0) {
    for (uint32_t k = select ? 1 : 0; k < v->n_operands; ++k)
      if (!every_way_halves(in, operand(in, v, k), end, depth - 1))
        return false;
    return true;
  }
  return has_half(in, value, (unsigned)dcp_limit->bisection_depth);
}

bool dcp_is_bisection(const dcp_analysis *analysis, const dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  uint32_t condition = f->blocks[exit->block].condition;
  interval in = {.analysis = analysis, .loop = exit->loop};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      !find_ends(&in, condition, (unsigned)dcp_limit->bisection_depth) || in.n_ends == 0)
    return false;
  for (uint32_t k = 0; k < in.n_ends; ++k) {
    const ssa_value *end = value_at(&in, in.ends[k]);
    uint32_t carried = value_carried(&in, end), back = operand(&in, end, 0) == carried ? 0 : 1;
    if (analysis->value_level[operand(&in, end, 1 - back)] == DC_DIVERGENT ||
        !every_way_halves(&in, carried, in.ends[k], (unsigned)dcp_limit->bisection_depth))
      return false;
  }
  return true;
}
