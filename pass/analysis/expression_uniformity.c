// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels of expressions, from the levels of their leaves and what the block dimensions says about
// threadIdx. Warps are cut from the block by the linear thread index, x fastest, so threadIdx.y is
// the same in a warp where rows are multiples of 32 threads, and (base + index) / 2^k where the
// base is a multiple of 2^k and index / 2^k is constant in each warp. With known block dimensions
// that is checked thread by thread; otherwise it must follow for all block dimensions.
#include "analysis/analysis.h"
#include "analysis/polynomial.h"

#include <stdlib.h>
#include <string.h>

static const dc_expr_node *node_at(const dcp_analysis *analysis, dc_expr e) {
  return &analysis->pool.nodes[e];
}

void dcp_set_thread(dc_expr_environment *environment, const uint32_t block[3], uint32_t linear) {
  for (unsigned d = 0; d < 3; ++d) {
    environment->ntid[d] = block[d];
    environment->ctaid[d] = -1; // what holds in one block need not hold in the next
  }
  environment->tid[0] = linear % block[0];
  environment->tid[1] = linear / block[0] % block[1];
  environment->tid[2] = linear / block[0] / block[1];
  environment->lane = linear % 32;
}

static uint32_t threads(const uint32_t block[3]) { return block[0] * block[1] * block[2]; }

// The level of threadIdx in a dimension.
static uint8_t level_of_tid(const dcp_block_dims *dims, unsigned dimension) {
  if (!dims->known)
    return dims->whole_rows && dimension > 0 ? DC_WARP_UNIFORM : DC_DIVERGENT;
  uint8_t level = DC_UNIFORM;
  for (uint32_t s = 0; s < dims->n; ++s) {
    const uint32_t *block = dims->block[s];
    if (block[dimension] == 1)
      continue;
    uint32_t row = dimension == 0 ? 1 : dimension == 1 ? block[0] : block[0] * block[1];
    level = level > DC_WARP_UNIFORM ? level : DC_WARP_UNIFORM;
    if (row % 32 != 0)
      level = DC_DIVERGENT;
  }
  return level;
}

static unsigned zeros_below(const dcp_analysis *analysis, dc_expr e, unsigned depth);

// Of a sum: as much as both operands have, but for x - x % n, which n divides.
static unsigned zeros_of_sum(const dcp_analysis *analysis, const dc_expr_node *node,
                             unsigned depth) {
  const dc_expr_node *less = node_at(analysis, node->b);
  if (node->op == DC_OP_SUB && (less->op == DC_OP_SREM || less->op == DC_OP_UREM) &&
      less->a == node->a)
    return zeros_below(analysis, less->b, depth);
  unsigned a = zeros_below(analysis, node->a, depth), b = zeros_below(analysis, node->b, depth);
  return a < b ? a : b;
}

// A power of two that divides the value, as its exponent.
static unsigned zeros_below(const dcp_analysis *analysis, dc_expr e, unsigned depth) {
  const dc_expr_node *node = node_at(analysis, e);
  const dcp_block_dims *dims = &analysis->dims;
  unsigned zeros = 0;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    while (zeros < node->bits && !((uint64_t)node->i >> zeros & 1))
      ++zeros;
    return zeros;
  case DC_OP_NTID:
    if (!dims->known)
      return dims->whole_rows && node->i == 0 ? 5 : 0;
    zeros = 10;
    for (uint32_t s = 0; s < dims->n; ++s)
      while (zeros && dims->block[s][node->i] % (1u << zeros) != 0)
        --zeros;
    return zeros;
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
    return depth ? zeros_below(analysis, node->a, depth - 1) : 0;
  case DC_OP_AND:
    return depth && node_at(analysis, node->b)->op == DC_OP_CONST
               ? zeros_below(analysis, node->b, depth - 1)
               : 0;
  case DC_OP_ADD:
  case DC_OP_SUB:
    return depth ? zeros_of_sum(analysis, node, depth - 1) : 0;
  case DC_OP_MUL:
    return depth ? zeros_below(analysis, node->a, depth - 1) +
                       zeros_below(analysis, node->b, depth - 1)
                 : 0;
  default:
    return 0;
  }
}

unsigned dcp_zeros_below(const dcp_analysis *analysis, dc_expr e) {
  return zeros_below(analysis, e, 8);
}

// The linear thread index, x + X*(y + Y*z), is 32 * warp + lane whatever the block dimensions:
// which of its three terms is this?
static unsigned part_of_linear_index(const dcp_analysis *analysis, const dcp_term *term) {
  unsigned tid[3] = {0}, ntid[3] = {0};
  if (term->coefficient != 1)
    return 0;
  for (uint32_t n = 0; n < term->n_factors; ++n) {
    const dc_expr_node *factor = node_at(analysis, term->factors[n]);
    while (factor->op == DC_OP_ZEXT || factor->op == DC_OP_SEXT)
      factor = node_at(analysis, factor->a);
    if (factor->op == DC_OP_TID)
      ++tid[factor->i];
    else if (factor->op == DC_OP_NTID)
      ++ntid[factor->i];
    else
      return 0;
  }
  for (unsigned d = 0; d < 3; ++d) {
    bool matches = tid[d] == 1 && tid[0] + tid[1] + tid[2] == 1 && ntid[0] == (d > 0) &&
                   ntid[1] == (d > 1) && ntid[2] == 0;
    if (matches)
      return 1u << d;
  }
  return 0;
}

// Whether the terms marked in `moving` keep the bits from k up in each warp of each of the known
// block dimensions.
static bool constant_in_warps(const dcp_analysis *analysis, const dcp_polynomial *sum,
                              uint32_t moving, unsigned k) {
  uint64_t mask = sum->bits < 64 ? (UINT64_C(1) << sum->bits) - 1 : UINT64_MAX;
  for (uint32_t s = 0; s < analysis->dims.n; ++s) {
    const uint32_t *block = analysis->dims.block[s];
    uint64_t of_warp = 0;
    for (uint32_t thread = 0; thread < threads(block); ++thread) {
      dc_expr_environment environment = {.budget = dcp_limit->term_operations};
      uint64_t value = 0;
      dcp_set_thread(&environment, block, thread);
      for (uint32_t t = 0; t < sum->n_terms; ++t)
        if ((moving >> t & 1) &&
            !dcp_term_evaluate(&analysis->pool, &sum->terms[t], &environment, &value))
          return false;
      value = (value & mask) >> k;
      if (thread % 32 == 0)
        of_warp = value;
      if (value != of_warp)
        return false;
    }
  }
  return true;
}

// Without known block dimensions: the terms form the linear thread index, or under the hypothesis
// of whole rows x alone with multiples of 32.
static bool constant_in_any_warp(const dcp_analysis *analysis, const dcp_polynomial *sum,
                                 uint32_t moving, unsigned k) {
  unsigned parts = 0, others = 0;
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    if (!(moving >> t & 1))
      continue;
    unsigned part = part_of_linear_index(analysis, &sum->terms[t]);
    others += part == 0;
    parts |= part;
  }
  return k >= 5 && others == 0 && (parts == 7 || (analysis->dims.whole_rows && parts == 1));
}

// Whether e >> k (or e with its low k bits cleared) is the same in each warp, although e isn't.
static bool same_above(const dcp_analysis *analysis, dc_expr e, unsigned k) {
  dcp_polynomial sum;
  dcp_polynomial_of(&analysis->pool, e, false, &sum);
  uint32_t moving = 0;
  for (uint32_t t = 0; t < sum.n_terms; ++t) {
    const dcp_term *term = &sum.terms[t];
    uint8_t level = DC_UNIFORM;
    unsigned zeros = 0;
    for (uint64_t c = (uint64_t)term->coefficient; !(c & 1); c >>= 1)
      ++zeros;
    for (uint32_t n = 0; n < term->n_factors; ++n) {
      uint8_t factor = analysis->node_level[term->factors[n]];
      level = factor > level ? factor : level;
      zeros += zeros_below(analysis, term->factors[n], 8);
    }
    if (level == DC_DIVERGENT)
      moving |= UINT32_C(1) << t;
    else if (zeros < k)
      return false;
  }
  return analysis->dims.known ? constant_in_warps(analysis, &sum, moving, k)
                              : constant_in_any_warp(analysis, &sum, moving, k);
}

enum { WARP_BITS = 5 };

// A shift by 5 + k, where k is the same for the warp: so the row of a thread is told where 2^k
// warps have one. It is one k in the whole function.
static bool shifts_warps_away(dcp_analysis *analysis, const dc_expr_node *node) {
  if ((node->op != DC_OP_LSHR && node->op != DC_OP_ASHR) ||
      analysis->node_level[node->b] > DC_WARP_UNIFORM)
    return false;
  const dc_expr_node *by = node_at(analysis, node->b);
  const dc_expr_node *least = by->op == DC_OP_ADD ? node_at(analysis, by->b) : NULL;
  if (!least || least->op != DC_OP_CONST || least->i != WARP_BITS)
    return false;
  if (analysis->row_warps == DC_NO_EXPR)
    analysis->row_warps = by->a;
  return analysis->row_warps == by->a;
}

// The exponent where a node throws the low bits of its first operand away, else 0.
static unsigned bits_thrown_away(const dcp_analysis *analysis, const dc_expr_node *node) {
  if (node->b == DC_NO_EXPR || node_at(analysis, node->b)->op != DC_OP_CONST)
    return 0;
  uint64_t constant = (uint64_t)node_at(analysis, node->b)->i;
  unsigned k = 0;
  switch ((dc_expr_op)node->op) {
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return constant < node->bits ? (unsigned)constant : 0;
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    while (k < 63 && constant >> k && !(constant >> k & 1))
      ++k;
    return constant == UINT64_C(1) << k || k >= WARP_BITS ? k : 0;
  case DC_OP_AND: // a mask of the form ...000
    while (k < node->bits && !(constant >> k & 1))
      ++k;
    return k < node->bits ? k : 0;
  default:
    return 0;
  }
}

// Whether a comparison with a multiple of 2^k asks for the bits from k up alone, and these are the
// same in each warp, as in threadIdx.x < 64.
static bool same_side(const dcp_analysis *analysis, const dc_expr_node *node) {
  bool less = node->op == DC_OP_ULT || node->op == DC_OP_SLT;
  if (!less && node->op != DC_OP_ULE && node->op != DC_OP_SLE)
    return false;
  // a < c and, negated, c <= a, for such a c.
  dc_expr limit = less ? node->b : node->a, value = less ? node->a : node->b;
  if (zeros_below(analysis, limit, 8) >= WARP_BITS)
    return analysis->node_level[limit] < DC_DIVERGENT && same_above(analysis, value, WARP_BITS);
  // c - 1 < a and, negated, a <= c - 1.
  limit = less ? node->a : node->b;
  value = less ? node->b : node->a;
  const dc_expr_node *constant = node_at(analysis, limit);
  uint64_t last = (UINT64_C(1) << WARP_BITS) - 1;
  return constant->op == DC_OP_CONST && ((uint64_t)constant->i & last) == last &&
         same_above(analysis, value, WARP_BITS);
}

void dcp_level_leaf(dcp_analysis *analysis, dc_expr e) {
  const dc_expr_node *node = node_at(analysis, e);
  uint8_t level = DC_UNIFORM, assumes = 0;
  switch ((dc_expr_op)node->op) {
  case DC_OP_TID:
    level = level_of_tid(&analysis->dims, (unsigned)node->i);
    analysis->node_lane[e] = 1;
    break;
  case DC_OP_LANE:
    level = DC_DIVERGENT;
    analysis->node_lane[e] = 1;
    break;
  case DC_OP_CTAID:
    level = DC_BLOCK_UNIFORM;
    break;
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
    level = analysis->value_level[node->i];
    assumes = analysis->value_rests[node->i];
    break;
  default:
    break;
  }
  analysis->node_level[e] = level;
  analysis->node_assumes[e] = assumes;
}

// A trip count that follows from threadIdx and the known block dimensions alone may come out the
// same for all lanes.
static uint8_t level_of_trips(dcp_analysis *analysis, dc_expr e) {
  if (analysis->node_constant[e] != 0)
    return (uint8_t)(analysis->node_constant[e] - 1);
  uint8_t level = DC_UNIFORM;
  uint64_t budget = dcp_limit->dims_operations; // for all threads together
  for (uint32_t s = 0; s < analysis->dims.n && level < DC_DIVERGENT; ++s) {
    const uint32_t *block = analysis->dims.block[s];
    int64_t first = 0, of_warp = 0;
    for (uint32_t thread = 0; thread < threads(block) && level < DC_DIVERGENT; ++thread) {
      dc_expr_environment environment = {.budget = budget};
      int64_t value;
      dcp_set_thread(&environment, block, thread);
      if (!dc_expr_evaluate(&analysis->pool, e, &environment, &value)) {
        level = DC_DIVERGENT;
        break;
      }
      budget = environment.budget;
      first = thread == 0 ? value : first;
      of_warp = thread % 32 == 0 ? value : of_warp;
      if (value != of_warp)
        level = DC_DIVERGENT;
      else if (value != first)
        level = DC_WARP_UNIFORM;
    }
  }
  analysis->node_constant[e] = (uint8_t)(level + 1);
  return level;
}

bool dcp_parts_block(const dcp_analysis *analysis, dc_expr condition, const uint32_t block[3]) {
  uint64_t budget = dcp_limit->dims_operations; // for all threads together
  bool holds = false, fails = false;
  for (uint32_t thread = 0; thread < threads(block) && !(holds && fails); ++thread) {
    dc_expr_environment environment = {.budget = budget};
    int64_t value;
    dcp_set_thread(&environment, block, thread);
    if (!dc_expr_evaluate(&analysis->pool, condition, &environment, &value))
      return false;
    budget = environment.budget;
    *(value ? &holds : &fails) = true;
  }
  return holds && fails;
}

// Made of the launch and of nothing that may be negative: it is negative only where it wraps.
static bool counts_launch(const dcp_analysis *analysis, dc_expr e, unsigned depth) {
  const dc_expr_node *node = node_at(analysis, e);
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    return node->i >= 0;
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID:
  case DC_OP_LANE:
  case DC_OP_IV:
  case DC_OP_ZEXT:
    return true;
  case DC_OP_ADD:
  case DC_OP_MUL:
  case DC_OP_SHL:
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return depth > 0 && counts_launch(analysis, node->a, depth - 1) &&
           counts_launch(analysis, node->b, depth - 1);
  case DC_OP_SEXT:
    return depth > 0 && counts_launch(analysis, node->a, depth - 1);
  case DC_OP_AND:
    return depth > 0 && (counts_launch(analysis, node->a, depth - 1) ||
                         counts_launch(analysis, node->b, depth - 1));
  default:
    return false;
  }
}

static void level_operation(dcp_analysis *analysis, dc_expr e) {
  const dc_expr_node *node = node_at(analysis, e);
  const dc_expr operands[] = {node->a, node->b, node->c};
  uint8_t level = DC_UNIFORM, assumes = 0, lane = 1;
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR) {
      uint8_t operand = analysis->node_level[operands[k]];
      level = operand > level ? operand : level;
      assumes |= analysis->node_assumes[operands[k]];
      lane &= operand < DC_DIVERGENT || analysis->node_lane[operands[k]];
    }
  // A signed division rounds towards zero, which joins the quotients from both sides of it.
  bool rounds_down = node->op != DC_OP_SDIV || counts_launch(analysis, node->a, 12);
  unsigned k = level == DC_DIVERGENT && rounds_down ? bits_thrown_away(analysis, node) : 0;
  bool by_width = level == DC_DIVERGENT && shifts_warps_away(analysis, node) &&
                  same_above(analysis, node->a, WARP_BITS);
  // What is the same above bit 5 is so above any other, and in a quotient by a multiple of 32.
  if (by_width || (k > 0 && same_above(analysis, node->a, k)) ||
      (k > WARP_BITS && same_above(analysis, node->a, WARP_BITS)) ||
      (level == DC_DIVERGENT && same_side(analysis, node))) {
    level = DC_WARP_UNIFORM;
    assumes |= by_width ? DCP_ASSUMES_ROW_WARPS : 0;
    assumes |= node->op == DC_OP_SDIV ? DCP_ASSUMES_NO_OVERFLOW : 0;
  }
  uint8_t rounded, rests;
  if (level > DC_BLOCK_UNIFORM && dcp_is_rounded(analysis, e, &rounded, &rests)) {
    level = rounded;
    assumes |= rests;
  }
  bool trips = node->op == DC_OP_STEPS || node->op == DC_OP_USTEPS ||
               dc_expr_op_is_search((dc_expr_op)node->op);
  if (level == DC_DIVERGENT && lane && trips && analysis->dims.known)
    level = level_of_trips(analysis, e);
  analysis->node_level[e] = level;
  analysis->node_assumes[e] = assumes;
  analysis->node_lane[e] = lane;
}

static bool grow(dcp_analysis *analysis) {
  uint32_t count = analysis->pool.count, old = analysis->n_node_levels;
  if (count <= old)
    return true;
  uint8_t **tables[] = {&analysis->node_level, &analysis->node_assumes, &analysis->node_lane,
                        &analysis->node_constant};
  for (unsigned k = 0; k < 4; ++k) {
    uint8_t *grown = realloc(*tables[k], count);
    if (!grown)
      return false;
    memset(grown + old, 0, count - old);
    *tables[k] = grown;
  }
  analysis->n_node_levels = count;
  return true;
}

void dcp_level_nodes(dcp_analysis *analysis, uint32_t end) {
  if (!grow(analysis)) {
    analysis->out_of_memory = true;
    return;
  }
  if (end == 0)
    analysis->next_node = 0;
  for (; analysis->next_node < end; ++analysis->next_node) {
    dc_expr e = analysis->next_node;
    const dc_expr_node *node = node_at(analysis, e);
    if (node->a == DC_NO_EXPR || node->op == DC_OP_LOAD)
      dcp_level_leaf(analysis, e);
    else
      level_operation(analysis, e);
  }
}

bool dcp_known_lane_function(const dcp_analysis *analysis, dc_expr e) {
  return e != DC_NO_EXPR && (analysis->node_level[e] < DC_DIVERGENT || analysis->node_lane[e]);
}
