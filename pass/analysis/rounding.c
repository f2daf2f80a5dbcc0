// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions that are rounded to multiples of what a block covers, and bounds that are padded to
// them, come out the same for all threads of the block: with U a multiple of m that is the same for
// them, and 0 <= d < m for each thread,
//
//     (U + d) / m = U / m            (U + d) % m = d, so (U + d) - (U + d) % m = U
//     U + d < L exactly if U < L, where L is a multiple of m
//     the steps of length m from d to U are U / m, or none
//
// That U is a multiple follows from its terms; the range of d from the known block dimensions,
// thread by thread, or for threadIdx.x and m = blockDim.x from CUDA. Where m is a power of two,
// sums may wrap; else they must not, and the quotient of a signed number needs one that isn't
// negative.
#include "analysis/analysis.h"
#include "analysis/polynomial.h"

static const dc_expr_node *node_at(const dcp_analysis *analysis, dc_expr e) {
  return &analysis->pool.nodes[e];
}

static dc_expr without_casts(const dcp_analysis *analysis, dc_expr e) {
  while (node_at(analysis, e)->op == DC_OP_ZEXT || node_at(analysis, e)->op == DC_OP_SEXT)
    e = node_at(analysis, e)->a;
  return e;
}

// What is rounded to: a value, or where that is DC_NO_EXPR a constant.
typedef struct multiple {
  dc_expr of;
  int64_t constant;
} multiple;

static multiple multiple_of(const dcp_analysis *analysis, dc_expr e) {
  const dc_expr_node *node = node_at(analysis, e);
  return node->op == DC_OP_CONST ? (multiple){DC_NO_EXPR, node->i}
                                 : (multiple){without_casts(analysis, e), 0};
}

static unsigned power_of(const multiple *m) { // 0: m is no power of two
  uint64_t constant = (uint64_t)m->constant;
  unsigned k = 0;
  if (m->of != DC_NO_EXPR || m->constant <= 0 || (constant & (constant - 1)))
    return 0;
  while (constant >> k != 1)
    ++k;
  return k;
}

static uint8_t level_of_term(const dcp_analysis *analysis, const dcp_term *term) {
  uint8_t level = DC_UNIFORM;
  for (uint32_t n = 0; n < term->n_factors; ++n) {
    uint8_t factor = analysis->node_level[term->factors[n]];
    level = factor > level ? factor : level;
  }
  return level;
}

static bool is_remainder(const dcp_analysis *analysis, dc_expr e) {
  return node_at(analysis, e)->op == DC_OP_UREM || node_at(analysis, e)->op == DC_OP_SREM;
}

static bool is_same(const dcp_analysis *analysis, dc_expr e, const multiple *m) {
  multiple other = multiple_of(analysis, e);
  return other.of == m->of && other.constant == m->constant;
}

static bool is_multiple(const dcp_analysis *analysis, dcp_polynomial sum, const multiple *m);

// A narrower sum that is widened.
static bool is_wide_multiple(const dcp_analysis *analysis, dc_expr e, const multiple *m) {
  dcp_polynomial narrow;
  dc_expr inner = without_casts(analysis, e);
  if (inner == e || dc_expr_mentions(&analysis->pool, inner, DC_OP_ZEXT, -1) ||
      dc_expr_mentions(&analysis->pool, inner, DC_OP_SEXT, -1))
    return false;
  dcp_polynomial_of(&analysis->pool, inner, false, &narrow);
  return is_multiple(analysis, narrow, m);
}

static bool term_is_multiple(const dcp_analysis *analysis, const dcp_term *term,
                             const multiple *m) {
  unsigned zeros = 0, power = power_of(m);
  if (m->of == DC_NO_EXPR && term->coefficient % m->constant == 0)
    return true;
  for (uint64_t c = (uint64_t)term->coefficient; c && !(c & 1); c >>= 1)
    ++zeros;
  for (uint32_t n = 0; n < term->n_factors; ++n) {
    if (is_same(analysis, term->factors[n], m) || is_wide_multiple(analysis, term->factors[n], m))
      return true;
    zeros += dcp_zeros_below(analysis, term->factors[n]);
  }
  return power > 0 && zeros >= power;
}

// The same where both were widened: the x stands in the sum as it is.
static bool take_wide_rounded(const dcp_analysis *analysis, dcp_polynomial *sum, uint32_t t,
                              const multiple *m) {
  dcp_polynomial rest = *sum;
  dc_expr wide = sum->terms[t].factors[0], narrow = without_casts(analysis, wide);
  if (narrow == wide || !is_remainder(analysis, narrow) ||
      !is_same(analysis, node_at(analysis, narrow)->b, m))
    return false;
  for (uint32_t k = 0; k < sum->n_terms; ++k) {
    const dcp_term *x = &sum->terms[k];
    if (x->n_factors != 1 || x->coefficient == INT64_MIN ||
        x->coefficient != -sum->terms[t].coefficient ||
        node_at(analysis, x->factors[0])->op != node_at(analysis, wide)->op ||
        node_at(analysis, x->factors[0])->a != node_at(analysis, narrow)->a)
      continue;
    const dcp_polynomial both = {.bits = sum->bits, .n_terms = 2, .terms = {*x, sum->terms[t]}};
    bool taken = dcp_polynomial_add(&rest, &both, -1);
    *sum = taken ? rest : *sum;
    return taken;
  }
  return false;
}

// Takes x - x % m out of a sum, which is a multiple of m. False: there is none.
static bool take_rounded(const dcp_analysis *analysis, dcp_polynomial *sum, const multiple *m) {
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    const dcp_term *term = &sum->terms[t];
    if (term->n_factors == 1 && take_wide_rounded(analysis, sum, t, m))
      return true;
    if (term->n_factors != 1 || !is_remainder(analysis, term->factors[0]) ||
        !is_same(analysis, node_at(analysis, term->factors[0])->b, m))
      continue;
    dcp_polynomial rounded, rest = *sum;
    int64_t times = term->coefficient;
    rest.terms[t] = rest.terms[--rest.n_terms];
    dcp_polynomial_of(&analysis->pool, node_at(analysis, term->factors[0])->a, false, &rounded);
    if (times == INT64_MIN || rounded.bits != sum->bits ||
        !dcp_polynomial_add(&rest, &rounded, times) || rest.n_terms >= sum->n_terms)
      continue;
    *sum = rest;
    return true;
  }
  return false;
}

static bool is_multiple(const dcp_analysis *analysis, dcp_polynomial sum, const multiple *m) {
  while (take_rounded(analysis, &sum, m))
    ;
  for (uint32_t t = 0; t < sum.n_terms; ++t)
    if (!term_is_multiple(analysis, &sum.terms[t], m))
      return false;
  return true;
}

// Made of what a launch has and of iterations, none of which is negative.
static bool is_never_negative(const dcp_analysis *analysis, const dcp_polynomial *sum) {
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    if (sum->terms[t].coefficient < 0)
      return false;
    for (uint32_t n = 0; n < sum->terms[t].n_factors; ++n)
      switch (
          (dc_expr_op)node_at(analysis, without_casts(analysis, sum->terms[t].factors[n]))->op) {
      case DC_OP_TID:
      case DC_OP_NTID:
      case DC_OP_CTAID:
      case DC_OP_NCTAID:
      case DC_OP_IV:
        continue;
      default:
        return false;
      }
  }
  return true;
}

static bool is_below_blockdim(const dcp_analysis *analysis, const dcp_polynomial *sum,
                              const multiple *m) {
  const dcp_term *term = sum->terms;
  if (sum->n_terms != 1 || term->coefficient != 1 || term->n_factors != 1 || m->of == DC_NO_EXPR)
    return false;
  const dc_expr_node *tid = node_at(analysis, without_casts(analysis, term->factors[0])),
                     *ntid = node_at(analysis, m->of);
  return tid->op == DC_OP_TID && ntid->op == DC_OP_NTID && tid->i == ntid->i;
}

// Whether 0 <= d < m in each thread of a block.
static bool is_below(const dcp_analysis *analysis, const dcp_polynomial *d, const multiple *m,
                     const uint32_t block[3]) {
  for (uint32_t thread = 0; thread < block[0] * block[1] * block[2]; ++thread) {
    dc_expr_environment environment = {.budget = dcp_limit->term_operations};
    int64_t value, size = m->constant;
    dcp_set_thread(&environment, block, thread);
    if ((m->of != DC_NO_EXPR && !dc_expr_evaluate(&analysis->pool, m->of, &environment, &size)) ||
        !dcp_polynomial_evaluate(&analysis->pool, d, &environment, &value) || value < 0 ||
        value >= size)
      return false;
  }
  return true;
}

static bool is_offset(const dcp_analysis *analysis, const dcp_polynomial *d, const multiple *m) {
  if (!analysis->dims.known)
    return is_below_blockdim(analysis, d, m);
  for (uint32_t s = 0; s < analysis->dims.n; ++s)
    if (!is_below(analysis, d, m, analysis->dims.block[s]))
      return false;
  return true;
}

typedef struct split {
  dcp_polynomial rounded, offset; // U and d
  uint8_t level, assumes;         // of U and m
} split;

// sum = U + sign * d with a multiple U of m.
static bool split_at(const dcp_analysis *analysis, const dcp_polynomial *sum, int64_t sign,
                     const multiple *m, split *out) {
  out->level = m->of == DC_NO_EXPR ? DC_UNIFORM : analysis->node_level[m->of];
  out->assumes = power_of(m) ? 0 : DCP_ASSUMES_NO_OVERFLOW;
  out->rounded = out->offset = *sum;
  out->rounded.n_terms = out->offset.n_terms = 0;
  if (m->of == DC_NO_EXPR && m->constant <= 0)
    return false;
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    dcp_term term = sum->terms[t];
    uint8_t level = level_of_term(analysis, &term);
    dcp_polynomial *to = level > DC_BLOCK_UNIFORM ? &out->offset : &out->rounded;
    if (to == &out->rounded)
      out->level = level > out->level ? level : out->level;
    else if (sign < 0)
      term.coefficient = (int64_t)(0 - (uint64_t)term.coefficient);
    to->terms[to->n_terms++] = term;
    for (uint32_t n = 0; n < term.n_factors; ++n)
      out->assumes |= analysis->node_assumes[term.factors[n]];
  }
  return out->level <= DC_BLOCK_UNIFORM && is_multiple(analysis, out->rounded, m) &&
         is_offset(analysis, &out->offset, m);
}

static bool split_expr(const dcp_analysis *analysis, dc_expr e, const multiple *m, split *out) {
  dcp_polynomial sum;
  dcp_polynomial_of(&analysis->pool, e, false, &sum);
  return split_at(analysis, &sum, 1, m, out);
}

// ---- the forms ----------------------------------------------------------------------------------

static bool level_quotient(const dcp_analysis *analysis, const dc_expr_node *node, split *out) {
  const dc_expr_node *by = node_at(analysis, node->b);
  multiple m = multiple_of(analysis, node->b);
  uint64_t mask = (uint64_t)by->i;
  switch ((dc_expr_op)node->op) {
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    break;
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (by->op != DC_OP_CONST || by->i < 1 || by->i > 30)
      return false;
    m = (multiple){DC_NO_EXPR, INT64_C(1) << by->i};
    break;
  default: // AND with ...1000
    if (by->op != DC_OP_CONST || by->i >= 0 || (~mask & (~mask + 1)) || mask == UINT64_MAX)
      return false;
    m = (multiple){DC_NO_EXPR, (int64_t)(~mask + 1)};
    break;
  }
  if (!split_expr(analysis, node->a, &m, out))
    return false;
  if (node->op != DC_OP_SDIV)
    return true;
  out->assumes |= DCP_ASSUMES_NO_OVERFLOW;
  return is_never_negative(analysis, &out->rounded);
}

// A sum in which x % m stands: with x = U + d that is d, which may cancel.
static bool level_sum(const dcp_analysis *analysis, dc_expr e, split *out) {
  dcp_polynomial sum;
  bool found = false;
  dcp_polynomial_of(&analysis->pool, e, false, &sum);
  for (uint32_t t = 0; t < sum.n_terms && !found; ++t) {
    dc_expr factor = sum.terms[t].n_factors == 1 ? sum.terms[t].factors[0] : DC_NO_EXPR;
    if (factor == DC_NO_EXPR || !is_remainder(analysis, factor))
      continue;
    const dc_expr_node *node = node_at(analysis, factor);
    multiple m = multiple_of(analysis, node->b);
    int64_t times = sum.terms[t].coefficient;
    found = split_expr(analysis, node->a, &m, out) &&
            (node->op == DC_OP_UREM || is_never_negative(analysis, &out->rounded));
    sum.terms[t] = sum.terms[found ? --sum.n_terms : t];
    if (found && !dcp_polynomial_add(&sum, &out->offset, times))
      return false;
  }
  if (!found)
    return false;
  out->assumes |= DCP_ASSUMES_NO_OVERFLOW;
  for (uint32_t t = 0; t < sum.n_terms; ++t) {
    uint8_t level = level_of_term(analysis, &sum.terms[t]);
    out->level = level > out->level ? level : out->level;
  }
  return out->level <= DC_BLOCK_UNIFORM;
}

// U + d < L, or L <= U + d; both of a power of two, which is the only one looked for.
static bool level_comparison(const dcp_analysis *analysis, const dc_expr_node *node, split *out) {
  bool less = node->op == DC_OP_ULT || node->op == DC_OP_SLT;
  dc_expr limit = less ? node->b : node->a, value = less ? node->a : node->b;
  unsigned zeros = dcp_zeros_below(analysis, limit);
  uint8_t level = analysis->node_level[limit];
  multiple m = {DC_NO_EXPR, INT64_C(1) << (zeros < 10 ? zeros : 10)};
  if (zeros == 0 || level > DC_BLOCK_UNIFORM || !split_expr(analysis, value, &m, out))
    return false;
  out->level = level > out->level ? level : out->level;
  return true;
}

// The steps from d up to a multiple of their length.
static bool level_steps(const dcp_analysis *analysis, const dc_expr_node *node, split *out) {
  dcp_polynomial distance;
  multiple m = multiple_of(analysis, node->b);
  dc_expr minuend = dc_expr_minuend(&analysis->pool, node->a);
  if (minuend == DC_NO_EXPR) {
    dcp_polynomial_of(&analysis->pool, without_casts(analysis, node->a), false, &distance);
    return split_at(analysis, &distance, -1, &m, out);
  }
  dcp_polynomial less;
  dcp_polynomial_of(&analysis->pool, minuend, false, &distance);
  dcp_polynomial_of(&analysis->pool, node_at(analysis, node->a)->b, false, &less);
  return dcp_polynomial_add(&distance, &less, -1) && split_at(analysis, &distance, -1, &m, out);
}

static bool mentions_remainder(const dcp_analysis *analysis, dc_expr e, unsigned depth) {
  const dc_expr_node *node = node_at(analysis, e);
  if (is_remainder(analysis, e))
    return true;
  return depth > 0 && (node->op == DC_OP_ADD || node->op == DC_OP_SUB || node->op == DC_OP_MUL) &&
         (mentions_remainder(analysis, node->a, depth - 1) ||
          mentions_remainder(analysis, node->b, depth - 1));
}

bool dcp_is_rounded(const dcp_analysis *analysis, dc_expr e, uint8_t *level, uint8_t *assumes) {
  const dc_expr_node *node = node_at(analysis, e);
  split out;
  bool rounded = false;
  switch ((dc_expr_op)node->op) {
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_AND:
    rounded = level_quotient(analysis, node, &out);
    break;
  case DC_OP_ADD:
  case DC_OP_SUB:
    rounded = mentions_remainder(analysis, e, 4) && level_sum(analysis, e, &out);
    break;
  case DC_OP_ULT:
  case DC_OP_ULE:
  case DC_OP_SLT:
  case DC_OP_SLE:
    rounded = level_comparison(analysis, node, &out);
    break;
  case DC_OP_STEPS:
  case DC_OP_USTEPS:
    rounded = level_steps(analysis, node, &out);
    break;
  default:
    break;
  }
  if (!rounded)
    return false;
  *level = out.level;
  *assumes = out.assumes;
  return true;
}
