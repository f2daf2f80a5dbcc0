// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/polynomial.h"

#include <string.h>

int64_t dcp_wrap(int64_t value, unsigned bits) {
  if (bits >= 64)
    return value;
  uint64_t sign = UINT64_C(1) << (bits - 1), mask = (sign << 1) - 1;
  return (int64_t)((((uint64_t)value & mask) ^ sign) - sign);
}

static int64_t product(int64_t a, int64_t b, unsigned bits) {
  return dcp_wrap((int64_t)((uint64_t)a * (uint64_t)b), bits);
}

static bool add_term(dcp_polynomial *out, const dcp_term *term) {
  for (uint32_t k = 0; k < out->n_terms; ++k) {
    dcp_term *have = &out->terms[k];
    if (have->n_factors != term->n_factors ||
        memcmp(have->factors, term->factors, term->n_factors * sizeof *term->factors) != 0)
      continue;
    have->coefficient =
        dcp_wrap((int64_t)((uint64_t)have->coefficient + (uint64_t)term->coefficient), out->bits);
    if (have->coefficient == 0)
      *have = out->terms[--out->n_terms];
    return true;
  }
  if (term->coefficient == 0)
    return true;
  if (out->n_terms >= dcp_limit->sum_terms)
    return false;
  out->terms[out->n_terms++] = *term;
  return true;
}

bool dcp_polynomial_add(dcp_polynomial *out, const dcp_polynomial *other, int64_t scale) {
  for (uint32_t k = 0; k < other->n_terms; ++k) {
    dcp_term term = other->terms[k];
    term.coefficient = product(term.coefficient, scale, out->bits);
    if (!add_term(out, &term))
      return false;
  }
  return true;
}

static bool multiply_terms(const dcp_term *a, const dcp_term *b, unsigned bits, dcp_term *out) {
  if (a->n_factors + b->n_factors > dcp_limit->sum_factors)
    return false;
  out->coefficient = product(a->coefficient, b->coefficient, bits);
  out->n_factors = 0;
  for (uint32_t i = 0, j = 0; i < a->n_factors || j < b->n_factors;) {
    bool from_a = j == b->n_factors || (i < a->n_factors && a->factors[i] <= b->factors[j]);
    out->factors[out->n_factors++] = from_a ? a->factors[i++] : b->factors[j++];
  }
  return true;
}

bool dcp_polynomial_multiply(const dcp_polynomial *a, const dcp_polynomial *b,
                             dcp_polynomial *out) {
  out->n_terms = 0;
  for (uint32_t i = 0; i < a->n_terms; ++i)
    for (uint32_t j = 0; j < b->n_terms; ++j) {
      dcp_term term;
      if (!multiply_terms(&a->terms[i], &b->terms[j], out->bits, &term) || !add_term(out, &term))
        return false;
    }
  return true;
}

void dcp_polynomial_factor(dc_expr e, dcp_polynomial *out) {
  out->n_terms = 1;
  out->terms[0] = (dcp_term){.coefficient = 1, .n_factors = 1, .factors = {e}};
}

void dcp_polynomial_constant(int64_t value, dcp_polynomial *out) {
  out->n_terms = value != 0;
  out->terms[0] = (dcp_term){.coefficient = value};
}

static void build(const dc_expr_pool *pool, dc_expr e, unsigned depth, dcp_polynomial *out);

static bool build_binary(const dc_expr_pool *pool, const dc_expr_node *node, unsigned depth,
                         dcp_polynomial *out) {
  dcp_polynomial a = {.bits = out->bits, .loose = out->loose, .steps = out->steps}, b = a;
  dc_expr minuend = out->loose ? dc_expr_minuend(pool, (dc_expr)(node - pool->nodes)) : DC_NO_EXPR;
  build(pool, minuend == DC_NO_EXPR ? node->a : minuend, depth + 1, &a);
  out->steps = b.steps = a.steps;
  if (node->op == DC_OP_SHL) {
    const dc_expr_node *by = &pool->nodes[node->b];
    if (by->op != DC_OP_CONST || by->i < 0 || by->i >= node->bits)
      return false;
    dcp_polynomial_constant(dcp_wrap((int64_t)(UINT64_C(1) << by->i), out->bits), &b);
    return dcp_polynomial_multiply(&a, &b, out);
  }
  build(pool, node->b, depth + 1, &b);
  out->steps = b.steps;
  if (node->op == DC_OP_MUL)
    return dcp_polynomial_multiply(&a, &b, out);
  out->n_terms = 0;
  return dcp_polynomial_add(out, &a, 1) &&
         dcp_polynomial_add(out, &b, node->op == DC_OP_SUB ? -1 : 1);
}

// Deep sums are left as factors: a bound on the stack, reached by no code that people write.
static void build(const dc_expr_pool *pool, dc_expr e, unsigned depth, dcp_polynomial *out) {
  const dc_expr_node *node = &pool->nodes[e];
  bool done = false;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    dcp_polynomial_constant(node->i, out);
    return;
  case DC_OP_ADD:
  case DC_OP_SUB:
  case DC_OP_MUL:
  case DC_OP_SHL:
    done = depth < dcp_limit->sum_depth && out->steps++ < dcp_limit->sum_steps &&
           build_binary(pool, node, depth, out);
    break;
  case DC_OP_UMAX: // x + 1, or the largest number
    if (out->loose && depth < dcp_limit->sum_depth && dc_expr_is_next(pool, e)) {
      build(pool, node->a, depth + 1, out);
      return;
    }
    break;
  case DC_OP_ASHR: // cut and widened again, as instcombine writes it
    if (out->loose && depth < dcp_limit->sum_depth && pool->nodes[node->a].op == DC_OP_SHL &&
        pool->nodes[node->a].b == node->b) {
      build(pool, pool->nodes[node->a].a, depth + 1, out);
      return;
    }
    break;
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    if (out->loose && depth < dcp_limit->sum_depth) {
      build(pool, node->a, depth + 1, out);
      return;
    }
    break;
  default:
    break;
  }
  if (!done)
    dcp_polynomial_factor(e, out);
}

void dcp_polynomial_of(const dc_expr_pool *pool, dc_expr e, bool loose, dcp_polynomial *out) {
  out->bits = loose ? 64 : pool->nodes[e].bits;
  out->loose = loose;
  out->steps = 0;
  build(pool, e, 0, out);
}

bool dcp_term_evaluate(const dc_expr_pool *pool, const dcp_term *term,
                       dc_expr_environment *environment, uint64_t *sum) {
  uint64_t product = (uint64_t)term->coefficient;
  for (uint32_t n = 0; n < term->n_factors; ++n) {
    int64_t value;
    if (!dc_expr_evaluate(pool, term->factors[n], environment, &value))
      return false;
    product *= (uint64_t)value;
  }
  *sum += product;
  return true;
}

bool dcp_polynomial_evaluate(const dc_expr_pool *pool, const dcp_polynomial *polynomial,
                             dc_expr_environment *environment, int64_t *value) {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < polynomial->n_terms; ++t)
    if (!dcp_term_evaluate(pool, &polynomial->terms[t], environment, &sum))
      return false;
  *value = dcp_wrap((int64_t)sum, polynomial->bits);
  return true;
}

dc_expr dcp_polynomial_expr(dc_expr_pool *pool, const dcp_polynomial *polynomial, dc_expr_op cast) {
  dc_expr sum = DC_NO_EXPR;
  // Positive terms first, so that differences read as people write them.
  for (int sign = 1; sign >= -1; sign -= 2)
    for (uint32_t k = 0; k < polynomial->n_terms; ++k) {
      const dcp_term *term = &polynomial->terms[k];
      if ((term->coefficient < 0) != (sign < 0))
        continue;
      int64_t size = term->coefficient;
      if (sign < 0 && sum != DC_NO_EXPR)
        size = dcp_wrap((int64_t)(0 - (uint64_t)size), polynomial->bits);
      dc_expr value = term->n_factors && size == 1 ? DC_NO_EXPR
                                                   : dc_expr_constant(pool, polynomial->bits, size);
      for (uint32_t f = 0; f < term->n_factors; ++f) {
        dc_expr factor = term->factors[f];
        if (pool->nodes[factor].bits < polynomial->bits)
          factor = dc_expr_cast(pool, cast, polynomial->bits, factor);
        value = value == DC_NO_EXPR ? factor : dc_expr_binary(pool, DC_OP_MUL, factor, value);
      }
      if (sum == DC_NO_EXPR)
        sum = value;
      else
        sum = dc_expr_binary(pool, sign < 0 ? DC_OP_SUB : DC_OP_ADD, sum, value);
    }
  return sum == DC_NO_EXPR ? dc_expr_constant(pool, polynomial->bits, 0) : sum;
}
