// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the copies of an unrolled loop's body have in common. The test, the step and the branch back
// are there once. An address that advances by a constant is computed once, and the copies have what
// they add to it in their loads and stores; one that advances by a product
// takes each copy an addition; a counter that is used as a number each copy computes for itself.
// Where the loop is gone (the counter is a number in each copy), what depends on nothing else is
// gone, too, also in the loop around it.
#include "analysis/copies.h"

#include <math.h>
#include <stdlib.h>

#define COPIES_MAX (UINT32_C(1) << 16)
#define REPEATED (-1) // in each copy

typedef enum standing {
  FIXED,     // a number, in each copy another one
  INVARIANT, // the same in all of them
  AFFINE,    // differs between copies by a constant
  LINEAR,    // by what is the same for all of them
  OWN,       // computed in each
} standing;

enum { AS_NUMBER = 1, AS_ADDRESS = 2, AS_SHARED_ADDRESS = 4 };

bool dcp_copies_init(dcp_copies *c, const ssa_function *function) {
  size_t n = (size_t)function->n_values + 1;
  *c = (dcp_copies){.function = function,
                    .standing = malloc(n),
                    .uses = malloc(n),
                    .varies = malloc(n),
                    .each = calloc(function->n_blocks + 1u, sizeof *c->each),
                    .once = malloc(n * sizeof *c->once),
                    .size = malloc(n * sizeof *c->size)};
  if (!c->standing || !c->uses || !c->varies || !c->each || !c->once || !c->size)
    return false;
  for (size_t v = 0; v < n; ++v) {
    c->once[v] = REPEATED;
    c->size[v] = 1;
  }
  return true;
}

void dcp_copies_free(dcp_copies *c) {
  free(c->standing);
  free(c->uses);
  free(c->varies);
  free(c->each);
  free(c->once);
  free(c->size);
}

static standing standing_of(const dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  const ssa_value *v = &f->values[value];
  if (v->block == DC_NONE)
    return v->op == SSA_CONST ? FIXED : INVARIANT;
  return ssa_loop_contains(f, c->loop, f->blocks[v->block].loop) ? (standing)c->standing[value]
                                                                 : INVARIANT;
}

static bool is_literal(const ssa_function *f, uint32_t value) {
  return f->values[value].op == SSA_CONST;
}

// A counter whose step is a constant.
static bool advances(const ssa_function *f, uint32_t loop, uint32_t phi) {
  const ssa_value *next = &f->values[ssa_value_carried(f, loop, phi)];
  if (next->op != SSA_EXPR || (next->expr != DC_OP_ADD && next->expr != DC_OP_SUB))
    return false;
  uint32_t a = ssa_operand(f, next, 0), b = ssa_operand(f, next, 1);
  return (a == phi && is_literal(f, b)) ||
         (b == phi && is_literal(f, a) && next->expr == DC_OP_ADD);
}

// In a loop that is gone a counter is a number if it begins with one and nothing else comes in,
// which is taken to be so until it shows that it isn't. Loops inside are gone.
static standing of_phi(const dcp_copies *c, uint32_t phi) {
  const ssa_function *f = c->function;
  uint32_t own = f->blocks[f->values[phi].block].loop;
  if (!ssa_is_counter(f, own, phi))
    return OWN;
  bool number = (c->gone || own != c->loop) && !c->varies[phi] &&
                standing_of(c, ssa_value_before(f, own, phi)) == FIXED;
  return number ? FIXED : own == c->loop && advances(f, own, phi) ? AFFINE : OWN;
}

static standing of_operands(const dcp_copies *c, const ssa_value *v) {
  bool fixed = true, same = true;
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint32_t operand = ssa_operand(c->function, v, k);
    standing s = standing_of(c, operand);
    fixed &= s == FIXED;
    same &= s == INVARIANT || is_literal(c->function, operand);
  }
  return same ? INVARIANT : fixed ? FIXED : OWN;
}

static standing of_sum(standing a, standing b) {
  standing most = a > b ? a : b;
  return most == OWN || most == LINEAR || a == b ? most : AFFINE;
}

static standing of_product(const dcp_copies *c, const ssa_value *v) {
  uint32_t left = ssa_operand(c->function, v, 0), right = ssa_operand(c->function, v, 1);
  standing a = standing_of(c, left), b = standing_of(c, right);
  if (is_literal(c->function, right))
    return a;
  if (is_literal(c->function, left))
    return b;
  bool linear = a != b && (a == INVARIANT || b == INVARIANT) && a != OWN && b != OWN;
  return linear ? LINEAR : of_operands(c, v);
}

// Whether a sum or product may wrap in its bits: what differs by a constant there does not when it
// is widened.
static bool may_wrap(const ssa_value *v) {
  return v->op == SSA_EXPR &&
         (v->expr == DC_OP_ADD || v->expr == DC_OP_SUB || v->expr == DC_OP_MUL ||
          v->expr == DC_OP_SHL) &&
         !v->no_wrap && v->sum == SSA_SUM_OWN;
}

static standing of_expression(const dcp_copies *c, const ssa_value *v) {
  const ssa_function *f = c->function;
  uint32_t left = ssa_operand(f, v, 0);
  standing a = standing_of(c, left), b = INVARIANT;
  uint32_t right = v->n_operands > 1 ? ssa_operand(f, v, 1) : left;
  if (v->n_operands > 1)
    b = standing_of(c, right);
  switch ((dc_expr_op)v->expr) {
  case DC_OP_ADD:
  case DC_OP_SUB:
    return of_sum(a, b);
  case DC_OP_MUL:
    return of_product(c, v);
  case DC_OP_SHL:
    return is_literal(f, right) ? a : of_operands(c, v);
  case DC_OP_SEXT:
  case DC_OP_ZEXT:
    return (a == AFFINE || a == LINEAR) && may_wrap(&f->values[left]) ? OWN : a;
  case DC_OP_TRUNC:
    return a;
  default:
    return of_operands(c, v);
  }
}

static standing of_value(const dcp_copies *c, uint32_t value) {
  const ssa_value *v = &c->function->values[value];
  switch ((ssa_op)v->op) {
  case SSA_PHI:
    return of_phi(c, value);
  case SSA_EXPR:
    return v->n_operands ? of_expression(c, v) : OWN;
  case SSA_PURE:
    return v->n_operands ? of_operands(c, v) : OWN;
  case SSA_SREG:
    return INVARIANT;
  default:
    return OWN;
  }
}

// Calls `visit` for each value of the loop, in order: operands come first, but for phis. Blocks of
// a loop are next to each other.
static void for_each(dcp_copies *c, void (*visit)(dcp_copies *, uint32_t value)) {
  const ssa_function *f = c->function;
  uint32_t begin = f->blocks[f->loops[c->loop].header].order;
  for (uint32_t k = begin; k < f->n_in_order; ++k) {
    const ssa_block *block = &f->blocks[f->in_order[k]];
    if (!ssa_loop_contains(f, c->loop, block->loop))
      break;
    for (uint32_t n = 0; n < block->n_values; ++n)
      visit(c, f->block_values[block->first_value + n]);
  }
}

static void find_standing(dcp_copies *c, uint32_t value) {
  c->standing[value] = (uint8_t)of_value(c, value);
  c->uses[value] = 0;
}

static void forget(dcp_copies *c, uint32_t value) { c->varies[value] = false; }

static void check_number(dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  if (f->values[value].op != SSA_PHI || c->standing[value] != FIXED)
    return;
  uint32_t own = f->blocks[f->values[value].block].loop;
  if (standing_of(c, ssa_value_carried(f, own, value)) == FIXED)
    return;
  c->varies[value] = true;
  c->stable = false;
}

static void find_all(dcp_copies *c) {
  for_each(c, forget);
  do {
    c->stable = true;
    for_each(c, find_standing);
    for_each(c, check_number);
  } while (!c->stable);
}

static bool is_address(const ssa_value *user, uint32_t k) {
  return k == 0 && (user->op == SSA_LOAD || user->op == SSA_STORE || user->op == SSA_ATOMIC);
}

// Whether the branch at the end of a block is there once: the one way out of the loop, and what is
// decided by a number; where there is none it counts for parameters that are read.
static bool is_once(const dcp_copies *c, const ssa_block *block) {
  const ssa_function *f = c->function;
  if (block->condition == DC_NONE)
    return true;
  bool leaves = false;
  for (uint32_t s = 0; s < block->n_successors; ++s)
    leaves |= !ssa_loop_contains(f, c->loop, f->blocks[f->edges[block->first_successor + s]].loop);
  return leaves || standing_of(c, block->condition) == FIXED;
}

static bool decides_once(const dcp_copies *c, uint32_t value) {
  const ssa_block *block = &c->function->blocks[c->function->values[value].block];
  return block->condition == value && is_once(c, block);
}

static void note_uses(dcp_copies *c, uint32_t value) {
  const ssa_value *v = &c->function->values[value];
  if (c->standing[value] != OWN || decides_once(c, value))
    return;
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint32_t operand = ssa_operand(c->function, v, k);
    bool carries = v->op == SSA_PHI && c->standing[operand] != OWN;
    if (is_address(v, k))
      c->uses[operand] |= v->space == SSA_SHARED ? AS_ADDRESS | AS_SHARED_ADDRESS : AS_ADDRESS;
    else if (!carries)
      c->uses[operand] |= AS_NUMBER;
  }
}

// The next copy's counter is what this one makes of it.
static void note_carried(dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  if (f->values[value].op == SSA_PHI && c->standing[value] == AFFINE)
    c->uses[ssa_value_carried(f, c->loop, value)] |= c->uses[value] & AS_NUMBER;
}

static bool is_terminator(const ssa_function *f, const ssa_block *block, uint32_t value) {
  return block->n_values && f->block_values[block->first_value + block->n_values - 1] == value &&
         f->values[value].op == SSA_EFFECT;
}

static bool is_shared(const dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  const ssa_block *block = &f->blocks[f->values[value].block];
  if (is_terminator(f, block, value))
    return is_once(c, block);
  if (decides_once(c, value))
    return true;
  standing s = (standing)c->standing[value];
  unsigned uses = s == LINEAR ? AS_NUMBER | AS_ADDRESS : s == AFFINE ? AS_NUMBER : 0;
  return s != OWN && !(c->uses[value] & uses);
}

static bool is_gone(const dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  const ssa_block *block = &f->blocks[f->values[value].block];
  return c->standing[value] == FIXED ||
         ((is_terminator(f, block, value) || block->condition == value) && is_once(c, block));
}

// The one of a block's successors that is in the loop, if its branch leaves; else the block where
// its sides meet.
static uint32_t next_in_each(const dcp_copies *c, uint32_t block) {
  const ssa_function *f = c->function;
  const ssa_block *data = &f->blocks[block];
  uint32_t inside = DC_NONE, n = 0;
  for (uint32_t s = 0; s < data->n_successors; ++s) {
    uint32_t to = f->edges[data->first_successor + s];
    if (ssa_loop_contains(f, c->loop, f->blocks[to].loop)) {
      inside = to;
      ++n;
    }
  }
  return n == 1 ? inside : data->post_dominator;
}

// Marks the blocks that each iteration comes by; of loops inside, their headers. What is in other
// blocks the copies don't share: none comes before all others.
static void find_each(dcp_copies *c) {
  const ssa_function *f = c->function;
  const ssa_loop *loop = &f->loops[c->loop];
  for (uint32_t k = 0; k < loop->n_blocks; ++k)
    c->each[f->loop_blocks[loop->first_block + k]] = false;
  for (uint32_t at = loop->header;
       at != DC_NONE && !c->each[at] && ssa_loop_contains(f, c->loop, f->blocks[at].loop);) {
    c->each[at] = true;
    uint32_t inner = f->blocks[at].loop;
    at = inner == c->loop ? next_in_each(c, at) : f->blocks[at].post_dominator;
  }
}

static bool is_in_each(const dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  uint32_t block = f->values[value].block, loop = f->blocks[block].loop;
  for (; loop != c->loop; loop = f->loops[loop].parent)
    block = f->loops[loop].header;
  return c->each[block];
}

static bool is_own(const dcp_copies *c, uint32_t value) {
  return c->function->blocks[c->function->values[value].block].loop == c->loop;
}

uint32_t dcp_ptx_instructions(const ssa_function *f, const ssa_value *v) {
  bool divides = v->op == SSA_EXPR && (v->expr == DC_OP_UDIV || v->expr == DC_OP_SDIV ||
                                       v->expr == DC_OP_UREM || v->expr == DC_OP_SREM);
  bool expanded = v->rest || (divides && is_literal(f, ssa_operand(f, v, 1)));
  return expanded ? v->machine : v->machine > 0;
}

static void add_shared(dcp_copies *c, uint32_t value) {
  if (!is_own(c, value) || !is_in_each(c, value) || !is_shared(c, value))
    return;
  c->shared += c->function->values[value].machine;
  c->shared_of_ptx += dcp_ptx_instructions(c->function, &c->function->values[value]);
}

uint32_t dcp_copies_share(dcp_copies *c, uint32_t loop, bool gone) {
  c->loop = loop;
  c->gone = gone;
  c->shared = c->shared_of_ptx = 0;
  find_each(c);
  find_all(c);
  for_each(c, note_uses);
  for_each(c, note_carried);
  for_each(c, add_shared);
  return c->shared < UINT32_MAX ? (uint32_t)c->shared : UINT32_MAX;
}

static bool add_new(uint32_t *list, uint32_t *n, uint32_t value) {
  for (uint32_t k = 0; k < *n; ++k)
    if (list[k] == value)
      return false;
  if (*n == DCP_ARRAYS)
    return false;
  list[(*n)++] = value;
  return true;
}

// What an offset advances by: without constants that are added or that it is multiplied by, and
// before it is widened.
static uint32_t counter_of(const dcp_copies *c, uint32_t value, bool *widened) {
  const ssa_function *f = c->function;
  for (;;) {
    const ssa_value *v = &f->values[value];
    bool wider = v->op == SSA_EXPR && (v->expr == DC_OP_SEXT || v->expr == DC_OP_ZEXT);
    bool scaled = v->op == SSA_EXPR && v->n_operands == 2 &&
                  (v->expr == DC_OP_ADD || v->expr == DC_OP_MUL || v->expr == DC_OP_SHL) &&
                  is_literal(f, ssa_operand(f, v, 1));
    if (!wider && !scaled)
      return value;
    *widened |= wider;
    value = ssa_operand(f, v, 0);
  }
}

static void add_set_up(dcp_copies *c, uint32_t value) {
  const ssa_function *f = c->function;
  const ssa_value *v = &f->values[value];
  if (!(c->uses[value] & AS_ADDRESS) || c->standing[value] != AFFINE || v->op != SSA_EXPR ||
      v->expr != DC_OP_ADD)
    return;
  uint32_t base = ssa_operand(f, v, 0), words = c->uses[value] & AS_SHARED_ADDRESS ? 1 : 2;
  bool widened = false;
  uint32_t counter = counter_of(c, ssa_operand(f, v, 1), &widened);
  if (standing_of(c, base) != INVARIANT)
    return;
  c->setup += add_new(c->arrays, &c->n_arrays, base) ? words : 0;
  if (add_new(c->counters, &c->n_counters, counter))
    c->setup += widened && words > 1 ? 2 * words : words;
}

uint32_t dcp_copies_set_up(dcp_copies *c) {
  c->n_arrays = c->n_counters = c->setup = 0;
  for_each(c, add_set_up);
  return c->setup;
}

// More than these no compiler makes.
static uint32_t times(uint32_t copies, uint32_t trips) {
  uint64_t product = (uint64_t)copies * trips;
  return product < COPIES_MAX ? (uint32_t)product : COPIES_MAX;
}

// What is the same in all passes of a loop inside is there once for all of them.
static void share_once(dcp_copies *c, uint32_t value) {
  bool shared = is_in_each(c, value) && is_shared(c, value), gone = c->gone && is_gone(c, value);
  if (is_own(c, value))
    c->once[value] = !shared ? REPEATED : gone ? 0 : 1;
  else if (shared && c->once[value] > 0)
    c->once[value] *= gone ? 0 : 1.0 / c->trips;
}

static void multiply(dcp_copies *c, uint32_t value) {
  share_once(c, value);
  c->size[value] = is_gone(c, value) ? 0 : times(c->size[value], c->trips);
}

void dcp_copies_unroll(dcp_copies *c, uint32_t trips) {
  c->trips = trips;
  for_each(c, multiply);
}

static void add_once(dcp_copies *c, uint32_t value) {
  if (is_own(c, value) && c->once[value] > 0)
    c->sum += c->once[value] * c->function->values[value].machine;
}

double dcp_copies_once(dcp_copies *c, uint32_t loop) {
  enum { PARTS = 64 }; // so that reports, in decimals, have it exactly
  c->loop = loop;
  c->sum = 0;
  for_each(c, add_once);
  return floor(c->sum * PARTS + 0.5) / PARTS;
}
