// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of an exit whose condition compares two ends of which the distance shrinks: how
// far apart they are when the loop begins, in the integers, over the step.
#include "analysis/counted.h"

#include "analysis/polynomial.h"

bool dcp_stay_condition(const dcp_analysis *analysis, dc_expr e, bool stays_if_true,
                        dcp_condition *out) {
  const dc_expr_node *node = &analysis->pool.nodes[e];
  // (x ^ true) is how "not" is written
  if (node->op == DC_OP_XOR && analysis->pool.nodes[node->b].op == DC_OP_CONST) {
    node = &analysis->pool.nodes[node->a];
    stays_if_true = !stays_if_true;
  }
  switch ((dc_expr_op)node->op) {
  case DC_OP_EQ:
  case DC_OP_NE:
    *out = (dcp_condition){(node->op == DC_OP_EQ) == stays_if_true ? DC_OP_EQ : DC_OP_NE, node->a,
                           node->b};
    return true;
  case DC_OP_ULT:
  case DC_OP_ULE:
  case DC_OP_SLT:
  case DC_OP_SLE:
    break;
  default:
    return false;
  }
  *out = (dcp_condition){(dc_expr_op)node->op, node->a, node->b};
  if (!stays_if_true) { // not (a < b) is b <= a
    static const dc_expr_op opposite[] = {[DC_OP_ULT] = DC_OP_ULE,
                                          [DC_OP_ULE] = DC_OP_ULT,
                                          [DC_OP_SLT] = DC_OP_SLE,
                                          [DC_OP_SLE] = DC_OP_SLT};
    *out = (dcp_condition){opposite[node->op], node->b, node->a};
  }
  return true;
}

// Takes the iteration of the loop out of a distance: distance = *distance - iv * *step. False where
// it isn't of this form.
static bool split_off_iteration(dcp_analysis *analysis, uint32_t loop, dcp_polynomial *distance,
                                dcp_polynomial *step) {
  dcp_polynomial rest = *distance;
  rest.n_terms = 0;
  *step = rest;
  for (uint32_t k = 0; k < distance->n_terms; ++k) {
    dcp_term term = distance->terms[k];
    bool moving = false;
    for (uint32_t n = 0; n < term.n_factors; ++n) {
      const dc_expr_node *factor = &analysis->pool.nodes[term.factors[n]];
      if (factor->op == DC_OP_IV && factor->i == loop && !moving) {
        for (uint32_t m = n + 1; m < term.n_factors; ++m)
          term.factors[m - 1] = term.factors[m];
        --term.n_factors;
        --n;
        moving = true;
      } else if (!dcp_is_invariant(analysis, term.factors[n], loop)) {
        return false;
      }
    }
    if (moving)
      term.coefficient = (int64_t)(0 - (uint64_t)term.coefficient);
    dcp_polynomial *to = moving ? step : &rest;
    to->terms[to->n_terms++] = term;
  }
  *distance = rest;
  return step->n_terms > 0;
}

// 1, -1: every launch that ends the loop has a step of that sign; 0: it is a constant 0 or has
// both.
static int sign_of_step(const dcp_polynomial *step) {
  bool negative = false, positive = false;
  for (uint32_t k = 0; k < step->n_terms; ++k)
    *(step->terms[k].coefficient < 0 ? &negative : &positive) = true;
  return positive == negative ? 0 : positive ? 1 : -1;
}

// How many terms a sum has that are neither constant nor the loop's iteration.
static uint32_t terms_at_start(const dcp_analysis *analysis, uint32_t loop,
                               const dcp_polynomial *sum) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    bool moves = false, varies = false;
    for (uint32_t n = 0; n < sum->terms[t].n_factors; ++n) {
      const dc_expr_node *factor = &analysis->pool.nodes[sum->terms[t].factors[n]];
      moves |= factor->op == DC_OP_IV && factor->i == loop;
      varies |= factor->op != DC_OP_CONST;
    }
    count += varies && !moves;
  }
  return count;
}

// The value as a sum in the integers, not modulo 2^bits: arithmetic is taken apart only where its
// flag says that it doesn't wrap. What a sum shares with another may cancel in an order comparison
// only in this form.
static bool integer_sum(dcp_analysis *analysis, uint32_t value, unsigned flag, uint32_t loop,
                        unsigned depth, dcp_polynomial *out);

static bool integer_operation(dcp_analysis *analysis, const ssa_value *v, unsigned flag,
                              uint32_t loop, unsigned depth, dcp_polynomial *out) {
  const uint32_t *operands = analysis->function->operands + v->first_operand;
  dcp_polynomial a = *out, b = *out;
  if (!integer_sum(analysis, operands[0], flag, loop, depth - 1, &a))
    return false;
  if (v->expr == DC_OP_SHL) {
    const ssa_value *by = &analysis->function->values[operands[1]];
    if (by->op != SSA_CONST || by->i < 0 || by->i >= v->bits - 1)
      return false;
    dcp_polynomial_constant((int64_t)(UINT64_C(1) << by->i), &b);
    return dcp_polynomial_multiply(&a, &b, out);
  }
  if (!integer_sum(analysis, operands[1], flag, loop, depth - 1, &b))
    return false;
  if (v->expr == DC_OP_MUL)
    return dcp_polynomial_multiply(&a, &b, out);
  out->n_terms = 0;
  return dcp_polynomial_add(out, &a, 1) &&
         dcp_polynomial_add(out, &b, v->expr == DC_OP_SUB ? -1 : 1);
}

// A sum that was widened: each of its factors is.
static bool integer_cast(dcp_analysis *analysis, const ssa_value *v, uint32_t loop, unsigned depth,
                         dcp_polynomial *out) {
  uint32_t inner = analysis->function->operands[v->first_operand];
  dcp_polynomial narrow = {.bits = analysis->function->values[inner].bits};
  unsigned flag = v->expr == DC_OP_SEXT ? SSA_NO_SIGNED_WRAP : SSA_NO_UNSIGNED_WRAP;
  if (!integer_sum(analysis, inner, flag, loop, depth - 1, &narrow))
    return false;
  out->n_terms = 0;
  for (uint32_t t = 0; t < narrow.n_terms; ++t) {
    dcp_polynomial product, factor, before;
    product = factor = before = (dcp_polynomial){.bits = v->bits};
    dcp_polynomial_constant(narrow.terms[t].coefficient, &product);
    for (uint32_t n = 0; n < narrow.terms[t].n_factors; ++n) {
      before = product;
      dcp_polynomial_factor(
          dc_expr_cast(&analysis->pool, (dc_expr_op)v->expr, v->bits, narrow.terms[t].factors[n]),
          &factor);
      if (!dcp_polynomial_multiply(&before, &factor, &product))
        return false;
    }
    if (!dcp_polynomial_add(out, &product, 1))
      return false;
  }
  return true;
}

// start + iteration * step, where the step never wraps.
static bool integer_recurrence(dcp_analysis *analysis, uint32_t phi, unsigned flag, uint32_t loop,
                               unsigned depth, dcp_polynomial *out) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[phi];
  if (!ssa_is_counter(f, loop, phi) || dcp_is_own_leaf(analysis, phi))
    return false;
  const ssa_value *next = &f->values[ssa_value_carried(f, loop, phi)];
  if (next->op != SSA_EXPR || !(next->no_wrap & flag) ||
      (next->expr != DC_OP_ADD && next->expr != DC_OP_SUB))
    return false;
  uint32_t k = f->operands[next->first_operand] == phi ? 0 : 1;
  if (f->operands[next->first_operand + k] != phi || (k == 1 && next->expr == DC_OP_SUB))
    return false;
  dcp_polynomial step = *out, iteration = *out, product = *out;
  dcp_polynomial_factor(dc_expr_leaf(&analysis->pool, DC_OP_IV, v->bits, DC_UNIFORM, loop),
                        &iteration);
  return integer_sum(analysis, ssa_value_before(f, loop, phi), flag, loop, depth - 1, out) &&
         integer_sum(analysis, f->operands[next->first_operand + 1 - k], flag, loop, depth - 1,
                     &step) &&
         dcp_polynomial_multiply(&iteration, &step, &product) &&
         dcp_polynomial_add(out, &product, next->expr == DC_OP_SUB ? -1 : 1);
}

static bool integer_sum(dcp_analysis *analysis, uint32_t value, unsigned flag, uint32_t loop,
                        unsigned depth, dcp_polynomial *out) {
  const ssa_value *v = &analysis->function->values[value];
  bool arithmetic = v->op == SSA_EXPR && (v->no_wrap & flag) &&
                    (v->expr == DC_OP_ADD || v->expr == DC_OP_SUB || v->expr == DC_OP_MUL ||
                     v->expr == DC_OP_SHL);
  bool cast =
      v->op == SSA_EXPR && (v->expr == DC_OP_SEXT || v->expr == DC_OP_ZEXT) &&
      analysis->function->values[analysis->function->operands[v->first_operand]].bits < v->bits;
  out->n_terms = 0;
  if (v->op == SSA_CONST && (flag == SSA_NO_SIGNED_WRAP || v->i >= 0)) {
    dcp_polynomial_constant(v->i, out);
    return true;
  }
  if (depth > 0 &&
      ((arithmetic && integer_operation(analysis, v, flag, loop, depth, out)) ||
       (cast && integer_cast(analysis, v, loop, depth, out)) ||
       (v->op == SSA_PHI && integer_recurrence(analysis, value, flag, loop, depth, out))))
    return true;
  if (analysis->exprs[value] == DC_NO_EXPR)
    return false;
  dcp_polynomial_factor(analysis->exprs[value], out);
  return true;
}

static bool is_unsigned(const dcp_condition *stay) {
  return stay->op == DC_OP_ULT || stay->op == DC_OP_ULE;
}

static unsigned no_wrap_flag(const dcp_condition *stay) {
  return is_unsigned(stay) ? SSA_NO_UNSIGNED_WRAP : SSA_NO_SIGNED_WRAP;
}

// The values that the ends of a condition are of. False where it is a part of the exit's condition.
static bool find_ends(const dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                      uint32_t *upper, uint32_t *lower) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[f->blocks[exit->block].condition];
  if (v->op == SSA_EXPR && v->expr == DC_OP_XOR)
    v = &f->values[f->operands[v->first_operand]];
  if (v->op != SSA_EXPR || v->n_operands != 2)
    return false;
  *upper = f->operands[v->first_operand + 1];
  *lower = f->operands[v->first_operand];
  if (analysis->exprs[*upper] != stay->upper) {
    uint32_t other = *upper;
    *upper = *lower;
    *lower = other;
  }
  return analysis->exprs[*upper] == stay->upper && analysis->exprs[*lower] == stay->lower;
}

// Whether the distance between the ends is the same in the integers: what cancels in it then does
// so for every value of what cancels.
static bool is_exact_distance(dcp_analysis *analysis, const dcp_exit *exit,
                              const dcp_condition *stay, const dcp_polynomial *distance) {
  uint32_t upper, lower;
  if (!find_ends(analysis, exit, stay, &upper, &lower))
    return false;
  unsigned flag = no_wrap_flag(stay);
  dcp_polynomial a = {.bits = analysis->function->values[upper].bits}, b = a, step;
  if (!integer_sum(analysis, upper, flag, exit->loop, 12, &a) ||
      !integer_sum(analysis, lower, flag, exit->loop, 12, &b) || !dcp_polynomial_add(&a, &b, -1) ||
      !split_off_iteration(analysis, exit->loop, &a, &step))
    return false;
  b = a; // the ends of a comparison for equality may stand the other way round
  return (dcp_polynomial_add(&a, distance, -1) && a.n_terms == 0) ||
         (stay->op == DC_OP_NE && dcp_polynomial_add(&b, distance, 1) && b.n_terms == 0);
}

// Takes the size of the elements out of the distance between pointers and of their step.
static void divide_out(dcp_polynomial *distance, dcp_polynomial *step) {
  dcp_polynomial *both[] = {distance, step};
  uint64_t divisor = 0;
  for (unsigned k = 0; k < 2; ++k)
    for (uint32_t t = 0; t < both[k]->n_terms; ++t) {
      int64_t coefficient = both[k]->terms[t].coefficient;
      uint64_t a = coefficient < 0 ? 0 - (uint64_t)coefficient : (uint64_t)coefficient;
      while (a != 0) {
        uint64_t rest = divisor % a;
        divisor = a;
        a = rest;
      }
    }
  for (unsigned k = 0; k < 2 && divisor > 1 && divisor <= INT32_MAX; ++k)
    for (uint32_t t = 0; t < both[k]->n_terms; ++t)
      both[k]->terms[t].coefficient /= (int64_t)divisor;
}

// Where a counter of the loop starts; another value itself.
static uint32_t start_of(const ssa_function *f, uint32_t loop, uint32_t value) {
  return ssa_is_counter(f, loop, value) ? ssa_value_before(f, loop, value) : value;
}

static bool runs_down(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay) {
  return !dcp_is_invariant(analysis, stay->upper, exit->loop);
}

// Whether all arithmetic that a value is a sum of says that it doesn't wrap.
static bool never_wraps(const ssa_function *f, uint32_t value, unsigned flag, unsigned depth) {
  const ssa_value *v = &f->values[value];
  if (v->op != SSA_EXPR || (v->expr != DC_OP_ADD && v->expr != DC_OP_SUB && v->expr != DC_OP_MUL &&
                            v->expr != DC_OP_SHL))
    return v->op != SSA_PHI;
  if (depth == 0 || !(v->no_wrap & flag))
    return false;
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!never_wraps(f, f->operands[v->first_operand + k], flag, depth - 1))
      return false;
  return true;
}

// Whether a loop's start may wrap for some lanes and not for others: it is made of what differs
// between them and of values that are not the launch's, or of what is subtracted.
static bool start_may_wrap(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                           bool loose) {
  const dc_expr_pool *pool = &analysis->pool;
  bool differs = false, unknown = false, down = runs_down(analysis, exit, stay);
  uint32_t upper, lower;
  if (find_ends(analysis, exit, stay, &upper, &lower) &&
      never_wraps(analysis->function,
                  start_of(analysis->function, exit->loop, down ? upper : lower),
                  no_wrap_flag(stay), 12))
    return false;
  dcp_polynomial start;
  dcp_polynomial_of(pool, down ? stay->upper : stay->lower, loose, &start);
  for (uint32_t t = 0; t < start.n_terms; ++t) {
    const dcp_term *term = &start.terms[t];
    unknown |= term->coefficient < 0;
    for (uint32_t n = 0; n < term->n_factors; ++n) {
      dc_expr factor = term->factors[n];
      differs |= dc_expr_mentions(pool, factor, DC_OP_TID, -1) ||
                 dc_expr_mentions(pool, factor, DC_OP_LANE, -1);
      unknown |= dc_expr_mentions(pool, factor, DC_OP_PARAM, -1) ||
                 dc_expr_mentions(pool, factor, DC_OP_LOAD, -1) ||
                 dc_expr_mentions(pool, factor, DC_OP_OPAQUE, -1);
    }
  }
  return differs && unknown;
}

static bool is_one(const dcp_polynomial *p) {
  return p->n_terms == 1 && p->terms[0].n_factors == 0 && p->terms[0].coefficient == 1;
}

static dcp_polynomial widened(dcp_polynomial narrow, dc_expr_op cast, dc_expr_pool *pool) {
  for (uint32_t t = 0; t < narrow.n_terms; ++t)
    for (uint32_t n = 0; n < narrow.terms[t].n_factors; ++n)
      narrow.terms[t].factors[n] = dc_expr_cast(pool, cast, 64, narrow.terms[t].factors[n]);
  narrow.bits = 64;
  return narrow;
}

// An end of the loop as it begins, in 64 bits: as a sum where it is one of integers.
static bool wide_end(dcp_analysis *analysis, const dcp_exit *exit, uint32_t value, dc_expr end,
                     const dcp_condition *stay, dcp_polynomial *out) {
  dc_expr_pool *pool = &analysis->pool;
  dc_expr_op cast = is_unsigned(stay) ? DC_OP_ZEXT : DC_OP_SEXT;
  dcp_polynomial step, sum = {.bits = pool->nodes[end].bits};
  if (value != DC_NONE) {
    value = start_of(analysis->function, exit->loop, value);
    if (integer_sum(analysis, value, no_wrap_flag(stay), exit->loop, 12, &sum) &&
        dcp_is_invariant(analysis, analysis->exprs[value], exit->loop)) {
      *out = widened(sum, cast, pool);
      return true;
    }
  }
  dcp_polynomial_of(pool, end, false, &sum);
  split_off_iteration(analysis, exit->loop, &sum, &step);
  *out = (dcp_polynomial){.bits = 64};
  dc_expr whole = dc_expr_cast(pool, cast, 64, dcp_polynomial_expr(pool, &sum, cast));
  if (whole == DC_NO_EXPR)
    return false;
  if (pool->nodes[whole].op == DC_OP_CONST)
    dcp_polynomial_constant(pool->nodes[whole].i, out);
  else
    dcp_polynomial_factor(whole, out);
  return true;
}

// The distance between the ends of a loop when it begins, in 64 bits: a difference of narrower
// numbers doesn't fit their type. Each end is widened, or each term where something has cancelled.
static bool wide_distance(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                          bool cancelled, bool exact, dcp_polynomial *distance) {
  uint32_t upper = DC_NONE, lower = DC_NONE;
  dcp_polynomial wide, less;
  if (distance->bits == 64)
    return true;
  if (!find_ends(analysis, exit, stay, &upper, &lower))
    upper = lower = DC_NONE;
  bool found = wide_end(analysis, exit, upper, stay->upper, stay, &wide) &&
               wide_end(analysis, exit, lower, stay->lower, stay, &less) &&
               dcp_polynomial_add(&wide, &less, -1);
  if (!cancelled || (exact && found && wide.n_terms <= distance->n_terms)) {
    *distance = wide;
    return found;
  }
  dc_expr_op cast = is_unsigned(stay) && distance->n_terms == 1 ? DC_OP_ZEXT : DC_OP_SEXT;
  if (distance->n_terms < 2 || !is_unsigned(stay)) {
    *distance = widened(*distance, cast, &analysis->pool);
    return true;
  }
  // What is left may be a sum with a sign of its own, of which nothing says that its terms fit.
  dc_expr whole = dc_expr_cast(&analysis->pool, DC_OP_SEXT, 64,
                               dcp_polynomial_expr(&analysis->pool, distance, DC_OP_SEXT));
  *distance = (dcp_polynomial){.bits = 64};
  dcp_polynomial_factor(whole, distance);
  return whole != DC_NO_EXPR;
}

// A value of 64 bits that has none of the upper half of its numbers, as far as one can see.
static bool is_small(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    return node->i >= 0;
  case DC_OP_IV:
  case DC_OP_ZEXT:
    return true;
  case DC_OP_ADD:
  case DC_OP_MUL:
  case DC_OP_UMIN:
    return depth > 0 && is_small(pool, node->a, depth - 1) && is_small(pool, node->b, depth - 1);
  case DC_OP_AND:
    return depth > 0 && is_small(pool, node->b, depth - 1);
  default:
    return false;
  }
}

static dc_expr without_iteration(dcp_analysis *analysis, const dcp_exit *exit, dc_expr end) {
  dcp_polynomial sum, step;
  dcp_polynomial_of(&analysis->pool, end, false, &sum);
  split_off_iteration(analysis, exit->loop, &sum, &step);
  return dcp_polynomial_expr(&analysis->pool, &sum, DC_OP_ZEXT);
}

// The distance of ends of 64 bits that are compared without a sign, of which nothing is wider.
// Where the lower one may be a negative number that lost its sign there is none, if it is the
// larger one. `whole`: in steps of 1, so that all 64 bits of the distance count.
static dc_expr unsigned_distance(dcp_analysis *analysis, const dcp_exit *exit,
                                 const dcp_condition *stay, bool whole, dc_expr difference) {
  dc_expr upper = without_iteration(analysis, exit, stay->upper);
  dc_expr lower = without_iteration(analysis, exit, stay->lower);
  if (upper == DC_NO_EXPR || lower == DC_NO_EXPR || (is_small(&analysis->pool, lower, 8) && !whole))
    return difference;
  if (stay->op == DC_OP_ULE)
    upper =
        dc_expr_binary(&analysis->pool, DC_OP_ADD, upper, dc_expr_constant(&analysis->pool, 64, 1));
  dc_expr larger = dc_expr_binary(&analysis->pool, DC_OP_UMAX, upper, lower);
  return dc_expr_binary(&analysis->pool, DC_OP_SUB, larger, lower);
}

// An unsigned counter that runs down to 0 in steps of more than 1 may miss it and go on from the
// other end of its type.
static bool counter_may_wrap(dcp_analysis *analysis, const dcp_exit *exit,
                             const dcp_condition *stay, const dcp_polynomial *step) {
  const dc_expr_node *end = &analysis->pool.nodes[stay->lower];
  if (!is_unsigned(stay) || !runs_down(analysis, exit, stay) || is_one(step))
    return false;
  bool known =
      end->op == DC_OP_CONST && end->i >= 0 && step->n_terms == 1 && step->terms[0].n_factors == 0;
  return !known || end->i + (stay->op == DC_OP_ULT) < step->terms[0].coefficient;
}

void dcp_count_exit(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay, bool loose) {
  dc_expr_pool *pool = &analysis->pool;
  dcp_polynomial distance, lower, step;
  if (stay->op == DC_OP_EQ)
    return; // stays in the loop for one value only
  dcp_polynomial_of(pool, stay->upper, loose, &distance);
  dcp_polynomial_of(pool, stay->lower, loose, &lower);
  uint32_t n_terms = terms_at_start(analysis, exit->loop, &distance) +
                     terms_at_start(analysis, exit->loop, &lower);
  if (!dcp_polynomial_add(&distance, &lower, -1))
    return;
  bool cancelled = terms_at_start(analysis, exit->loop, &distance) < n_terms;
  if (!split_off_iteration(analysis, exit->loop, &distance, &step))
    return;
  int sign = sign_of_step(&step);
  bool includes = stay->op == DC_OP_ULE || stay->op == DC_OP_SLE, differs = stay->op == DC_OP_NE;
  if (differs && sign < 0) {
    dcp_polynomial negated = distance, negated_step = step;
    negated.n_terms = negated_step.n_terms = 0;
    dcp_polynomial_add(&negated, &distance, -1);
    dcp_polynomial_add(&negated_step, &step, -1);
    distance = negated;
    step = negated_step;
    sign = 1;
  }
  if (sign <= 0)
    return;
  bool exact = !loose && is_exact_distance(analysis, exit, stay, &distance);
  if (!differs && !wide_distance(analysis, exit, stay, cancelled, exact, &distance))
    return;
  bool widest = is_unsigned(stay) && pool->nodes[stay->upper].bits == 64 && !loose && !cancelled;
  if (exact && !widest && distance.n_terms > 0)
    divide_out(&distance, &step);
  if (differs && !is_one(&step))
    return; // steps past the number, unless it is a multiple away
  dc_expr_op cast = is_unsigned(stay) ? DC_OP_ZEXT : DC_OP_SEXT;
  dc_expr length = dcp_polynomial_expr(pool, &distance, cast);
  if (includes)
    length = dc_expr_binary(pool, DC_OP_ADD, length, dc_expr_constant(pool, 64, 1));
  bool whole = differs || (widest && is_one(&step));
  if (widest)
    length = unsigned_distance(analysis, exit, stay, whole, length);
  length = dc_expr_cast(pool, DC_OP_ZEXT, 64, length);
  if (whole) // a number that is to be met is met, if after all the others
    exit->trips = length;
  else
    exit->trips =
        dc_expr_binary(pool, DC_OP_STEPS, length,
                       dc_expr_cast(pool, DC_OP_SEXT, 64, dcp_polynomial_expr(pool, &step, cast)));
  exit->exact = exit->trips != DC_NO_EXPR;
  exit->loose |= loose;
  exit->counter_may_wrap |= !exact && counter_may_wrap(analysis, exit, stay, &step);
  exit->start_may_wrap |= !exact && start_may_wrap(analysis, exit, stay, loose);
  exit->rests_on_bound |= loose || (cancelled && !differs && !exact);
}
