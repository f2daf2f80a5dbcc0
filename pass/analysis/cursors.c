// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cursors: places that a loop hands on from iteration to iteration and that only some iterations
// move, `stream[at++]` under a condition, both heads of a merge. No expression says where such a
// place is, but how far it moves at the most can be seen.
#include "analysis/analysis.h"

#include <stdlib.h>

enum { STEPS = 64 }; // values that are looked at

typedef struct cursor {
  const ssa_function *f;
  uint32_t loop, phi; // of the loop's header; DC_NONE: not found yet
  unsigned left;
} cursor;

static uint32_t operand(const cursor *c, const ssa_value *v, unsigned k) {
  return ssa_operand(c->f, v, k);
}

static bool is_const(const cursor *c, uint32_t value) {
  return c->f->values[value].op == SSA_CONST;
}

static bool is_in_loop(const cursor *c, uint32_t value) {
  uint32_t block = c->f->values[value].block;
  return block != DC_NONE && ssa_loop_contains(c->f, c->loop, c->f->blocks[block].loop);
}

static bool reach(cursor *c, uint32_t value, bool from_phi, int64_t *by);

// Of those that a select or a phi chooses from, the one that reaches farthest.
static bool reach_farthest(cursor *c, const ssa_value *v, bool from_phi, int64_t *by) {
  if (c->f->blocks[v->block].loop != c->loop)
    return false;
  for (unsigned k = v->op == SSA_EXPR; k < v->n_operands; ++k) { // a select's condition is first
    int64_t way;
    if (!reach(c, operand(c, v, k), from_phi, &way))
      return false;
    *by = llabs(way) > llabs(*by) ? way : *by;
  }
  return true;
}

static bool reach_sum(cursor *c, const ssa_value *v, bool from_phi, int64_t *by) {
  int64_t first, second;
  bool adds = v->expr == DC_OP_ADD;
  if (!(reach(c, operand(c, v, 0), from_phi, &first) &&
        reach(c, operand(c, v, 1), false, &second)) &&
      !(adds && from_phi && reach(c, operand(c, v, 0), false, &first) &&
        reach(c, operand(c, v, 1), true, &second)))
    return false;
  *by = adds ? first + second : first - second;
  return llabs(*by) <= INT32_MAX;
}

// How far a value of an iteration is from the phi, or from 0, at the most. False: it isn't made of
// the phi and constants alone.
static bool reach(cursor *c, uint32_t value, bool from_phi, int64_t *by) {
  const ssa_value *v = &c->f->values[value];
  *by = 0;
  if (from_phi && value == c->phi)
    return true;
  if (!from_phi && v->op == SSA_CONST) {
    *by = v->i;
    return v->i >= -INT32_MAX && v->i <= INT32_MAX;
  }
  if (c->left == 0 || !is_in_loop(c, value))
    return false;
  --c->left;
  if (v->op == SSA_PHI || (v->op == SSA_EXPR && v->expr == DC_OP_SELECT))
    return reach_farthest(c, v, from_phi, by);
  if (v->op != SSA_EXPR)
    return false;
  if (v->expr == DC_OP_ADD || v->expr == DC_OP_SUB)
    return reach_sum(c, v, from_phi, by);
  if (v->expr == DC_OP_AND && !from_phi) { // some bits of anything
    const ssa_value *mask = &c->f->values[operand(c, v, 1)];
    *by = mask->i;
    return mask->op == SSA_CONST && mask->i >= 0 && mask->i <= INT32_MAX;
  }
  if (v->expr != DC_OP_ZEXT && v->expr != DC_OP_SEXT && v->expr != DC_OP_TRUNC)
    return false;
  bool condition = c->f->values[operand(c, v, 0)].bits == 1;
  *by = v->expr == DC_OP_SEXT ? -1 : 1;
  return (condition && !from_phi) || reach(c, operand(c, v, 0), from_phi, by);
}

// 0 beyond what an access's advance holds.
static int64_t product(int64_t scale, int64_t factor) {
  return scale <= UINT16_MAX / factor ? scale * factor : 0;
}

// Finds the phi that an address is made of, by sums with what stays in the loop; gives the bytes
// for each of its steps, or 0.
static int64_t scale_of(cursor *c, uint32_t value) {
  const ssa_value *v = &c->f->values[value];
  if (c->left == 0 || !is_in_loop(c, value))
    return 0;
  --c->left;
  if (v->op == SSA_PHI && v->block == c->f->loops[c->loop].header) {
    c->phi = value;
    return 1;
  }
  if (v->op != SSA_EXPR)
    return 0;
  uint32_t first = operand(c, v, 0), second = v->n_operands > 1 ? operand(c, v, 1) : DC_NONE;
  int64_t factor = second != DC_NONE && is_const(c, second) ? c->f->values[second].i : 0;
  switch (v->expr) {
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return scale_of(c, first);
  case DC_OP_ADD:
    if (is_in_loop(c, first) && is_in_loop(c, second))
      return 0;
    return scale_of(c, is_in_loop(c, first) ? first : second);
  case DC_OP_SUB:
    return is_in_loop(c, second) ? 0 : scale_of(c, first);
  case DC_OP_MUL:
    return factor > 0 ? product(scale_of(c, first), factor) : 0;
  case DC_OP_SHL:
    return factor > 0 && factor < 16 ? product(scale_of(c, first), INT64_C(1) << factor) : 0;
  default:
    return 0;
  }
}

uint16_t dcp_cursor_moves(const ssa_function *f, uint32_t access) {
  uint32_t block = f->values[access].block;
  cursor c = {f, block == DC_NONE ? DC_NONE : f->blocks[block].loop, DC_NONE, STEPS};
  if (c.loop == DC_NONE)
    return 0;
  int64_t scale = scale_of(&c, f->operands[f->values[access].first_operand]), by = 0;
  if (scale <= 0 || c.phi == DC_NONE || !ssa_is_counter(f, c.loop, c.phi) ||
      !reach(&c, ssa_value_carried(f, c.loop, c.phi), true, &by))
    return 0;
  by = llabs(by);
  return by <= UINT16_MAX / scale ? (uint16_t)(by * scale) : 0;
}
