// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ends.h"

#include <stdlib.h>

#define DEPTH_MAX 12 // of sums in sums that are taken apart

typedef struct ends {
  dcp_analysis *analysis;
  uint32_t loop;
  bool assume;
  bool signed_sums, sums_may_wrap, counter_may_wrap, unsigned_counter;
  bool unsigned_parts; // of the sum that is taken apart, where they are seen to have no sign
} ends;

static bool integers(ends *s, uint32_t value, dc_expr_op cast, unsigned depth, dcp_polynomial *out);

static const ssa_value *value_at(const ends *s, uint32_t value) {
  return &s->analysis->function->values[value];
}

static unsigned flag_of(dc_expr_op cast) {
  return cast == DC_OP_ZEXT ? SSA_NO_UNSIGNED_WRAP : SSA_NO_SIGNED_WRAP;
}

static dc_expr_op other_cast(dc_expr_op cast) {
  return cast == DC_OP_ZEXT ? DC_OP_SEXT : DC_OP_ZEXT;
}

static dcp_polynomial nothing(void) { return (dcp_polynomial){.bits = 64}; }

// An index in the block or a dimension of it: 1024 at most.
static bool is_thread_count(const dc_expr_node *node) {
  return node->op == DC_OP_TID || node->op == DC_OP_NTID || node->op == DC_OP_LANE;
}

// A value of which both readings are the same.
static bool has_no_sign(const dc_expr_node *node) {
  return is_thread_count(node) || node->op == DC_OP_CTAID || node->op == DC_OP_NCTAID ||
         node->op == DC_OP_IV;
}

// What is computed without a sign, and may be too large for one.
static bool is_unsigned(const dc_expr_node *node) {
  return node->op == DC_OP_UMIN || node->op == DC_OP_UMAX || node->op == DC_OP_UDIV ||
         node->op == DC_OP_UREM || node->op == DC_OP_LSHR;
}

static bool is_never_negative(const dc_expr_node *node) {
  return has_no_sign(node) || is_unsigned(node);
}

// One factor, widened; constants are numbers.
static bool factor(ends *s, dc_expr e, dc_expr_op cast, dcp_polynomial *out) {
  dc_expr_pool *pool = &s->analysis->pool;
  if (e == DC_NO_EXPR)
    return false;
  if (has_no_sign(&pool->nodes[e]) || (s->unsigned_parts && is_unsigned(&pool->nodes[e])))
    cast = DC_OP_ZEXT;
  dc_expr wide = dc_expr_cast(pool, cast, 64, e);
  if (wide == DC_NO_EXPR)
    return false;
  const dc_expr_node *node = &pool->nodes[wide];
  if (node->op == DC_OP_CONST)
    dcp_polynomial_constant(node->i, out);
  else
    dcp_polynomial_factor(wide, out);
  return true;
}

// -1 - x, which is what LLVM also makes of (n - x) - 1: n + ~x.
static bool is_complement(const ends *s, const ssa_value *v) {
  const ssa_value *from = v->op == SSA_EXPR && v->expr == DC_OP_SUB
                              ? value_at(s, s->analysis->function->operands[v->first_operand])
                              : NULL;
  return from != NULL && from->op == SSA_CONST && dcp_wrap(from->i, from->bits) == -1;
}

// An operand of a sum or product. x - 1 is x + -1, whatever the sign of x; ~x in a sum that may
// wrap is a large number or one below 0, nothing tells which.
static bool operand(ends *s, uint32_t value, dc_expr_op cast, bool fits, unsigned depth,
                    dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  if (v->op == SSA_CONST && fits && cast == DC_OP_ZEXT && v->bits == 64 && v->i < 0)
    return false; // from 2^63 on it has no place in a polynomial
  if (!fits && is_complement(s, v))
    return false;
  if (v->op != SSA_CONST || fits)
    return integers(s, value, cast, depth - 1, out);
  dcp_polynomial_constant(dcp_wrap(v->i, v->bits), out);
  return true;
}

static bool operands_of(ends *s, const ssa_value *v, dc_expr_op cast, bool fits, unsigned depth,
                        dcp_polynomial *a, dcp_polynomial *b) {
  const uint32_t *operands = s->analysis->function->operands + v->first_operand;
  const ssa_value *right = value_at(s, operands[1]);
  if (v->expr == DC_OP_SHL) {
    if (right->op != SSA_CONST || right->i < 0 || right->i >= v->bits - 1)
      return false;
    dcp_polynomial_constant((int64_t)(UINT64_C(1) << right->i), b);
  } else if (!operand(s, operands[1], cast, fits, depth, b)) {
    return false;
  }
  if (v->expr == DC_OP_SUB) // 0xffffffff - x is one of a large number
    return integers(s, operands[0], cast, depth - 1, a);
  return operand(s, operands[0], cast, fits, depth, a);
}

// max(n, k) - k, which is never the program's: LLVM takes n - min(n, k) out of (x + n) - min(n, k).
static bool is_saturated(const ends *s, uint32_t value) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *v = value_at(s, value);
  if (v->op != SSA_EXPR || v->expr != DC_OP_SUB)
    return false;
  const uint32_t *operands = f->operands + v->first_operand;
  const ssa_value *most = value_at(s, operands[0]);
  return most->op == SSA_EXPR && most->expr == DC_OP_UMAX && ssa_operand(f, most, 1) == operands[1];
}

// Whether what a saturated difference is added to may have had a sign in the program, where it was
// added first.
static bool loses_sign(const ends *s, const ssa_value *v) {
  const uint32_t *operands = s->analysis->function->operands + v->first_operand;
  for (unsigned k = 0; k < 2 && v->expr == DC_OP_ADD; ++k) {
    dc_expr other = s->analysis->exprs[operands[1 - k]];
    if (is_saturated(s, operands[k]) &&
        (other == DC_NO_EXPR || !is_never_negative(&s->analysis->pool.nodes[other])))
      return true;
  }
  return false;
}

// A sum is made of what its operands are if it doesn't wrap. Where it is known to have a sign, that
// is the one that the program means, whatever `cast` says. One that LLVM may have cut from a wider
// one isn't taken apart: nothing tells the signs of its operands.
static bool operation(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                      dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  bool fits = v->no_wrap & flag_of(cast);
  bool fits_otherwise = !fits && v->sum != SSA_SUM_CUT &&
                        ((v->no_wrap & flag_of(other_cast(cast))) ||
                         (v->sum == SSA_SUM_SIGNED && cast == DC_OP_ZEXT));
  dcp_polynomial a = nothing(), b = nothing();
  if (!fits && (!s->assume || v->sum == SSA_SUM_CUT || loses_sign(s, v)))
    return false;
  s->sums_may_wrap |= !fits;
  s->signed_sums |= fits_otherwise && cast == DC_OP_ZEXT;
  bool around = s->unsigned_parts;
  s->unsigned_parts = !fits && !fits_otherwise && v->sum == SSA_SUM_OWN;
  bool found = operands_of(s, v, fits_otherwise ? other_cast(cast) : cast, fits, depth, &a, &b);
  s->unsigned_parts = around;
  if (!found)
    return false;
  if (v->expr == DC_OP_MUL || v->expr == DC_OP_SHL)
    return dcp_polynomial_multiply(&a, &b, out);
  *out = nothing();
  return dcp_polynomial_add(out, &a, 1) &&
         dcp_polynomial_add(out, &b, v->expr == DC_OP_SUB ? -1 : 1);
}

static bool conversion(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                       dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  uint32_t inner = s->analysis->function->operands[v->first_operand];
  if (v->expr == DC_OP_TRUNC)
    return (v->no_wrap & flag_of(cast)) && integers(s, inner, cast, depth - 1, out);
  bool fits = v->expr != DC_OP_SEXT || cast == DC_OP_SEXT; // a negative number loses its sign
  if (value_at(s, inner)->bits >= v->bits || (!fits && !s->assume))
    return false;
  s->sums_may_wrap |= !fits;
  return integers(s, inner, (dc_expr_op)v->expr, depth - 1, out);
}

// The step of a counter, which is a number, or one value that is added or subtracted; with its
// sign, whatever the counter is read as. False: it is made of both.
static bool widen_step(ends *s, const dcp_polynomial *step, dcp_polynomial *out) {
  dcp_polynomial size = *step;
  bool negative = step->terms[0].coefficient < 0;
  *out = nothing();
  for (uint32_t t = 0; t < step->n_terms; ++t)
    if ((step->terms[t].coefficient < 0) != negative)
      return false;
  if (step->bits == 64 || (step->n_terms == 1 && step->terms[0].n_factors == 0))
    return dcp_polynomial_add(out, step, 1);
  size.n_terms = 0;
  dcp_polynomial widened = nothing();
  return dcp_polynomial_add(&size, step, negative ? -1 : 1) &&
         factor(s, dcp_polynomial_expr(&s->analysis->pool, &size, DC_OP_SEXT), DC_OP_SEXT,
                &widened) &&
         dcp_polynomial_add(out, &widened, negative ? -1 : 1);
}

// Adds iteration * step.
static bool add_iterations(ends *s, uint32_t loop, unsigned bits, const dcp_polynomial *step,
                           dcp_polynomial *out) {
  dc_expr_pool *pool = &s->analysis->pool;
  dcp_polynomial iteration = nothing(), wide, product = nothing();
  dc_expr leaf = dc_expr_leaf(pool, DC_OP_IV, bits, DC_UNIFORM, loop);
  dcp_polynomial_factor(dc_expr_cast(pool, DC_OP_ZEXT, 64, leaf), &iteration);
  return widen_step(s, step, &wide) && dcp_polynomial_multiply(&iteration, &wide, &product) &&
         dcp_polynomial_add(out, &product, 1);
}

// start + iteration * step, of this loop or of one around it.
static bool counter(ends *s, uint32_t phi, dc_expr_op cast, unsigned depth, dcp_polynomial *out) {
  dcp_analysis *analysis = s->analysis;
  const ssa_function *f = analysis->function;
  uint32_t loop = f->blocks[f->values[phi].block].loop;
  dcp_polynomial narrow, step;
  if (loop == DC_NONE || !ssa_is_counter(f, loop, phi) || dcp_is_own_leaf(analysis, phi))
    return false;
  dcp_polynomial_of(&analysis->pool, analysis->exprs[phi], false, &narrow);
  if (!dcp_split_off_iteration(analysis, loop, &narrow, &step) || step.n_terms == 0)
    return false;
  bool own = loop == s->loop;
  const ssa_value *next = value_at(s, ssa_value_carried(f, loop, phi));
  uint8_t no_wrap =
      next->op == SSA_EXPR ? next->no_wrap : dcp_no_wrap_of_iteration(analysis, phi, loop);
  bool fits = no_wrap & flag_of(cast);
  if (!fits && !own && !s->assume)
    return false;
  *(own ? &s->counter_may_wrap : &s->sums_may_wrap) |= !fits;
  s->unsigned_counter |= own && cast == DC_OP_ZEXT;
  return integers(s, ssa_value_before(f, loop, phi), cast, depth - 1, out) &&
         add_iterations(s, loop, own ? 64 : narrow.bits, &step, out);
}

// x - n / 33, which LLVM writes as x + n / -33: what the program divides is subtracted.
static bool negative_quotient(ends *s, uint32_t value, dc_expr_op cast, dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  const uint32_t *operands = s->analysis->function->operands + v->first_operand;
  const ssa_value *by = value_at(s, operands[1]);
  dc_expr_pool *pool = &s->analysis->pool;
  dcp_polynomial positive;
  if (!s->assume || by->op != SSA_CONST || by->i >= 0 || by->i == INT64_MIN ||
      s->analysis->exprs[operands[0]] == DC_NO_EXPR)
    return false;
  dc_expr quotient = dc_expr_binary(pool, DC_OP_SDIV, s->analysis->exprs[operands[0]],
                                    dc_expr_constant(pool, v->bits, -by->i));
  s->sums_may_wrap = true;
  return factor(s, quotient, cast, &positive) && dcp_polynomial_add(out, &positive, -1);
}

// The value of which this one is what its low bits are worth; masks count, too.
static uint32_t narrowed(const ends *s, uint32_t value, unsigned *bits) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *v = value_at(s, value);
  if (v->op != SSA_EXPR || v->expr != DC_OP_AND)
    return ssa_narrowed(f, value, bits);
  const ssa_value *by = value_at(s, ssa_operand(f, v, 1));
  if (by->op != SSA_CONST || (by->i != 0xff && by->i != 0xffff))
    return DC_NONE;
  *bits = by->i == 0xff ? 8 : 16;
  return f->operands[v->first_operand];
}

// Whether 64 bits may be more than a size: what is shifted or divided without a sign, and may have
// one. LLVM shifts so where the high bits are cut off anyway.
static bool has_high_bits(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op <= DC_OP_OPAQUE || depth == 0)
    return depth == 0;
  const dc_expr operands[] = {node->a, node->b, node->c};
  const dc_expr_node *of = &pool->nodes[node->a];
  bool positive = is_never_negative(of) || of->op == DC_OP_ZEXT;
  if (is_unsigned(node) && node->bits > 32 && !positive)
    return true;
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && has_high_bits(pool, operands[k], depth - 1))
      return true;
  return false;
}

// What a counter begins with of which the low bits are looked at alone: what stands above them may
// be anything, unless it is a value of the launch that has no more.
static bool narrow_start(ends *s, uint32_t value, unsigned bits, dc_expr_op cast, unsigned depth,
                         dcp_polynomial *out) {
  dc_expr_pool *pool = &s->analysis->pool;
  dc_expr start = s->analysis->exprs[value];
  if (start == DC_NO_EXPR)
    return false;
  bool fits = bits >= 32 ? dcp_is_of_launch(pool, start, DEPTH_MAX) &&
                               !has_high_bits(pool, start, DEPTH_MAX)
                         : bits == 16 && is_thread_count(&pool->nodes[start]);
  if (!fits)
    return factor(s, dc_expr_cast(pool, DC_OP_TRUNC, bits, start), cast, out);
  bool assume = s->assume;
  s->assume = true;
  fits = integers(s, value, cast, depth - 1, out);
  s->assume = assume;
  return fits;
}

// Likewise its step; what it is multiplied by must be the launch's, and fit.
static bool narrow_step(const ends *s, unsigned bits, dcp_polynomial *step) {
  const dc_expr_pool *pool = &s->analysis->pool;
  if (step->n_terms != 1)
    return false;
  dcp_term *by = &step->terms[0];
  by->coefficient = dcp_wrap(by->coefficient, bits);
  for (uint32_t n = 0; n < by->n_factors; ++n)
    if (bits >= 32 ? !dcp_is_of_launch(pool, by->factors[n], DEPTH_MAX)
                   : n > 0 || bits < 16 || llabs(by->coefficient) > 31 ||
                         !is_thread_count(&pool->nodes[by->factors[n]]))
      return false;
  return true;
}

static bool is_narrowed(const ends *s, uint32_t value, uint32_t phi, unsigned bits) {
  unsigned has;
  return narrowed(s, value, &has) == phi && has == bits;
}

// Whether each iteration begins with the low bits alone: then the counter has no others.
static bool goes_on_narrowed(const ends *s, uint32_t phi, unsigned bits) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *next = value_at(s, ssa_value_carried(f, s->loop, phi));
  if (next->op != SSA_EXPR || (next->expr != DC_OP_ADD && next->expr != DC_OP_SUB))
    return false;
  const uint32_t *operands = f->operands + next->first_operand;
  return is_narrowed(s, operands[0], phi, bits) ||
         (next->expr == DC_OP_ADD && is_narrowed(s, operands[1], phi, bits));
}

static bool may_be_negative(const ends *s, uint32_t value) {
  const ssa_value *v = value_at(s, value);
  dc_expr e = s->analysis->exprs[value];
  if (v->op == SSA_CONST)
    return v->i < 0;
  return e == DC_NO_EXPR || !is_thread_count(&s->analysis->pool.nodes[e]);
}

// The loop's counter where LLVM computes it in more bits than it has: one of 16 bits in 32, an int
// that 64 bits are added to in 64. Right as long as it doesn't wrap.
static bool narrow_counter(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                           dcp_polynomial *out) {
  dcp_analysis *analysis = s->analysis;
  const ssa_function *f = analysis->function;
  const ssa_value *v = value_at(s, value);
  bool cut = v->expr == DC_OP_TRUNC;
  unsigned bits = v->bits;
  uint32_t phi = cut ? f->operands[v->first_operand] : narrowed(s, value, &bits);
  dcp_polynomial wide, step;
  if (phi == DC_NONE || !ssa_is_counter(f, s->loop, phi) || dcp_is_own_leaf(analysis, phi) ||
      !goes_on_narrowed(s, phi, bits))
    return false;
  dcp_polynomial_of(&analysis->pool, analysis->exprs[phi], false, &wide);
  if (!dcp_split_off_iteration(analysis, s->loop, &wide, &step) || !narrow_step(s, bits, &step))
    return false;
  uint32_t start = ssa_value_before(f, s->loop, phi);
  if (!cut) {
    dc_expr_op read = v->expr == DC_OP_AND ? DC_OP_ZEXT : DC_OP_SEXT;
    // What begins below 0 is a large number then.
    s->sums_may_wrap |= cast == DC_OP_ZEXT && read == DC_OP_SEXT && may_be_negative(s, start);
    cast = read;
  }
  s->counter_may_wrap = true;
  s->unsigned_counter |= cast == DC_OP_ZEXT;
  return narrow_start(s, start, bits, cast, depth, out) &&
         add_iterations(s, s->loop, 64, &step, out);
}

static bool integers(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                     dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  ends before = *s;
  bool done = false;
  *out = nothing();
  if (depth > 0 && v->op == SSA_PHI)
    done = counter(s, value, cast, depth, out);
  else if (depth > 0 && v->op == SSA_EXPR)
    switch ((dc_expr_op)v->expr) {
    case DC_OP_ADD:
    case DC_OP_SUB:
    case DC_OP_MUL:
    case DC_OP_SHL:
      done = operation(s, value, cast, depth, out);
      break;
    case DC_OP_ZEXT:
    case DC_OP_SEXT:
      done = conversion(s, value, cast, depth, out);
      break;
    case DC_OP_TRUNC:
      done = conversion(s, value, cast, depth, out) || narrow_counter(s, value, cast, depth, out);
      break;
    case DC_OP_SDIV:
      done = negative_quotient(s, value, cast, out);
      break;
    case DC_OP_ASHR:
    case DC_OP_AND:
      done = narrow_counter(s, value, cast, depth, out);
      break;
    default:
      break;
    }
  if (done)
    return true;
  *s = before;
  *out = nothing();
  return factor(s, s->analysis->exprs[value], cast, out);
}

// What is compared may be any sum with the counter: as much as the expression tells.
static bool whole(ends *s, dc_expr e, dc_expr_op cast, dcp_polynomial *out) {
  dcp_analysis *analysis = s->analysis;
  dc_expr_pool *pool = &analysis->pool;
  dcp_polynomial narrow, step;
  dcp_polynomial_of(pool, e, false, &narrow);
  if (!dcp_split_off_iteration(analysis, s->loop, &narrow, &step))
    return false;
  s->counter_may_wrap |= step.n_terms > 0;
  *out = nothing();
  return factor(s, dcp_polynomial_expr(pool, &narrow, cast), cast, out) &&
         (step.n_terms == 0 || add_iterations(s, s->loop, 64, &step, out));
}

static bool is_split(dcp_analysis *analysis, uint32_t loop, const dcp_polynomial *sum) {
  dcp_polynomial rest = *sum, step;
  return dcp_split_off_iteration(analysis, loop, &rest, &step);
}

bool dcp_find_end(dcp_analysis *analysis, uint32_t loop, uint32_t value, dc_expr e, dc_expr_op cast,
                  bool assume, dcp_end *out) {
  ends s = {.analysis = analysis, .loop = loop, .assume = assume};
  bool found = value != DC_NONE && integers(&s, value, cast, DEPTH_MAX, &out->sum) &&
               is_split(analysis, loop, &out->sum);
  if (!found) {
    s = (ends){.analysis = analysis, .loop = loop};
    found = whole(&s, e, cast, &out->sum);
  }
  out->signed_sums = s.signed_sums;
  out->sums_may_wrap = s.sums_may_wrap;
  out->counter_may_wrap = s.counter_may_wrap;
  out->unsigned_counter = s.unsigned_counter;
  return found;
}

bool dcp_is_of_launch(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_CONST || (node->op >= DC_OP_TID && node->op <= DC_OP_LANE))
    return true;
  if (depth == 0 || node->op == DC_OP_LOAD || node->a == DC_NO_EXPR)
    return false;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !dcp_is_of_launch(pool, operands[k], depth - 1))
      return false;
  return true;
}

bool dcp_split_off_iteration(dcp_analysis *analysis, uint32_t loop, dcp_polynomial *sum,
                             dcp_polynomial *step) {
  dcp_polynomial rest = *sum;
  rest.n_terms = 0;
  *step = rest;
  for (uint32_t k = 0; k < sum->n_terms; ++k) {
    dcp_term term = sum->terms[k];
    bool moving = false;
    for (uint32_t n = 0; n < term.n_factors; ++n) {
      const dc_expr_node *at = &analysis->pool.nodes[term.factors[n]];
      if (at->op == DC_OP_IV && at->i == loop && !moving) {
        for (uint32_t m = n + 1; m < term.n_factors; ++m)
          term.factors[m - 1] = term.factors[m];
        --term.n_factors;
        --n;
        moving = true;
      } else if (!dcp_is_invariant(analysis, term.factors[n], loop)) {
        return false;
      }
    }
    dcp_polynomial *to = moving ? step : &rest;
    to->terms[to->n_terms++] = term;
  }
  *sum = rest;
  return true;
}
