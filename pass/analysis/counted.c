// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of an exit whose condition compares two ends of which the distance shrinks: how
// far apart they are when the loop begins, as numbers, over the step. Numbers that must become
// equal are as far apart as they are modulo 2^bits.
#include "analysis/counted.h"

#include "analysis/ends.h"

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

// 1, -1: every launch that ends the loop has a step of that sign; 0: it is a constant 0 or has
// both.
static int sign_of_step(const dcp_polynomial *step) {
  bool negative = false, positive = false;
  for (uint32_t k = 0; k < step->n_terms; ++k)
    *(step->terms[k].coefficient < 0 ? &negative : &positive) = true;
  return positive == negative ? 0 : positive ? 1 : -1;
}

static uint32_t varying_terms(const dcp_polynomial *sum) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < sum->n_terms; ++t)
    count += sum->terms[t].n_factors > 0;
  return count;
}

static bool is_one(const dcp_polynomial *p) {
  return p->n_terms == 1 && p->terms[0].n_factors == 0 && p->terms[0].coefficient == 1;
}

static void negate(dcp_polynomial *p) {
  dcp_polynomial sum = *p;
  p->n_terms = 0;
  dcp_polynomial_add(p, &sum, -1);
}

static bool is_unsigned(const dcp_condition *stay) {
  return stay->op == DC_OP_ULT || stay->op == DC_OP_ULE;
}

static unsigned no_wrap_flag(const dcp_condition *stay) {
  return is_unsigned(stay) ? SSA_NO_UNSIGNED_WRAP : SSA_NO_SIGNED_WRAP;
}

// The comparison that a condition is made of whose ends have these expressions, or DC_NONE.
static uint32_t find_comparison(const dcp_analysis *analysis, const dcp_condition *stay,
                                uint32_t value, unsigned depth) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  if (v->op != SSA_EXPR || depth == 0)
    return DC_NONE;
  const uint32_t *operands = f->operands + v->first_operand;
  if (v->n_operands == 2 && v->expr >= DC_OP_EQ && v->expr <= DC_OP_SLE) {
    dc_expr a = analysis->exprs[operands[0]], b = analysis->exprs[operands[1]];
    bool same = a == stay->lower && b == stay->upper, turned = a == stay->upper && b == stay->lower;
    return same || turned ? value : DC_NONE;
  }
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint32_t found = find_comparison(analysis, stay, operands[k], depth - 1);
    if (found != DC_NONE)
      return found;
  }
  return DC_NONE;
}

// The values that the ends of a condition are of; DC_NONE where they aren't known.
typedef struct end_values {
  uint32_t upper, lower;
} end_values;

static end_values find_values(const dcp_analysis *analysis, const dcp_exit *exit,
                              const dcp_condition *stay) {
  const ssa_function *f = analysis->function;
  uint32_t found = find_comparison(analysis, stay, f->blocks[exit->block].condition, 6);
  if (found == DC_NONE)
    return (end_values){DC_NONE, DC_NONE};
  const uint32_t *operands = f->operands + f->values[found].first_operand;
  bool turned = analysis->exprs[operands[0]] == stay->upper;
  return (end_values){operands[turned ? 0 : 1], operands[turned ? 1 : 0]};
}

// How far apart the ends are, and how much nearer an iteration brings them.
typedef struct distance {
  dcp_polynomial length, step;
  dcp_polynomial upper, lower; // the ends when the loop begins
  bool signed_sums, sums_may_wrap, counter_may_wrap, unsigned_counter; // as of the ends
} distance;

// Which ends are taken not to wrap.
typedef struct assumption {
  bool upper, lower;
} assumption;

// As numbers. False: it has no such form.
static bool find_distance(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                          end_values of, dc_expr_op cast, assumption assume, distance *out) {
  dcp_end upper, lower;
  dcp_polynomial more, less;
  if (!dcp_find_end(analysis, exit->loop, of.upper, stay->upper, cast, assume.upper, &upper) ||
      !dcp_find_end(analysis, exit->loop, of.lower, stay->lower, cast, assume.lower, &lower) ||
      !dcp_split_off_iteration(analysis, exit->loop, &upper.sum, &more) ||
      !dcp_split_off_iteration(analysis, exit->loop, &lower.sum, &less))
    return false;
  *out = (distance){.length = upper.sum,
                    .step = less,
                    .upper = upper.sum,
                    .lower = lower.sum,
                    .signed_sums = upper.signed_sums || lower.signed_sums,
                    .sums_may_wrap = upper.sums_may_wrap || lower.sums_may_wrap,
                    .counter_may_wrap = upper.counter_may_wrap || lower.counter_may_wrap,
                    .unsigned_counter = upper.unsigned_counter || lower.unsigned_counter};
  return dcp_polynomial_add(&out->length, &lower.sum, -1) &&
         dcp_polynomial_add(&out->step, &more, -1);
}

// Modulo 2^bits of what is compared. `cancelled`: something has.
static bool modular_distance(dcp_analysis *analysis, const dcp_exit *exit,
                             const dcp_condition *stay, distance *out, bool *cancelled) {
  dcp_polynomial upper, lower, ignored;
  dcp_polynomial_of(&analysis->pool, stay->upper, false, &upper);
  dcp_polynomial_of(&analysis->pool, stay->lower, false, &lower);
  dcp_polynomial sum = upper;
  *out = (distance){.counter_may_wrap = false};
  if (!dcp_polynomial_add(&sum, &lower, -1) ||
      !dcp_split_off_iteration(analysis, exit->loop, &sum, &out->step))
    return false;
  *cancelled = !dcp_split_off_iteration(analysis, exit->loop, &upper, &ignored) ||
               !dcp_split_off_iteration(analysis, exit->loop, &lower, &ignored) ||
               varying_terms(&sum) < varying_terms(&upper) + varying_terms(&lower);
  out->length = sum;
  negate(&out->step);
  return true;
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

// How an operator reads its first operand, where the result is no sum of it: with a sign or without
// (DC_OP_SEXT, DC_OP_ZEXT). DC_OP_CONST: it isn't such an operator.
static dc_expr_op reads_as(uint8_t op) {
  switch ((dc_expr_op)op) {
  case DC_OP_ZEXT:
  case DC_OP_LSHR:
  case DC_OP_UDIV:
    return DC_OP_ZEXT;
  case DC_OP_SEXT:
  case DC_OP_ASHR:
  case DC_OP_SDIV:
    return DC_OP_SEXT;
  default:
    return DC_OP_CONST;
  }
}

static bool is_sum(const ssa_value *v) {
  return v->expr == DC_OP_ADD || v->expr == DC_OP_SUB || v->expr == DC_OP_MUL ||
         v->expr == DC_OP_SHL;
}

// Whether all arithmetic that a value is a sum of says that it doesn't wrap, when the loop begins.
static bool never_wraps(const ssa_function *f, uint32_t loop, uint32_t value, unsigned flag,
                        unsigned depth) {
  value = start_of(f, loop, value);
  const ssa_value *v = &f->values[value];
  dc_expr_op inner = v->op == SSA_EXPR ? reads_as(v->expr) : DC_OP_CONST;
  uint32_t n = v->n_operands;
  if (inner == DC_OP_SEXT && flag == SSA_NO_UNSIGNED_WRAP)
    return false; // what is below 0 is a large number
  if (inner != DC_OP_CONST) {
    flag = inner == DC_OP_ZEXT ? SSA_NO_UNSIGNED_WRAP : SSA_NO_SIGNED_WRAP;
    n = 1;
  } else if (v->op == SSA_EXPR && v->expr == DC_OP_TRUNC) {
    return v->no_wrap & flag;
  } else if (v->op != SSA_EXPR || !is_sum(v)) {
    bool masked = v->expr == DC_OP_AND || v->expr == DC_OP_UREM;
    return v->op == SSA_EXPR ? masked : v->op != SSA_PHI;
  } else if (!(v->no_wrap & flag)) {
    return false;
  }
  for (uint32_t k = 0; k < n; ++k)
    if (depth == 0 || !never_wraps(f, loop, ssa_operand(f, v, k), flag, depth - 1))
      return false;
  return true;
}

static bool mentions_thread(const dc_expr_pool *pool, dc_expr e) {
  return dc_expr_mentions(pool, e, DC_OP_TID, -1) || dc_expr_mentions(pool, e, DC_OP_LANE, -1);
}

// Whether its constant and the 1024 threads of a block are enough for a sum to leave its type.
static bool leaves_type(const dc_expr_pool *pool, const dcp_polynomial *sum, bool is_signed) {
  double most = 0, half = (double)(UINT64_C(1) << (sum->bits - 1));
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    const dcp_term *term = &sum->terms[t];
    double size = term->coefficient < 0 ? -(double)term->coefficient : (double)term->coefficient;
    if (term->n_factors == 0)
      most += size;
    else if (term->n_factors == 1 && mentions_thread(pool, term->factors[0]))
      most += 1023 * size;
  }
  return most >= (is_signed ? half : 2 * half);
}

// Whether a sum, or one that is widened, cut or divided in it, may wrap for some lanes and not for
// others: it is made of what differs between them and of values that are not the launch's, or of
// what is subtracted, or of so large numbers that the threads of one block are enough.
static bool sum_may_wrap(const dc_expr_pool *pool, const dcp_polynomial *sum, bool is_signed,
                         unsigned depth) {
  bool differs = false, unknown = leaves_type(pool, sum, is_signed);
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    const dcp_term *term = &sum->terms[t];
    unknown |= term->coefficient < 0;
    for (uint32_t n = 0; n < term->n_factors; ++n) {
      dc_expr factor = term->factors[n];
      const dc_expr_node *node = &pool->nodes[factor];
      dc_expr_op read = reads_as(node->op);
      bool cut = node->op == DC_OP_TRUNC;
      dcp_polynomial inner;
      differs |= mentions_thread(pool, factor);
      unknown |= dc_expr_mentions(pool, factor, DC_OP_PARAM, -1) ||
                 dc_expr_mentions(pool, factor, DC_OP_LOAD, -1) ||
                 dc_expr_mentions(pool, factor, DC_OP_OPAQUE, -1);
      if ((read == DC_OP_CONST && !cut) || depth == 0)
        continue;
      dcp_polynomial_of(pool, node->a, false, &inner);
      inner.bits = cut ? node->bits : inner.bits;
      unknown |= sum_may_wrap(pool, &inner, cut ? is_signed : read == DC_OP_SEXT, depth - 1);
    }
  }
  return differs && unknown;
}

static bool end_may_wrap(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                         uint32_t value, dc_expr e, bool loose) {
  if (value != DC_NONE &&
      never_wraps(analysis->function, exit->loop, value, no_wrap_flag(stay), 12))
    return false;
  dcp_polynomial sum;
  dcp_polynomial_of(&analysis->pool, e, loose, &sum);
  return sum_may_wrap(&analysis->pool, &sum, !is_unsigned(stay), 4);
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

// Whether a sum is made of numbers without a sign alone.
static bool has_no_sign(const dc_expr_pool *pool, const dcp_polynomial *sum) {
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    if (sum->terms[t].coefficient < 0)
      return false;
    for (uint32_t n = 0; n < sum->terms[t].n_factors; ++n)
      if (pool->nodes[sum->terms[t].factors[n]].op == DC_OP_SEXT)
        return false;
  }
  return true;
}

// The number behind one without a sign; the largest has none.
static dc_expr next_number(dc_expr_pool *pool, dc_expr e) {
  dc_expr next = dc_expr_binary(pool, DC_OP_ADD, e, dc_expr_constant(pool, 64, 1));
  return is_small(pool, e, 8) ? next : dc_expr_binary(pool, DC_OP_UMAX, next, e);
}

// The distance of ends of 64 bits that are compared without a sign, of which nothing is wider: the
// larger one less the lower one. DC_NO_EXPR where both have their sign bit to spare.
static dc_expr unsigned_distance(dc_expr_pool *pool, const dcp_condition *stay, const distance *d) {
  dc_expr upper = dcp_polynomial_expr(pool, &d->upper, DC_OP_ZEXT);
  dc_expr lower = dcp_polynomial_expr(pool, &d->lower, DC_OP_ZEXT);
  if (upper == DC_NO_EXPR || lower == DC_NO_EXPR ||
      (is_small(pool, upper, 8) && is_small(pool, lower, 8)))
    return DC_NO_EXPR;
  if (stay->op == DC_OP_ULE)
    upper = next_number(pool, upper);
  return dc_expr_binary(pool, DC_OP_SUB, dc_expr_binary(pool, DC_OP_UMAX, upper, lower), lower);
}

// Whether a distance of ends of 64 bits without a sign may be the largest number: that is from 0 to
// it.
static bool may_be_largest(dc_expr_pool *pool, const distance *d) {
  bool above_0 = d->lower.n_terms == 1 && d->lower.terms[0].n_factors == 0;
  return !above_0 && !is_small(pool, dcp_polynomial_expr(pool, &d->upper, DC_OP_ZEXT), 8);
}

// A number that is to be met in steps of 1 is met, if after all the others.
static void count_to_number(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay) {
  distance d;
  bool cancelled;
  if (!modular_distance(analysis, exit, stay, &d, &cancelled))
    return;
  if (sign_of_step(&d.step) < 0) { // the ends may stand the other way round
    negate(&d.length);
    negate(&d.step);
  }
  if (!is_one(&d.step)) { // pointers: in elements
    end_values of = find_values(analysis, exit, stay);
    if (!find_distance(analysis, exit, stay, of, DC_OP_SEXT, (assumption){false, false}, &d) ||
        d.counter_may_wrap)
      return;
    if (sign_of_step(&d.step) < 0) {
      negate(&d.length);
      negate(&d.step);
    }
    divide_out(&d.length, &d.step);
    if (!is_one(&d.step))
      return; // steps past the number, unless it is a multiple away
  }
  dc_expr_pool *pool = &analysis->pool;
  exit->trips =
      dc_expr_cast(pool, DC_OP_ZEXT, 64, dcp_polynomial_expr(pool, &d.length, DC_OP_ZEXT));
  exit->exact = exit->trips != DC_NO_EXPR;
  exit->modular = pool->nodes[stay->upper].bits == 64;
}

// Counters that run up in steps of the launch are taken not to wrap: a bound within a step of the
// largest number would be needed. One without a sign that runs down in steps of more than 1 may
// miss 0, and go on from the other end of its type.
static bool may_wrap(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                     const distance *d) {
  if (!d->counter_may_wrap || is_one(&d->step))
    return false;
  if (!(is_unsigned(stay) || d->unsigned_counter) || !runs_down(analysis, exit, stay))
    return !dcp_is_of_launch(&analysis->pool,
                             dcp_polynomial_expr(&analysis->pool, &d->step, DC_OP_SEXT), 8);
  const dc_expr_node *end = &analysis->pool.nodes[stay->lower];
  bool known = end->op == DC_OP_CONST && end->i >= 0 && d->step.n_terms == 1 &&
               d->step.terms[0].n_factors == 0;
  bool beyond = stay->op == DC_OP_ULT || stay->op == DC_OP_SLT;
  return !known || end->i + beyond < d->step.terms[0].coefficient;
}

static bool has_cancelled(const distance *d) {
  return varying_terms(&d->length) < varying_terms(&d->upper) + varying_terms(&d->lower);
}

// With the assumption that nothing wraps. Where sums have a sign that the comparison doesn't look
// at, all numbers may have it: if the ends share more then. Where they share nothing, an end that
// is known as it is stays so: what a sum without flags is made of may have a sign in the source.
static bool assume_distance(dcp_analysis *analysis, const dcp_exit *exit, const dcp_condition *stay,
                            end_values of, distance *out) {
  static const assumption both = {true, true}, one[] = {{false, true}, {true, false}};
  distance other;
  dc_expr_op cast = is_unsigned(stay) ? DC_OP_ZEXT : DC_OP_SEXT;
  if (!find_distance(analysis, exit, stay, of, cast, both, out))
    return false;
  if (has_cancelled(out))
    return true;
  if (is_unsigned(stay) && out->signed_sums &&
      find_distance(analysis, exit, stay, of, DC_OP_SEXT, both, &other) && has_cancelled(&other)) {
    *out = other;
    out->sums_may_wrap = true;
    return true;
  }
  for (unsigned k = 0; k < 2; ++k)
    if (find_distance(analysis, exit, stay, of, cast, one[k], &other)) {
      *out = other;
      break;
    }
  return true;
}

// The distance to count with: the exact one, unless there is none, or more cancels if nothing
// wraps.
static bool choose_distance(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay,
                            distance *out, bool *exact) {
  dc_expr_op cast = is_unsigned(stay) ? DC_OP_ZEXT : DC_OP_SEXT;
  end_values of = find_values(analysis, exit, stay);
  distance modular, assumed;
  bool cancelled = false;
  bool simple = modular_distance(analysis, exit, stay, &modular, &cancelled);
  bool found = *exact =
      find_distance(analysis, exit, stay, of, cast, (assumption){false, false}, out);
  bool shares_more =
      simple && cancelled && found &&
      (!has_cancelled(out) || varying_terms(&out->length) > varying_terms(&modular.length));
  if ((!found || shares_more) && assume_distance(analysis, exit, stay, of, &assumed) &&
      (!found || has_cancelled(&assumed))) {
    *out = assumed;
    *exact = false;
  } else if (!found) {
    return false;
  }
  exit->loose |= !found;
  exit->ends_may_wrap |= end_may_wrap(analysis, exit, stay, of.lower, stay->lower, !found) ||
                         end_may_wrap(analysis, exit, stay, of.upper, stay->upper, !found);
  return true;
}

static void count_to_end(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay) {
  dc_expr_pool *pool = &analysis->pool;
  distance d;
  dcp_exit counted = *exit;
  bool exact;
  if (!choose_distance(analysis, &counted, stay, &d, &exact) || sign_of_step(&d.step) <= 0)
    return;
  bool widest = is_unsigned(stay) && pool->nodes[stay->upper].bits == 64;
  bool cancelled = has_cancelled(&d);
  bool adds = widest && cancelled && !d.signed_sums && has_no_sign(pool, &d.length);
  dc_expr length = adds                   ? dcp_polynomial_expr(pool, &d.length, DC_OP_ZEXT)
                   : widest && !cancelled ? unsigned_distance(pool, stay, &d)
                                          : DC_NO_EXPR;
  bool has_sign = length == DC_NO_EXPR;
  if (adds && !has_sign && stay->op == DC_OP_ULE)
    length = next_number(pool, length);
  if (has_sign) {
    if (exact && (!widest || cancelled) && d.length.n_terms > 0)
      divide_out(&d.length, &d.step);
    length = dcp_polynomial_expr(pool, &d.length, DC_OP_SEXT);
    if (stay->op == DC_OP_ULE || stay->op == DC_OP_SLE)
      length = dc_expr_binary(pool, DC_OP_ADD, length, dc_expr_constant(pool, 64, 1));
  }
  if (!has_sign && is_one(&d.step)) {
    counted.trips = length;
    counted.modular = may_be_largest(pool, &d);
  } else {
    counted.trips = dc_expr_binary(pool, has_sign ? DC_OP_STEPS : DC_OP_USTEPS, length,
                                   dcp_polynomial_expr(pool, &d.step, DC_OP_SEXT));
  }
  counted.exact = counted.trips != DC_NO_EXPR;
  counted.rests_on_bound |= d.sums_may_wrap;
  counted.counter_may_wrap |= may_wrap(analysis, exit, stay, &d);
  counted.may_pass_largest |= d.counter_may_wrap && stay->op == DC_OP_ULE;
  *exit = counted;
}

void dcp_count_exit(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay) {
  if (stay->op == DC_OP_NE)
    count_to_number(analysis, exit, stay);
  else if (stay->op != DC_OP_EQ) // which stays in the loop for one value only
    count_to_end(analysis, exit, stay);
}
