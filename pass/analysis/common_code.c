// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common_code.h"

#define PHIS 1  // at most, for an instruction that LLVM moves behind both blocks
#define DEPTH 3 // of what values are computed from

static const ssa_value *value_in(const ssa_function *f, uint32_t block, uint32_t n) {
  return &f->values[f->block_values[f->blocks[block].first_value + n]];
}

// Whether a value may be moved: it is a function of its operands, or an ordinary access to memory.
// Atomics stay where they are: nvcc's compiler leaves them.
static bool is_movable(const ssa_value *v) {
  switch ((ssa_op)v->op) {
  case SSA_EXPR:
  case SSA_SREG:
  case SSA_STORE:
    return true;
  case SSA_PURE:
    return v->i != 0; // else nothing tells which function it is
  case SSA_LOAD:
    return !v->changing;
  case SSA_EFFECT:
    return v->mix == DC_MIX_CONTROL + 1; // the jump at the end
  default:
    return false;
  }
}

static bool are_alike(const ssa_value *a, const ssa_value *b) {
  return is_movable(a) && is_movable(b) && a->op == b->op && a->expr == b->expr && a->i == b->i &&
         a->bits == b->bits && a->space == b->space && a->object == b->object && a->mix == b->mix &&
         a->machine == b->machine && a->n_operands == b->n_operands;
}

static bool are_own(const ssa_function *f, const ssa_value *a, const ssa_value *b, uint32_t x,
                    uint32_t y) {
  return f->values[x].block == a->block && f->values[y].block == b->block;
}

// Whether two values, each in its own of two blocks, are computed from the same.
static bool are_same(const ssa_function *f, const ssa_value *a, const ssa_value *b,
                     unsigned depth) {
  bool same = depth > 0 && are_alike(a, b);
  for (uint32_t o = 0; o < a->n_operands && same; ++o) {
    uint32_t x = ssa_operand(f, a, o), y = ssa_operand(f, b, o);
    same =
        x == y || (are_own(f, a, b, x, y) && are_same(f, &f->values[x], &f->values[y], depth - 1));
  }
  return same;
}

// Operands of which it takes a phi to have the right one behind both blocks. What both compute
// themselves may be moved there, too.
static uint32_t count_phis(const ssa_function *f, const ssa_value *a, const ssa_value *b) {
  uint32_t count = 0;
  for (uint32_t o = 0; o < a->n_operands; ++o) {
    uint32_t x = ssa_operand(f, a, o), y = ssa_operand(f, b, o);
    count += x != y && !are_own(f, a, b, x, y);
  }
  return count;
}

// Whether a block ends with what is worth to be moved behind it.
static bool is_worth_it(const ssa_value *last) {
  return last->op == SSA_STORE || last->op == SSA_PURE;
}

void dcp_own_code_of(const ssa_function *f, const uint32_t blocks[2], dcp_own_code own[2]) {
  for (unsigned k = 0; k < 2; ++k)
    own[k] = (dcp_own_code){0, f->blocks[blocks[k]].n_values};
  while (own[0].first < own[0].end && own[1].first < own[1].end) {
    const ssa_value *a = value_in(f, blocks[0], own[0].first),
                    *b = value_in(f, blocks[1], own[1].first);
    if (!are_same(f, a, b, DEPTH))
      break;
    ++own[0].first, ++own[1].first;
  }
  bool begun = false;
  while (own[0].first < own[0].end && own[1].first < own[1].end) {
    const ssa_value *a = value_in(f, blocks[0], own[0].end - 1),
                    *b = value_in(f, blocks[1], own[1].end - 1);
    begun |= is_worth_it(a);
    if (!are_alike(a, b) || count_phis(f, a, b) > PHIS || (a->op == SSA_EXPR && !begun))
      break;
    --own[0].end, --own[1].end;
  }
}
