// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the trip counts of a warp's lanes, functions of threadIdx, differ by one at most: tried
// out, thread for thread, on the block dimensions that the kernel is launched with, or on typical
// ones.
#include "analysis/analysis.h"
#include "analysis/polynomial.h"

#include <stdlib.h>
#include <string.h>

// Block dimensions to try a stride on when none is known: rows that are, and are not, multiples of
// a warp.
static const uint32_t typical_dims[][3] = {
    {32, 1, 1},   {33, 1, 1},  {48, 1, 1},  {64, 1, 1}, {100, 1, 1}, {128, 1, 1}, {256, 1, 1},
    {1024, 1, 1}, {8, 8, 1},   {16, 16, 1}, {32, 8, 1}, {8, 32, 1},  {48, 2, 1},  {7, 13, 1},
    {1, 256, 1},  {64, 16, 1}, {8, 8, 8},   {4, 4, 16}, {16, 2, 4},  {3, 5, 7},
};
enum { N_TYPICAL_DIMS = sizeof typical_dims / sizeof *typical_dims };

// A constant step may cover the rows of those and not of these.
static const uint32_t wide_dims[][3] = {{300, 2, 1}, {500, 2, 1}};
enum { N_WIDE_DIMS = sizeof wide_dims / sizeof *wide_dims };

// Where a step has factors that only the launch knows, they are taken as this large; for what the
// ends share with it, any number will do.
enum { LARGE = 1 << 20, ANY = 7 };

// How far the lanes are from the end of a loop, and what a step takes them on.
typedef struct stride {
  dcp_polynomial distance; // the terms that differ between lanes
  dcp_polynomial step;
  bool covers_warps;
  uint8_t assumes; // as of dcp_verdict
} stride;

// The loops of a function mostly go by a few.
enum { KEPT = 8 };

struct dcp_strides {
  uint32_t n; // tried so far
  stride last[KEPT];
};

static bool has_factor(const dcp_polynomial *p, dc_expr factor) {
  for (uint32_t t = 0; t < p->n_terms; ++t)
    for (uint32_t n = 0; n < p->terms[t].n_factors; ++n)
      if (p->terms[t].factors[n] == factor)
        return true;
  return false;
}

static bool factor_value(const dcp_analysis *analysis, stride *s, dc_expr factor,
                         dc_expr_environment *environment, bool of_step, int64_t *value) {
  if (analysis->pool.nodes[factor].op == DC_OP_NCTAID) {
    *value = 1;
    return true;
  }
  environment->budget = dcp_limit->term_operations;
  if (dc_expr_evaluate(&analysis->pool, factor, environment, value))
    return true;
  if (analysis->node_level[factor] == DC_DIVERGENT)
    return false;
  bool shared = has_factor(&s->distance, factor);
  *value = of_step && !shared ? LARGE : ANY;
  if (of_step && !shared)
    s->assumes |= DCP_ASSUMES_STEP;
  return true;
}

static bool sum_of(const dcp_analysis *analysis, stride *s, const dcp_polynomial *p,
                   dc_expr_environment *environment, int64_t *sum) {
  *sum = 0;
  for (const dcp_term *term = p->terms; term < p->terms + p->n_terms; ++term) {
    int64_t product = term->coefficient, factor;
    for (uint32_t n = 0; n < term->n_factors; ++n) {
      if (!factor_value(analysis, s, term->factors[n], environment, p == &s->step, &factor))
        return false;
      product = (int64_t)((uint64_t)product * (uint64_t)factor);
    }
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)product);
  }
  return true;
}

// Blocks that a stride is tried on: what follows from threadIdx and blockIdx may repeat with the
// block.
static const int64_t typical_blocks[] = {0, 1, 5, 64};
enum { N_TYPICAL_BLOCKS = sizeof typical_blocks / sizeof *typical_blocks };

static bool mentions_block(const dcp_polynomial *p, const dc_expr_pool *pool) {
  for (uint32_t t = 0; t < p->n_terms; ++t)
    for (uint32_t n = 0; n < p->terms[t].n_factors; ++n)
      if (dc_expr_mentions(pool, p->terms[t].factors[n], DC_OP_CTAID, -1))
        return true;
  return false;
}

static dc_expr_environment first_thread(const uint32_t block[3], int64_t number) {
  return (dc_expr_environment){.ntid = {block[0], block[1], block[2]},
                               .ctaid = {number, number, number}};
}

static void next_thread(dc_expr_environment *environment) {
  environment->lane = (environment->lane + 1) % 32;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (++environment->tid[axis] < environment->ntid[axis])
      return;
    environment->tid[axis] = 0;
  }
}

// The lanes of each warp of a block start within one step of each other; the step is the warp's.
static bool covers_warps_of(const dcp_analysis *analysis, stride *s, const uint32_t block[3],
                            int64_t number) {
  uint32_t threads = block[0] * block[1] * block[2];
  int64_t low = 0, high = 0, step = 0;
  dc_expr_environment environment = first_thread(block, number);
  for (uint32_t thread = 0; thread < threads; ++thread, next_thread(&environment)) {
    int64_t start;
    if (!sum_of(analysis, s, &s->distance, &environment, &start) ||
        (thread % 32 == 0 && !sum_of(analysis, s, &s->step, &environment, &step)))
      return false;
    if (thread % 32 == 0)
      low = high = start;
    low = start < low ? start : low;
    high = start > high ? start : high;
    if (step < 1 || high - low > step)
      return false;
  }
  return true;
}

static bool covers_warps(const dcp_analysis *analysis, stride *s, const uint32_t (*dims)[3],
                         uint32_t n_launches) {
  bool on_block =
      mentions_block(&s->distance, &analysis->pool) || mentions_block(&s->step, &analysis->pool);
  for (uint32_t k = 0; k < n_launches; ++k)
    for (unsigned number = 0; number < (on_block ? N_TYPICAL_BLOCKS : 1); ++number)
      if (!covers_warps_of(analysis, s, dims[k], typical_blocks[number]))
        return false;
  return true;
}

static void try_out(const dcp_analysis *analysis, stride *s) {
  const dcp_block_dims *known = &analysis->dims;
  s->covers_warps = known->known ? covers_warps(analysis, s, known->block, known->n)
                                 : covers_warps(analysis, s, typical_dims, N_TYPICAL_DIMS);
  if (s->covers_warps && !known->known && !covers_warps(analysis, s, wide_dims, N_WIDE_DIMS))
    s->assumes |= DCP_ASSUMES_ROWS;
}

static bool same_terms(const dcp_polynomial *a, const dcp_polynomial *b) {
  if (a->n_terms != b->n_terms)
    return false;
  for (uint32_t t = 0; t < a->n_terms; ++t) {
    const dcp_term *one = &a->terms[t], *other = &b->terms[t];
    if (one->coefficient != other->coefficient || one->n_factors != other->n_factors ||
        memcmp(one->factors, other->factors, one->n_factors * sizeof *one->factors) != 0)
      return false;
  }
  return true;
}

static const stride *tried_before(const struct dcp_strides *strides, const stride *s) {
  for (uint32_t k = 0; k < strides->n && k < KEPT; ++k)
    if (same_terms(&strides->last[k].distance, &s->distance) &&
        same_terms(&strides->last[k].step, &s->step))
      return &strides->last[k];
  return NULL;
}

static void drop_uniform_terms(const dcp_analysis *analysis, dcp_polynomial *p) {
  uint32_t kept = 0;
  for (uint32_t t = 0; t < p->n_terms; ++t) {
    bool differs = false;
    for (uint32_t n = 0; n < p->terms[t].n_factors; ++n)
      differs |= analysis->node_level[p->terms[t].factors[n]] == DC_DIVERGENT;
    if (differs)
      p->terms[kept++] = p->terms[t];
  }
  p->n_terms = kept;
}

static bool steps_cover_warps(dcp_analysis *analysis, const dc_expr_node *steps, uint8_t *assumes) {
  if (!analysis->strides)
    analysis->strides = calloc(1, sizeof *analysis->strides);
  stride s = {0};
  dcp_polynomial_of(&analysis->pool, steps->a, true, &s.distance);
  dcp_polynomial_of(&analysis->pool, steps->b, true, &s.step);
  drop_uniform_terms(analysis, &s.distance);
  const stride *before = analysis->strides ? tried_before(analysis->strides, &s) : NULL;
  if (before) {
    s.covers_warps = before->covers_warps;
    s.assumes = before->assumes;
  } else {
    try_out(analysis, &s);
    if (analysis->strides)
      analysis->strides->last[analysis->strides->n++ % KEPT] = s;
  }
  *assumes |= s.covers_warps ? s.assumes : 0;
  return s.covers_warps;
}

// Trip counts that follow from threadIdx and blockIdx, tried out.
static bool differs_by_one_in(const dcp_analysis *analysis, dc_expr trips, const uint32_t block[3],
                              int64_t number, uint64_t *budget) {
  int64_t low = 0, high = 0;
  dc_expr_environment environment = first_thread(block, number);
  environment.budget = *budget;
  for (uint32_t thread = 0; thread < block[0] * block[1] * block[2];
       ++thread, next_thread(&environment)) {
    int64_t count;
    if (!dc_expr_evaluate(&analysis->pool, trips, &environment, &count))
      return false;
    *budget = environment.budget;
    low = thread % 32 == 0 || count < low ? count : low;
    high = thread % 32 == 0 || count > high ? count : high;
    if (high - low > 1)
      return false;
  }
  return true;
}

static bool differs_by_one(const dcp_analysis *analysis, dc_expr trips) {
  const uint32_t (*dims)[3] = analysis->dims.known ? analysis->dims.block : typical_dims;
  uint32_t n_launches = analysis->dims.known ? analysis->dims.n : N_TYPICAL_DIMS;
  uint64_t budget = dcp_limit->stride_operations;
  for (uint32_t k = 0; k < n_launches; ++k)
    for (unsigned n = 0; n < N_TYPICAL_BLOCKS; ++n)
      if (!differs_by_one_in(analysis, trips, dims[k], typical_blocks[n], &budget))
        return false;
  return true;
}

bool dcp_is_strided(dcp_analysis *analysis, dc_expr trips, uint8_t *assumes) {
  const dc_expr_node *node = &analysis->pool.nodes[trips];
  if (node->op == DC_OP_FIRST)
    return differs_by_one(analysis, trips);
  if (node->op == DC_OP_UMIN) // of two counts that differ by one at most, or not at all
    return (analysis->node_level[node->a] < DC_DIVERGENT ||
            dcp_is_strided(analysis, node->a, assumes)) &&
           (analysis->node_level[node->b] < DC_DIVERGENT ||
            dcp_is_strided(analysis, node->b, assumes));
  if (node->op == DC_OP_ADD && analysis->pool.nodes[node->b].op == DC_OP_CONST)
    node = &analysis->pool.nodes[node->a]; // the body comes before the test
  return node->op == DC_OP_STEPS && analysis->node_level[node->b] < DC_DIVERGENT &&
         steps_cover_warps(analysis, node, assumes);
}
