// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions as sums of products, so that what two ends of a loop have in common cancels: t*k + k
// - t*k is k. Exact: arithmetic is modulo 2^bits, and a cast is a factor of its own. Loose: casts
// are looked through as if nothing ever wrapped, which recognises strided loops with narrowed
// counters but proves nothing.
#ifndef DIVCOST_PASS_ANALYSIS_POLYNOMIAL_H
#define DIVCOST_PASS_ANALYSIS_POLYNOMIAL_H

#include "analysis/limits.h"

#include "divcost/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_term {
  int64_t coefficient;
  uint32_t n_factors;
  dc_expr factors[DCP_MAX_FACTORS]; // ascending
} dcp_term;

typedef struct dcp_polynomial {
  unsigned bits;
  bool loose;
  unsigned
      steps; // nodes looked at so far: sums that share parts are cut off, not walked twice for each
  uint32_t n_terms; // no two with the same factors, none with coefficient 0
  dcp_term terms[DCP_MAX_TERMS];
} dcp_polynomial;

// The lowest bits of a value, 1 to 64, as a number with a sign.
int64_t dcp_wrap(int64_t value, unsigned bits);

// The normal form of e. An expression that doesn't fit becomes a factor of its own, so this never
// fails. O(nodes under e).
void dcp_polynomial_of(const dc_expr_pool *pool, dc_expr e, bool loose, dcp_polynomial *out);

// out += scale * other. False where the limits are exceeded; out is then of no use.
bool dcp_polynomial_add(dcp_polynomial *out, const dcp_polynomial *other, int64_t scale);

// out = a * b, of out's width. False as above.
bool dcp_polynomial_multiply(const dcp_polynomial *a, const dcp_polynomial *b, dcp_polynomial *out);

// out = e as one factor, or a constant.
void dcp_polynomial_factor(dc_expr e, dcp_polynomial *out);
void dcp_polynomial_constant(int64_t value, dcp_polynomial *out);

// Adds a term's value to *sum, or gives that of a polynomial, signed. False: it can't be evaluated.
bool dcp_term_evaluate(const dc_expr_pool *pool, const dcp_term *term,
                       dc_expr_environment *environment, uint64_t *sum);
bool dcp_polynomial_evaluate(const dc_expr_pool *pool, const dcp_polynomial *polynomial,
                             dc_expr_environment *environment, int64_t *value);

// The expression of width bits that a polynomial stands for; narrower factors, which a loose one
// may have, are widened by `cast` (DC_OP_SEXT, DC_OP_ZEXT).
dc_expr dcp_polynomial_expr(dc_expr_pool *pool, const dcp_polynomial *polynomial, dc_expr_op cast);

#ifdef __cplusplus
}
#endif

#endif
