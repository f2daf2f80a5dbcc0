// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interval.h"

#include <string.h>

uint32_t dcp_end_for(const dcp_interval *in, uint32_t value) {
  const ssa_function *f = in->analysis->function;
  const ssa_block *header = &f->blocks[f->loops[in->loop].header];
  if (dcp_is_header_phi(in, value))
    return value;
  for (uint32_t n = 0; n < header->n_values; ++n) {
    uint32_t phi = f->block_values[header->first_value + n];
    if (dcp_is_header_phi(in, phi) && dcp_value_carried(in, phi) == value)
      return phi;
  }
  return DC_NONE;
}

bool dcp_find_ends(dcp_interval *in, uint32_t value, unsigned depth) {
  const ssa_function *f = in->analysis->function;
  const ssa_value *v = dcp_value_at(in, value);
  if (v->block == DC_NONE || !ssa_loop_contains(f, in->loop, f->blocks[v->block].loop))
    return true;
  uint32_t end = dcp_end_for(in, value);
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
    if (!dcp_find_ends(in, dcp_operand(in, v, k), depth - 1))
      return false;
  return true;
}

static bool half_of(const dcp_interval *in, uint32_t value, bool rounds_down, unsigned depth,
                    dcp_halves *out) {
  if (!dcp_halves_of(in, value, depth, out) || out->constant % 2)
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

static bool sum_of_halves(const dcp_interval *in, const ssa_value *v, unsigned depth,
                          dcp_halves *out) {
  dcp_halves more;
  if (!dcp_halves_of(in, dcp_operand(in, v, 0), depth, out) ||
      !dcp_halves_of(in, dcp_operand(in, v, 1), depth, &more))
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
static bool is_size(const dcp_interval *in, uint32_t value, unsigned depth) {
  dcp_halves sum;
  if (!in->n_ends || !in->is_ordered || !dcp_halves_of(in, value, depth, &sum))
    return false;
  return sum.end[in->high] == 2 && (in->n_ends == 1 || sum.end[!in->high] == -2) &&
         sum.constant >= 0 && sum.below == 0;
}

// A number that iterations hand on with the ends: of these it is what the next iteration's is of
// the next ends.
static bool handed_on(const dcp_interval *in, uint32_t phi, unsigned depth, dcp_halves *out) {
  dcp_interval next = *in;
  next.expected = false;
  for (uint32_t k = 0; k < in->n_ends; ++k)
    next.ends[k] = dcp_value_carried(in, in->ends[k]);
  return dcp_halves_of(&next, dcp_value_carried(in, phi), depth, out);
}

bool dcp_halves_of(const dcp_interval *in, uint32_t value, unsigned depth, dcp_halves *out) {
  const ssa_value *v = dcp_value_at(in, value);
  *out = (dcp_halves){0};
  for (uint32_t k = 0; k < in->n_ends; ++k)
    if (in->ends[k] == value) {
      out->end[k] = 2;
      return true;
    }
  if (in->expected && depth > 0 && dcp_is_header_phi(in, value))
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
    return dcp_is_number(in, dcp_operand(in, v, 1), 1) &&
           half_of(in, dcp_operand(in, v, 0), true, depth - 1, out);
  case DC_OP_UDIV:
  case DC_OP_SDIV: // rounds a negative number up
    return dcp_is_number(in, dcp_operand(in, v, 1), 2) &&
           half_of(in, dcp_operand(in, v, 0),
                   v->expr == DC_OP_UDIV || is_size(in, dcp_operand(in, v, 0), depth - 1),
                   depth - 1, out);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return dcp_halves_of(in, dcp_operand(in, v, 0), depth - 1, out);
  default:
    return false;
  }
}

static bool is_choice(const dcp_interval *in, uint32_t value) {
  const ssa_value *v = dcp_value_at(in, value);
  return (v->op == SSA_EXPR && v->expr == DC_OP_SELECT) ||
         (v->op == SSA_PHI && !dcp_is_header_phi(in, value) &&
          in->analysis->function->blocks[v->block].loop == in->loop);
}

// Whether two choices are made as one: selects by the same condition, or phis of a block.
static bool go_together(const dcp_interval *in, uint32_t one, uint32_t other) {
  const ssa_value *a = dcp_value_at(in, one), *b = dcp_value_at(in, other);
  if (!is_choice(in, one) || !is_choice(in, other) || a->op != b->op ||
      a->n_operands != b->n_operands)
    return false;
  if (a->op == SSA_EXPR)
    return dcp_operand(in, a, 0) == dcp_operand(in, b, 0);
  return a->block == b->block &&
         memcmp(&in->analysis->function->incoming[a->first_operand],
                &in->analysis->function->incoming[b->first_operand],
                a->n_operands * sizeof *in->analysis->function->incoming) == 0;
}

bool dcp_every_way(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS], dcp_way_check *does,
                   unsigned depth) {
  for (uint32_t k = 0; k < in->n_ends; ++k) {
    const ssa_value *v = dcp_value_at(in, next[k]);
    if (!is_choice(in, next[k]))
      continue;
    if (depth == 0)
      return false;
    for (uint32_t n = v->op == SSA_EXPR ? 1 : 0; n < v->n_operands; ++n) {
      uint32_t way[DCP_MAX_ENDS] = {0};
      for (uint32_t other = 0; other < in->n_ends; ++other)
        way[other] = other == k || go_together(in, next[k], next[other])
                         ? dcp_operand(in, dcp_value_at(in, next[other]), n)
                         : next[other];
      if (!dcp_every_way(in, way, does, depth - 1))
        return false;
    }
    return true;
  }
  return does(in, next);
}
