// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that several sums advance, on each way through an iteration by as much, or an inner
// loop: `for (i = start; i < n;) for (j = 0; j < 8; ++j) i += s`. From the value that an iteration
// carries on one goes back over sums and through inner loops to the counter itself. An inner loop
// adds its step as often as it has completed an iteration when it ends, which is known where it has
// one exit, with a trip count that is the same in all iterations of the outer loop; what stands
// between the beginning of its last iteration and the exit is added once more.
//
// Not handled: steps that are the inner loop's own values, increments on some ways only, inner
// loops that test the counter itself, counters whose width changes on the way.
#include "analysis/analysis.h"

enum {
  NESTING = 4,     // of loops below the counter's
  SUMMANDS = 64,   // between a counter and what is carried on, on all ways together
  VALUES = 32,     // that the condition of an inner loop is made of
  CONDITION = 256, // likewise, of the loop whose counter it is
};

typedef struct steps {
  dcp_analysis *analysis;
  uint32_t counter, loop; // whose iterations they are
  dc_expr total;          // what is added, or DC_NO_EXPR: nothing so far
  uint8_t no_wrap;        // the flags that all sums have
  unsigned left;          // summands that may still be looked at
  bool repeated;          // an inner loop adds a number of times that isn't a constant
  bool failed;
} steps;

static uint32_t operand(const steps *s, const ssa_value *v, uint32_t k) {
  return ssa_operand(s->analysis->function, v, k);
}

// total += times * e, or -=; times may be DC_NO_EXPR for once.
static void add(steps *s, dc_expr_op op, dc_expr e, dc_expr times) {
  dc_expr_pool *pool = &s->analysis->pool;
  unsigned bits = s->analysis->function->values[s->counter].bits;
  if (e == DC_NO_EXPR || pool->nodes[e].bits != bits) {
    s->failed = true;
    return;
  }
  if (times != DC_NO_EXPR)
    e = dc_expr_binary(pool, DC_OP_MUL, e, times);
  dc_expr before = s->total == DC_NO_EXPR ? dc_expr_constant(pool, bits, 0) : s->total;
  s->total = dc_expr_binary(pool, op, before, e);
  s->failed |= s->total == DC_NO_EXPR;
}

// Whether the condition of an inner loop is made of that loop's own counters and of what is the
// same in all iterations of the outer one: only then may its expression be built before that of the
// counter it could otherwise depend on.
static bool stands_alone(const steps *s, uint32_t value, uint32_t inner, unsigned *left) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *v = &f->values[value];
  if (v->block == DC_NONE || !ssa_loop_contains(f, s->loop, f->blocks[v->block].loop))
    return true;
  if (*left == 0)
    return false;
  --*left;
  if (ssa_is_counter(f, inner, value)) {
    const ssa_value *next = &f->values[ssa_value_carried(f, inner, value)];
    bool steps_on = next->op == SSA_EXPR && next->n_operands == 2;
    for (uint32_t k = 0; steps_on && k < 2; ++k)
      steps_on = operand(s, next, k) == value || stands_alone(s, operand(s, next, k), inner, left);
    return steps_on && stands_alone(s, ssa_value_before(f, inner, value), inner, left);
  }
  if (v->op != SSA_EXPR && v->op != SSA_SREG)
    return false;
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!stands_alone(s, operand(s, v, k), inner, left))
      return false;
  return true;
}

// How often an inner loop goes back to its beginning, at the counter's width.
static dc_expr times_round(steps *s, uint32_t inner) {
  dcp_analysis *analysis = s->analysis;
  uint32_t block = dcp_only_exit(analysis->function, inner);
  uint32_t condition = block == DC_NONE ? DC_NONE : analysis->function->blocks[block].condition;
  unsigned left = VALUES, bits = analysis->function->values[s->counter].bits;
  if (condition == DC_NONE || !stands_alone(s, condition, inner, &left) ||
      dcp_expr_of(analysis, condition) == DC_NO_EXPR)
    return DC_NO_EXPR;
  dc_expr times = dcp_completed_iterations(analysis, inner, block);
  if (times == DC_NO_EXPR)
    return DC_NO_EXPR;
  s->repeated |= analysis->pool.nodes[times].op != DC_OP_CONST;
  return dc_expr_cast(&analysis->pool, bits < 64 ? DC_OP_TRUNC : DC_OP_ZEXT, bits, times);
}

static uint32_t go_back(steps *s, uint32_t value, uint32_t loop, dc_expr times, unsigned nesting);

// From what an inner loop leaves behind to what it began with; DC_NONE: that can't be told.
static uint32_t before_inner_loop(steps *s, uint32_t left_behind, uint32_t loop, dc_expr times,
                                  unsigned nesting) {
  const ssa_function *f = s->analysis->function;
  uint32_t block = f->values[left_behind].block;
  uint32_t inner = block == DC_NONE ? DC_NONE : f->blocks[block].loop;
  if (inner == DC_NONE || f->loops[inner].parent != loop || nesting == 0)
    return DC_NONE;
  uint32_t counter = go_back(s, left_behind, inner, times, nesting - 1);
  if (counter == DC_NONE)
    return DC_NONE;
  dc_expr round = times_round(s, inner);
  if (round == DC_NO_EXPR)
    return DC_NONE;
  if (times != DC_NO_EXPR)
    round = dc_expr_binary(&s->analysis->pool, DC_OP_MUL, times, round);
  uint32_t carried = ssa_value_carried(f, inner, counter);
  if (go_back(s, carried, inner, round, nesting - 1) != counter)
    return DC_NONE;
  return ssa_value_before(f, inner, counter);
}

// From where ways through an iteration meet to the counter that all begin with, if all add as much.
static uint32_t before_ways(steps *s, uint32_t phi, uint32_t loop, dc_expr times,
                            unsigned nesting) {
  const ssa_value *v = &s->analysis->function->values[phi];
  steps first = *s;
  uint32_t counter = DC_NONE;
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    steps way = *s;
    way.left = first.left;
    uint32_t from = go_back(&way, operand(s, v, k), loop, times, nesting);
    if (from == DC_NONE || way.failed || (k > 0 && (from != counter || way.total != first.total)))
      return DC_NONE;
    way.no_wrap &= k > 0 ? first.no_wrap : way.no_wrap;
    way.repeated |= k > 0 && first.repeated;
    first = way;
    counter = from;
  }
  *s = first;
  return counter;
}

static bool joins_ways(const steps *s, const ssa_value *v, uint32_t loop) {
  const ssa_function *f = s->analysis->function;
  bool joins = v->op == SSA_PHI && v->n_operands > 1 && v->block != DC_NONE &&
               f->blocks[v->block].loop == loop && f->loops[loop].header != v->block;
  for (uint32_t k = 0; joins && k < v->n_operands; ++k)
    joins = f->blocks[f->incoming[v->first_operand + k]].loop == loop;
  return joins;
}

// From a value back over sums to the counter of the loop that they begin with, with `times` each of
// the summands added to the total. DC_NONE: there is none.
static uint32_t go_back(steps *s, uint32_t value, uint32_t loop, dc_expr times, unsigned nesting) {
  const ssa_function *f = s->analysis->function;
  for (; s->left > 0 && value != DC_NONE && !s->failed; --s->left) {
    const ssa_value *v = &f->values[value];
    if (ssa_is_counter(f, loop, value))
      return value;
    if (joins_ways(s, v, loop)) {
      --s->left;
      return before_ways(s, value, loop, times, nesting);
    }
    if (v->op == SSA_PHI && v->n_operands == 1) {
      value = before_inner_loop(s, operand(s, v, 0), loop, times, nesting);
      continue;
    }
    if (v->op != SSA_EXPR || (v->expr != DC_OP_ADD && v->expr != DC_OP_SUB))
      return DC_NONE;
    uint32_t step = operand(s, v, 1), rest = operand(s, v, 0);
    if (v->expr == DC_OP_ADD && !dcp_is_invariant_value(s->analysis, step, s->loop)) {
      step = rest;
      rest = operand(s, v, 1);
    }
    if (!dcp_is_invariant_value(s->analysis, step, s->loop))
      return DC_NONE;
    s->no_wrap &= v->no_wrap;
    add(s, (dc_expr_op)v->expr, dcp_expr_of(s->analysis, step), times);
    value = rest;
  }
  return DC_NONE;
}

static bool find_steps(dcp_analysis *analysis, uint32_t counter, uint32_t loop, steps *s) {
  *s = (steps){.analysis = analysis,
               .counter = counter,
               .loop = loop,
               .total = DC_NO_EXPR,
               .left = SUMMANDS,
               .no_wrap = SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP};
  uint32_t carried = ssa_value_carried(analysis->function, loop, counter);
  return go_back(s, carried, loop, DC_NO_EXPR, NESTING) == counter && !s->failed &&
         s->total != DC_NO_EXPR;
}

dc_expr dcp_steps_of_iteration(dcp_analysis *analysis, uint32_t counter, uint32_t loop) {
  steps s;
  return find_steps(analysis, counter, loop, &s) ? s.total : DC_NO_EXPR;
}

uint8_t dcp_no_wrap_of_iteration(dcp_analysis *analysis, uint32_t counter, uint32_t loop) {
  steps s;
  return find_steps(analysis, counter, loop, &s) ? s.no_wrap : 0;
}

static bool counter_may_wrap(dcp_analysis *analysis, uint32_t counter, uint32_t loop,
                             unsigned flag) {
  const ssa_function *f = analysis->function;
  steps s;
  if (f->values[ssa_value_carried(f, loop, counter)].op != SSA_PHI)
    return false; // no inner loop
  return find_steps(analysis, counter, loop, &s) && s.repeated && !(s.no_wrap & flag);
}

// `flag`: of the numbers that a value is compared as.
static bool may_wrap(dcp_analysis *analysis, uint32_t value, uint32_t loop, unsigned flag,
                     unsigned *left) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  if (*left == 0)
    return true;
  --*left;
  if (ssa_is_counter(f, loop, value))
    return counter_may_wrap(analysis, value, loop, flag);
  if (v->op == SSA_EXPR && (v->expr == DC_OP_ULT || v->expr == DC_OP_ULE))
    flag = SSA_NO_UNSIGNED_WRAP;
  else if (v->op == SSA_EXPR && (v->expr == DC_OP_SLT || v->expr == DC_OP_SLE))
    flag = SSA_NO_SIGNED_WRAP;
  for (uint32_t k = 0; v->op == SSA_EXPR && k < v->n_operands; ++k)
    if (may_wrap(analysis, ssa_operand(f, v, k), loop, flag, left))
      return true;
  return false;
}

bool dcp_inner_steps_may_wrap(dcp_analysis *analysis, uint32_t condition, uint32_t loop) {
  unsigned left = CONDITION;
  return may_wrap(analysis, condition, loop, SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP, &left);
}
