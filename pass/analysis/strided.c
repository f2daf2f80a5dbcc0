// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the trip counts of a warp's lanes, functions of threadIdx, differ by one at most: proved
// where the lanes' starts lie within one step of each other. How far they can lie apart (their
// spread) is bounded by a sum of products, as is the step; common factors are cancelled, and a
// negative term of the difference must be covered by a positive one with the same factors or more,
// since blockDim and gridDim are 1 at least. What that doesn't show may hold under a condition on
// one product of other values: |k| <= 33, or step >= 31.
#include "analysis/analysis.h"
#include "analysis/polynomial.h"

#include <stdlib.h>
#include <string.h>

// How far the indices of a warp's threads lie apart. Each is a bound by itself; which one proves
// something depends on the step.
typedef enum extent {
  BY_BLOCK, // threadIdx.d: blockDim.d - 1
  BY_LIMIT, // CUDA's limits of blocks; x + blockDim.x * (y + blockDim.y * z), the linear index: 31
  BY_ROW,   // where no warp lies in two rows of the block: 31 in x, 0 in y and z
  EXTENTS
} extent;

typedef struct proof {
  dcp_analysis *analysis;
  extent how;
  const uint32_t *block; // known block dimensions, or NULL
} proof;

static bool sum_spread(proof *p, const dcp_polynomial *sum, unsigned depth, dcp_polynomial *spread);
static bool is_lane_of_warp(const proof *p, const dcp_polynomial *sum);

static dcp_polynomial number(int64_t value) {
  dcp_polynomial out = {.bits = 64, .loose = true};
  dcp_polynomial_constant(value, &out);
  return out;
}

static bool is_number(const dcp_polynomial *p, int64_t *value) {
  *value = p->n_terms ? p->terms[0].coefficient : 0;
  return p->n_terms == 0 || (p->n_terms == 1 && p->terms[0].n_factors == 0);
}

// Spreads are numbers, and polynomials wrap: whether a multiple can be added to another that fits.
static bool fits(const dcp_polynomial *sum, int64_t by) {
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    int64_t product;
    if (__builtin_mul_overflow(sum->terms[t].coefficient, by, &product) ||
        product > INT64_MAX / 2 || product < -(INT64_MAX / 2))
      return false;
  }
  return true;
}

static bool add_to_spread(dcp_polynomial *spread, const dcp_polynomial *more, int64_t by) {
  return fits(spread, 1) && fits(more, by) && dcp_polynomial_add(spread, more, by);
}

static const dc_expr_node *node_at(const proof *p, dc_expr e) {
  return &p->analysis->pool.nodes[e];
}

static bool differs(const proof *p, dc_expr e) {
  return e >= p->analysis->n_node_levels || p->analysis->node_level[e] == DC_DIVERGENT;
}

// ---- spreads ------------------------------------------------------------------------------------

// Evaluated for each thread of known block dimensions, where that can be done.
static bool known_spread(const proof *p, dc_expr e, int64_t *spread) {
  const uint32_t *block = p->block;
  dc_expr_environment environment = {.ntid = {block[0], block[1], block[2]}};
  int64_t low = 0, high = 0;
  *spread = 0;
  for (uint32_t thread = 0; thread < block[0] * block[1] * block[2]; ++thread) {
    int64_t value;
    environment.tid[0] = thread % block[0];
    environment.tid[1] = thread / block[0] % block[1];
    environment.tid[2] = thread / block[0] / block[1];
    environment.lane = thread % 32;
    for (unsigned d = 0; d < 3; ++d)
      environment.ctaid[d] = -1;
    environment.budget = dcp_limit->term_operations;
    if (!dc_expr_evaluate(&p->analysis->pool, e, &environment, &value))
      return false;
    low = thread % 32 == 0 || value < low ? value : low;
    high = thread % 32 == 0 || value > high ? value : high;
    if ((uint64_t)high - (uint64_t)low > INT64_MAX / 2)
      return false;
    *spread = high - low > *spread ? high - low : *spread;
  }
  return true;
}

static bool index_spread(proof *p, unsigned axis, dcp_polynomial *spread) {
  // A warp lies in two rows of 511 threads at most, of 1024 that a block has; likewise in two
  // planes of 511 rows; and in z, 32 threads differ by 31.
  static const int64_t limits[] = {510, 510, 31};
  if (p->how != BY_BLOCK) {
    *spread = number(p->how == BY_LIMIT ? limits[axis] : axis == 0 ? 31 : 0);
    return true;
  }
  dc_expr extent = dc_expr_leaf(&p->analysis->pool, DC_OP_NTID, 32, DC_UNIFORM, axis);
  if (extent == DC_NO_EXPR)
    return false;
  dcp_polynomial one = number(1);
  *spread = number(0);
  dcp_polynomial_factor(extent, spread);
  return dcp_polynomial_add(spread, &one, -1);
}

// Of a quotient by a constant. Lanes of a warp begin at a multiple of 32, so that less can be
// between two of them there.
static bool quotient_spread(proof *p, dc_expr e, int64_t by, unsigned depth,
                            dcp_polynomial *spread) {
  dcp_polynomial sum;
  int64_t whole;
  dcp_polynomial_of(&p->analysis->pool, e, true, &sum);
  if (by < 1 || !sum_spread(p, &sum, depth, spread) || !is_number(spread, &whole))
    return false;
  *spread = number(is_lane_of_warp(p, &sum) && 32 % by == 0 ? 31 / by : whole / by + 1);
  return true;
}

static bool constant_operand(const proof *p, dc_expr e, int64_t *value) {
  *value = e == DC_NO_EXPR ? 0 : node_at(p, e)->i;
  return e != DC_NO_EXPR && node_at(p, e)->op == DC_OP_CONST;
}

// Of a value that differs between lanes and is no sum.
static bool factor_spread(proof *p, dc_expr e, unsigned depth, dcp_polynomial *spread) {
  const dc_expr_node *node = node_at(p, e);
  int64_t value;
  if (p->block && known_spread(p, e, &value)) {
    *spread = number(value);
    return true;
  }
  if (depth == 0)
    return false;
  switch ((dc_expr_op)node->op) {
  case DC_OP_TID:
    return index_spread(p, (unsigned)node->i, spread);
  case DC_OP_LANE:
    *spread = number(31);
    return true;
  case DC_OP_AND:
    if ((!constant_operand(p, node->a, &value) && !constant_operand(p, node->b, &value)) ||
        value < 0)
      return false;
    *spread = number(value);
    return true;
  case DC_OP_UREM:
    if (!constant_operand(p, node->b, &value) || value < 1)
      return false;
    *spread = number(value - 1);
    return true;
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return constant_operand(p, node->b, &value) && value >= 0 && value < 62 &&
           quotient_spread(p, node->a, INT64_C(1) << value, depth - 1, spread);
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    return constant_operand(p, node->b, &value) &&
           quotient_spread(p, node->a, value, depth - 1, spread);
  default:
    return false;
  }
}

// The terms y * blockDim.x and z * blockDim.x * blockDim.y that make a linear index of a term with
// x: then `used` has them, too.
static bool is_linear_index(const proof *p, const dcp_polynomial *sum, uint32_t at,
                            uint32_t *used) {
  const dcp_term *first = &sum->terms[at];
  unsigned found = 0;
  uint32_t mine = 0;
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    const dcp_term *term = &sum->terms[t];
    unsigned tid[3] = {0}, ntid[3] = {0}, others = 0;
    for (uint32_t n = 0; n < term->n_factors; ++n) {
      const dc_expr_node *factor = node_at(p, term->factors[n]);
      if (factor->op == DC_OP_TID)
        ++tid[factor->i];
      else if (factor->op == DC_OP_NTID)
        ++ntid[factor->i];
      else
        ++others;
    }
    if (others || term->coefficient != first->coefficient || tid[0] + tid[1] + tid[2] != 1)
      continue;
    for (unsigned d = 0; d < 3; ++d)
      if (tid[d] && ntid[0] == (d > 0) && ntid[1] == (d > 1) && !ntid[2]) {
        found |= 1u << d;
        mine |= UINT32_C(1) << t;
      }
  }
  if (found != 7 || !(mine >> at & 1))
    return false;
  *used |= mine;
  return true;
}

// A product of one value that differs between lanes and others that don't, which count with their
// absolute values.
static bool term_spread(proof *p, const dcp_term *term, unsigned depth, dcp_polynomial *spread) {
  dcp_polynomial rest = number(0), own = number(0), sum = number(0);
  dc_expr moving = DC_NO_EXPR;
  if (term->coefficient == INT64_MIN)
    return false;
  dcp_polynomial_constant(llabs(term->coefficient), &rest);
  for (uint32_t n = 0; n < term->n_factors; ++n) {
    if (!differs(p, term->factors[n])) {
      rest.terms[0].factors[rest.terms[0].n_factors++] = term->factors[n];
      continue;
    }
    if (moving != DC_NO_EXPR)
      return false;
    moving = term->factors[n];
  }
  return factor_spread(p, moving, depth, &own) && fits(&own, llabs(term->coefficient)) &&
         dcp_polynomial_multiply(&own, &rest, &sum) && add_to_spread(spread, &sum, 1);
}

static bool term_differs(const proof *p, const dcp_term *term) {
  bool found = false;
  for (uint32_t n = 0; n < term->n_factors; ++n)
    found |= differs(p, term->factors[n]);
  return found;
}

static bool sum_spread(proof *p, const dcp_polynomial *sum, unsigned depth,
                       dcp_polynomial *spread) {
  uint32_t used = 0;
  *spread = number(0);
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    if (used >> t & 1 || !term_differs(p, &sum->terms[t]))
      continue;
    if (p->how == BY_LIMIT && is_linear_index(p, sum, t, &used)) {
      dcp_polynomial lanes = number(31);
      if (sum->terms[t].coefficient == INT64_MIN ||
          !add_to_spread(spread, &lanes, llabs(sum->terms[t].coefficient)))
        return false;
    } else if (!term_spread(p, &sum->terms[t], depth, spread)) {
      return false;
    }
  }
  return true;
}

// Whether a sum is 32 times something plus the lane.
static bool is_lane_of_warp(const proof *p, const dcp_polynomial *sum) {
  uint32_t used = 0;
  const dcp_term *term = &sum->terms[0];
  if (p->how == BY_LIMIT)
    return sum->n_terms == 3 && term->coefficient == 1 && is_linear_index(p, sum, 0, &used) &&
           used == 7;
  return p->how == BY_ROW && sum->n_terms == 1 && term->coefficient == 1 && term->n_factors == 1 &&
         node_at(p, term->factors[0])->op == DC_OP_TID && node_at(p, term->factors[0])->i == 0;
}

// ---- comparing with the step --------------------------------------------------------------------

// blockDim and gridDim, which are 1 at least.
static bool is_extent(const proof *p, dc_expr factor) {
  dc_expr_op op = (dc_expr_op)node_at(p, factor)->op;
  return op == DC_OP_NTID || op == DC_OP_NCTAID;
}

// Puts numbers for blockDim where it is known. False: the sum, or the difference of two, may leave
// 64 bits.
static bool put_dims(const proof *p, dcp_polynomial *sum) {
  dcp_polynomial out = number(0);
  for (uint32_t t = 0; t < sum->n_terms; ++t) {
    dcp_polynomial one = number(sum->terms[t].coefficient);
    one.n_terms = 1;
    for (uint32_t n = 0; n < sum->terms[t].n_factors; ++n) {
      dc_expr factor = sum->terms[t].factors[n];
      if (!p->block || node_at(p, factor)->op != DC_OP_NTID)
        one.terms[0].factors[one.terms[0].n_factors++] = factor;
      else if (__builtin_mul_overflow(one.terms[0].coefficient, p->block[node_at(p, factor)->i],
                                      &one.terms[0].coefficient))
        return false;
    }
    if (!fits(&one, DCP_MAX_TERMS))
      return false;
    dcp_polynomial_add(&out, &one, 1);
  }
  *sum = out;
  return true;
}

static bool take_factor(dcp_term *term, dc_expr factor) {
  for (uint32_t n = 0; n < term->n_factors; ++n)
    if (term->factors[n] == factor) {
      --term->n_factors;
      memmove(&term->factors[n], &term->factors[n + 1],
              (term->n_factors - n) * sizeof *term->factors);
      return true;
    }
  return false;
}

// The first factor of all terms of `a`, and of `b` if there is one, for which `wanted` holds (an
// extent, or no extent); it is taken out of them. DC_NO_EXPR: there is none.
static dc_expr take_common(const proof *p, dcp_polynomial *a, dcp_polynomial *b, bool extents) {
  dcp_polynomial *both[] = {a, b};
  for (uint32_t n = 0; a->n_terms && n < a->terms[0].n_factors; ++n) {
    dc_expr factor = a->terms[0].factors[n];
    dcp_polynomial left[2] = {*a, b ? *b : number(0)};
    bool common = is_extent(p, factor) == extents;
    for (unsigned k = 0; k < 2; ++k)
      for (uint32_t t = 0; common && t < left[k].n_terms; ++t)
        common = take_factor(&left[k].terms[t], factor);
    for (unsigned k = 0; common && k < 2; ++k)
      if (both[k])
        *both[k] = left[k];
    if (common)
      return factor;
  }
  return DC_NO_EXPR;
}

static bool has_others(const proof *p, const dcp_polynomial *sum) {
  for (uint32_t t = 0; t < sum->n_terms; ++t)
    for (uint32_t n = 0; n < sum->terms[t].n_factors; ++n)
      if (!is_extent(p, sum->terms[t].factors[n]))
        return true;
  return false;
}

static bool covers(const dcp_term *more, const dcp_term *less) {
  dcp_term left = *more;
  for (uint32_t n = 0; n < less->n_factors; ++n)
    if (!take_factor(&left, less->factors[n]))
      return false;
  return true;
}

// Whether a sum of products of extents is 0 at least.
static bool is_not_negative(dcp_polynomial sum) {
  for (uint32_t t = 0; t < sum.n_terms; ++t) {
    dcp_term *less = &sum.terms[t];
    for (uint32_t m = 0; less->coefficient < 0 && m < sum.n_terms; ++m) {
      dcp_term *more = &sum.terms[m];
      if (more->coefficient <= 0 || !covers(more, less))
        continue;
      int64_t taken =
          -less->coefficient < more->coefficient ? -less->coefficient : more->coefficient;
      more->coefficient -= taken;
      less->coefficient += taken;
    }
    if (less->coefficient < 0)
      return false;
  }
  return true;
}

static bool is_covered(const dcp_polynomial *spread, const dcp_polynomial *step) {
  dcp_polynomial rest = *step;
  return dcp_polynomial_add(&rest, spread, -1) && is_not_negative(rest);
}

// What factors that aren't extents all terms have in common, as one product.
static dc_expr take_product(proof *p, dcp_polynomial *sum) {
  dc_expr_pool *pool = &p->analysis->pool;
  dc_expr product = DC_NO_EXPR, factor;
  while ((factor = take_common(p, sum, NULL, false)) != DC_NO_EXPR) {
    product = product == DC_NO_EXPR
                  ? factor
                  : dc_expr_binary(pool, DC_OP_MUL, dc_expr_cast(pool, DC_OP_SEXT, 64, product),
                                   dc_expr_cast(pool, DC_OP_SEXT, 64, factor));
    if (product == DC_NO_EXPR)
      return DC_NO_EXPR;
  }
  return product;
}

// Whether the step is the spread at least, given that it is positive; maybe under a condition.
static bool step_covers(proof *p, dcp_polynomial spread, dcp_polynomial step,
                        dcp_stride_need *need) {
  int64_t most, least;
  *need = (dcp_stride_need){.product = DC_NO_EXPR};
  if (!put_dims(p, &spread) || !put_dims(p, &step))
    return false;
  for (unsigned extents = 0; extents < 2; ++extents)
    while (take_common(p, &step, &spread, extents) != DC_NO_EXPR)
      continue;
  if (!has_others(p, &step) && !has_others(p, &spread))
    return is_covered(&spread, &step);
  if (!has_others(p, &spread)) {
    // As the step is positive, the product that all its terms have is 1 at least.
    need->product = take_product(p, &step);
    if (need->product == DC_NO_EXPR || has_others(p, &step))
      return false;
    if (is_covered(&spread, &step)) {
      need->product = DC_NO_EXPR;
      return true;
    }
    need->least = is_number(&spread, &most) && is_number(&step, &least) && least > 0
                      ? (most + least - 1) / least
                      : 0;
    return need->least > 0;
  }
  if (has_others(p, &step))
    return false;
  need->product = take_product(p, &spread);
  if (need->product == DC_NO_EXPR || !is_number(&spread, &most) || !is_number(&step, &least) ||
      most < 1)
    return false;
  need->most = least / most;
  return need->most > 0;
}

// ---- a trip count -------------------------------------------------------------------------------

// For one of the known block dimensions, or for all that there may be.
static bool covers_warps(proof *p, const dcp_polynomial *distance, const dcp_polynomial *step,
                         uint8_t *assumes, dcp_stride_need *need) {
  bool rows = p->analysis->dims.whole_rows;
  dcp_stride_need first = {.product = DC_NO_EXPR}, found;
  bool conditional = false;
  extent end = p->block ? BY_ROW : EXTENTS; // known rows are what they are
  for (p->how = 0; p->how < end; ++p->how) {
    dcp_polynomial spread;
    bool by_row = p->how == BY_ROW && !rows;
    if (!sum_spread(p, distance, 8, &spread) || !step_covers(p, spread, *step, &found) ||
        (by_row && spread.n_terms == 0)) // under that condition it is the same for the warp
      continue;
    if (found.product == DC_NO_EXPR) {
      *assumes |= by_row ? DCP_ASSUMES_ROWS : 0;
      return true;
    }
    // The mildest condition is that of the smallest spread, which comes last.
    first = found;
    conditional = true;
    *assumes = (uint8_t)(by_row ? *assumes | DCP_ASSUMES_ROWS : *assumes & ~DCP_ASSUMES_ROWS);
  }
  *need = first;
  return conditional;
}

static bool same_need(const dcp_stride_need *a, const dcp_stride_need *b) {
  return a->product == b->product && a->least == b->least && a->most == b->most;
}

static bool steps_cover_warps(dcp_analysis *analysis, const dc_expr_node *steps,
                              dcp_stride *stride) {
  proof p = {.analysis = analysis};
  const dcp_block_dims *dims = &analysis->dims;
  dcp_polynomial distance, step;
  dcp_polynomial_of(&analysis->pool, steps->a, true, &distance);
  dcp_polynomial_of(&analysis->pool, steps->b, true, &step);
  for (uint32_t k = 0; k < (dims->known ? dims->n : 1); ++k) {
    dcp_stride_need need = {.product = DC_NO_EXPR};
    p.block = dims->known ? dims->block[k] : NULL;
    if (!covers_warps(&p, &distance, &step, &stride->assumes, &need))
      return false;
    if (need.product == DC_NO_EXPR)
      continue;
    if (stride->need.product != DC_NO_EXPR && !same_need(&stride->need, &need))
      return false; // two conditions at once are not said
    stride->need = need;
  }
  return true;
}

// A trip count that follows from threadIdx.x alone, whatever the block dimensions.
static bool differs_by_one_anywhere(const dcp_analysis *analysis, dc_expr trips) {
  dc_expr_environment environment = {.tid = {0, -1, -1}, .ctaid = {-1, -1, -1}, .lane = -1};
  int64_t low = INT64_MAX, high = INT64_MIN;
  environment.budget = dcp_limit->stride_operations;
  for (; environment.tid[0] < 1024; ++environment.tid[0]) {
    int64_t count;
    if (!dc_expr_evaluate(&analysis->pool, trips, &environment, &count))
      return false;
    low = count < low ? count : low;
    high = count > high ? count : high;
  }
  return low >= 0 && high - low <= 1;
}

// A trip count that follows from threadIdx and known block dimensions alone.
static bool differs_by_one(dcp_analysis *analysis, dc_expr trips) {
  if (!analysis->dims.known)
    return differs_by_one_anywhere(analysis, trips);
  for (uint32_t k = 0; k < analysis->dims.n; ++k) {
    int64_t spread;
    proof p = {.analysis = analysis, .block = analysis->dims.block[k]};
    if (!known_spread(&p, trips, &spread) || spread > 1)
      return false;
  }
  return true;
}

static bool step_differs(const dcp_analysis *analysis, dc_expr step) {
  return analysis->pool.nodes[step].op != DC_OP_CONST && analysis->node_level[step] == DC_DIVERGENT;
}

bool dcp_is_strided(dcp_analysis *analysis, dc_expr trips, dcp_stride *stride) {
  dc_expr_node node = analysis->pool.nodes[trips]; // a copy: the pool may grow
  if (dc_expr_op_is_search((dc_expr_op)node.op))
    return differs_by_one(analysis, trips);
  if (node.op == DC_OP_UMIN) // of two counts that differ by one at most, or not at all
    return (analysis->node_level[node.a] < DC_DIVERGENT ||
            dcp_is_strided(analysis, node.a, stride)) &&
           (analysis->node_level[node.b] < DC_DIVERGENT ||
            dcp_is_strided(analysis, node.b, stride));
  if (node.op == DC_OP_ADD && analysis->pool.nodes[node.b].op == DC_OP_CONST)
    node = analysis->pool.nodes[node.a];                     // the body comes before the test
  if (dc_expr_minuend(&analysis->pool, trips) != DC_NO_EXPR) // in steps of 1
    node = (dc_expr_node){
        .op = DC_OP_STEPS, .a = trips, .b = dc_expr_constant(&analysis->pool, 64, 1)};
  return (node.op == DC_OP_STEPS || node.op == DC_OP_USTEPS) && !step_differs(analysis, node.b) &&
         steps_cover_warps(analysis, &node, stride);
}
