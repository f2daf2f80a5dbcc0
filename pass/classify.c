// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of a loop, from the levels of its exits and, where lanes leave in different iterations,
// from what its trip count is made of: threadIdx alone (strided if the lanes of a warp start within
// one step of each other, lane-affine otherwise), or values that memory or earlier iterations
// brought in. The worst exit decides.
#include "analysis.h"
#include "polynomial.h"

#include <stdlib.h>

// Shapes to try a stride on when none is known: rows that are, and are not, multiples of a warp.
static const uint32_t typical_shapes[][3] = {
    {32, 1, 1},   {33, 1, 1},  {48, 1, 1},  {64, 1, 1}, {100, 1, 1}, {128, 1, 1}, {256, 1, 1},
    {1024, 1, 1}, {8, 8, 1},   {16, 16, 1}, {32, 8, 1}, {8, 32, 1},  {48, 2, 1},  {7, 13, 1},
    {1, 256, 1},  {64, 16, 1}, {8, 8, 8},   {4, 4, 16}, {16, 2, 4},  {3, 5, 7},
};

// Where a step has factors that only the launch knows, they are taken as this large; for what the
// ends share with it, any number will do.
enum { LARGE = 1 << 20, ANY = 7 };

typedef struct stride {
  const dcp_analysis *analysis;
  dcp_polynomial distance, step;
  uint32_t moving; // terms of the distance that differ between lanes
  bool on_block;   // these or the step mention blockIdx
  uint8_t rests;   // as of dcp_verdict
} stride;

static bool has_factor(const dcp_polynomial *p, uint32_t terms, dc_expr factor) {
  for (uint32_t t = 0; t < p->n_terms; ++t)
    for (uint32_t n = 0; n < p->terms[t].n_factors && (terms >> t & 1); ++n)
      if (p->terms[t].factors[n] == factor)
        return true;
  return false;
}

static bool factor_value(stride *s, dc_expr factor, dc_environment *environment, bool of_step,
                         int64_t *value) {
  const dc_node *node = &s->analysis->pool.nodes[factor];
  if (node->op == DC_OP_NCTAID) {
    *value = 1;
    return true;
  }
  environment->budget = 1000;
  if (dc_evaluate(&s->analysis->pool, factor, environment, value))
    return true;
  if (s->analysis->node_level[factor] == DC_DIVERGENT)
    return false;
  bool shared = has_factor(&s->distance, s->moving, factor);
  *value = of_step && !shared ? LARGE : ANY;
  if (of_step && !shared)
    s->rests |= DCP_RESTS_ON_STEP;
  return true;
}

static bool sum_of(stride *s, const dcp_polynomial *p, uint32_t terms, dc_environment *environment,
                   int64_t *sum) {
  bool of_step = p == &s->step;
  *sum = 0;
  for (uint32_t t = 0; t < p->n_terms; ++t) {
    if (!(terms >> t & 1))
      continue;
    int64_t product = p->terms[t].coefficient, factor;
    for (uint32_t n = 0; n < p->terms[t].n_factors; ++n) {
      if (!factor_value(s, p->terms[t].factors[n], environment, of_step, &factor))
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

static bool mentions_block(const dcp_polynomial *p, uint32_t terms, const dc_pool *pool) {
  for (uint32_t t = 0; t < p->n_terms; ++t)
    for (uint32_t n = 0; n < p->terms[t].n_factors && (terms >> t & 1); ++n)
      if (dc_mentions(pool, p->terms[t].factors[n], DC_OP_CTAID, -1))
        return true;
  return false;
}

static dc_environment first_thread(const uint32_t block[3], int64_t number) {
  return (dc_environment){.ntid = {block[0], block[1], block[2]},
                          .ctaid = {number, number, number}};
}

static void next_thread(dc_environment *environment) {
  environment->lane = (environment->lane + 1) % 32;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (++environment->tid[axis] < environment->ntid[axis])
      return;
    environment->tid[axis] = 0;
  }
}

// The lanes of each warp of a block start within one step of each other; the step is the warp's.
static bool covers_warps_of(stride *s, const uint32_t block[3], int64_t number) {
  uint32_t threads = block[0] * block[1] * block[2];
  int64_t low = 0, high = 0, step = 0;
  dc_environment environment = first_thread(block, number);
  for (uint32_t thread = 0; thread < threads; ++thread, next_thread(&environment)) {
    int64_t start;
    if (!sum_of(s, &s->distance, s->moving, &environment, &start) ||
        (thread % 32 == 0 && !sum_of(s, &s->step, UINT32_MAX, &environment, &step)))
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

static bool covers_warps(stride *s, const uint32_t block[3]) {
  for (unsigned k = 0; k < (s->on_block ? N_TYPICAL_BLOCKS : 1); ++k)
    if (!covers_warps_of(s, block, typical_blocks[k]))
      return false;
  return true;
}

// Trip counts that follow from threadIdx and blockIdx, tried out.
static bool differs_by_one_in(const dcp_analysis *analysis, dc_expr trips, const uint32_t block[3],
                              int64_t number, uint64_t *budget) {
  int64_t low = 0, high = 0;
  dc_environment environment = first_thread(block, number);
  environment.budget = *budget;
  for (uint32_t thread = 0; thread < block[0] * block[1] * block[2];
       ++thread, next_thread(&environment)) {
    int64_t count;
    if (!dc_evaluate(&analysis->pool, trips, &environment, &count))
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
  const uint32_t (*shapes)[3] = analysis->shapes.known ? analysis->shapes.block : typical_shapes;
  uint32_t n_shapes =
      analysis->shapes.known ? analysis->shapes.n : sizeof typical_shapes / sizeof *typical_shapes;
  uint64_t budget = 500000;
  for (uint32_t k = 0; k < n_shapes; ++k)
    for (unsigned n = 0; n < N_TYPICAL_BLOCKS; ++n)
      if (!differs_by_one_in(analysis, trips, shapes[k], typical_blocks[n], &budget))
        return false;
  return true;
}

static bool is_strided(const dcp_analysis *analysis, dc_expr trips, uint8_t *rests) {
  const dc_node *top = &analysis->pool.nodes[trips];
  if (top->op == DC_OP_FIRST)
    return differs_by_one(analysis, trips);
  if (top->op == DC_OP_UMIN) // of two counts that differ by one at most, or not at all
    return (analysis->node_level[top->a] < DC_DIVERGENT || is_strided(analysis, top->a, rests)) &&
           (analysis->node_level[top->b] < DC_DIVERGENT || is_strided(analysis, top->b, rests));
  const dc_node *node = &analysis->pool.nodes[trips];
  if (node->op == DC_OP_ADD && analysis->pool.nodes[node->b].op == DC_OP_CONST)
    node = &analysis->pool.nodes[node->a]; // the body comes before the test
  if (node->op != DC_OP_STEPS || analysis->node_level[node->b] == DC_DIVERGENT)
    return false;
  stride s = {.analysis = analysis};
  dcp_polynomial_of(&analysis->pool, node->a, true, &s.distance);
  dcp_polynomial_of(&analysis->pool, node->b, true, &s.step);
  for (uint32_t t = 0; t < s.distance.n_terms; ++t)
    for (uint32_t n = 0; n < s.distance.terms[t].n_factors; ++n)
      if (analysis->node_level[s.distance.terms[t].factors[n]] == DC_DIVERGENT)
        s.moving |= UINT32_C(1) << t;
  s.on_block = mentions_block(&s.distance, s.moving, &analysis->pool) ||
               mentions_block(&s.step, UINT32_MAX, &analysis->pool);
  const uint32_t (*shapes)[3] = analysis->shapes.known ? analysis->shapes.block : typical_shapes;
  uint32_t n_shapes =
      analysis->shapes.known ? analysis->shapes.n : sizeof typical_shapes / sizeof *typical_shapes;
  for (uint32_t k = 0; k < n_shapes; ++k)
    if (!covers_warps(&s, shapes[k]))
      return false;
  // A constant step may cover the rows of most shapes and not of these.
  static const uint32_t wide_shapes[][3] = {{300, 2, 1}, {500, 2, 1}};
  for (uint32_t k = 0; k < sizeof wide_shapes / sizeof *wide_shapes && !analysis->shapes.known; ++k)
    if (!covers_warps(&s, wide_shapes[k]))
      s.rests |= DCP_RESTS_ON_ROWS;
  *rests |= s.rests;
  return true;
}

uint32_t dcp_deciding_value(const dcp_analysis *analysis, const dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  uint32_t block = exit->block;
  if (analysis->branch_level[block] < exit->level && analysis->control_from[block] != DC_NONE)
    block = analysis->control_from[block];
  return f->blocks[block].condition;
}

// What the differences behind a value come from.
typedef struct origins {
  bool memory_or_history; // loads, atomics, loops, arithmetic that isn't followed
  uint32_t unknown;       // a value of which nothing is known, or DC_NONE
} origins;

static void look_at(const dcp_analysis *analysis, uint32_t value, origins *found) {
  const ssa_value *v = &analysis->function->values[value];
  switch ((ssa_op)v->op) {
  case SSA_UNKNOWN:
    found->unknown = value;
    break;
  case SSA_ARGUMENT:
    if (!analysis->function->is_kernel)
      found->unknown = value;
    break;
  case SSA_LOAD:
  case SSA_FETCH:
  case SSA_ATOMIC:
  case SSA_SOURCE:
  case SSA_SHUFFLE:
  case SSA_VOTE:
  case SSA_ACTIVEMASK:
    found->memory_or_history = true;
    break;
  default:
    break;
  }
}

// Everything that a value follows from, along operands that differ between lanes.
static origins find_origins(const dcp_analysis *analysis, uint32_t value) {
  const ssa_function *f = analysis->function;
  origins found = {.unknown = DC_NONE};
  uint8_t *seen = calloc(f->n_values + 1, 1);
  uint32_t *todo = malloc((f->n_values + 1) * sizeof *todo), count = 0;
  if (seen && todo && value != DC_NONE) {
    todo[count++] = value;
    seen[value] = 1;
  }
  while (count > 0) {
    uint32_t at = todo[--count];
    const ssa_value *v = &f->values[at];
    look_at(analysis, at, &found);
    if (v->op == SSA_LOAD || v->op == SSA_FETCH || v->op == SSA_ATOMIC)
      continue;
    for (uint32_t k = 0; k < v->n_operands; ++k) {
      uint32_t operand = f->operands[v->first_operand + k];
      if (!seen[operand] && analysis->value_level[operand] == DC_DIVERGENT) {
        seen[operand] = 1;
        todo[count++] = operand;
      }
    }
  }
  free(seen);
  free(todo);
  return found;
}

static dc_class class_of_exit(dcp_analysis *analysis, const dcp_exit *exit, dcp_verdict *verdict) {
  if (exit->exact && analysis->node_level[exit->trips] == DC_DIVERGENT &&
      dcp_known_lane_function(analysis, exit->trips)) {
    uint8_t rests = 0;
    if (!is_strided(analysis, exit->trips, &rests))
      return DC_CLASS_LANE_AFFINE;
    verdict->rests |= rests;
    return DC_CLASS_STRIDED;
  }
  origins found = find_origins(analysis, dcp_deciding_value(analysis, exit));
  if (found.unknown == DC_NONE || found.memory_or_history)
    return DC_CLASS_DATA_DEPENDENT;
  verdict->unknown_value = found.unknown;
  return DC_CLASS_UNKNOWN;
}

// The trip count: the least of the exits' own, with "?" for those that have no form.
static dc_expr combine_trips(dcp_analysis *analysis, uint32_t loop) {
  dc_pool *pool = &analysis->pool;
  dc_expr least = DC_NO_EXPR;
  uint32_t formless = DC_NONE, n_formless = 0;
  for (uint32_t k = 0; k < analysis->n_exits; ++k) {
    const dcp_exit *exit = &analysis->exits[k];
    if (exit->loop != loop)
      continue;
    if (exit->trips == DC_NO_EXPR) {
      formless = analysis->function->blocks[exit->block].condition;
      ++n_formless;
    } else {
      least = least == DC_NO_EXPR ? exit->trips : dc_binary(pool, DC_OP_UMIN, least, exit->trips);
    }
  }
  if (n_formless == 0 || least == DC_NO_EXPR || formless == DC_NONE)
    return n_formless == 0 ? least : DC_NO_EXPR;
  return dc_binary(pool, DC_OP_UMIN, least, dc_leaf(pool, DC_OP_OPAQUE, 64, DC_UNIFORM, formless));
}

dcp_verdict dcp_classify(dcp_analysis *analysis, uint32_t loop) {
  static const uint8_t of_level[] = {DC_CLASS_UNIFORM, DC_CLASS_BLOCK_UNIFORM,
                                     DC_CLASS_WARP_UNIFORM};
  // From the mildest to the worst.
  static const uint8_t rank[] = {[DC_CLASS_STRIDED] = 1,
                                 [DC_CLASS_LANE_AFFINE] = 2,
                                 [DC_CLASS_DATA_DEPENDENT] = 3,
                                 [DC_CLASS_UNKNOWN] = 4};
  dcp_verdict verdict = {
      .level = analysis->loop_level[loop], .exit = DC_NONE, .unknown_value = DC_NONE};
  verdict.loop_class = verdict.level < DC_DIVERGENT ? of_level[verdict.level] : DC_CLASS_UNKNOWN;
  for (uint32_t k = 0; k < analysis->n_exits; ++k) {
    const dcp_exit *exit = &analysis->exits[k];
    if (exit->loop != loop)
      continue;
    uint32_t condition = analysis->function->blocks[exit->block].condition;
    if (exit->exact)
      verdict.rests |=
          analysis->node_rests[exit->trips] | (exit->rests_on_bound ? DCP_RESTS_ON_BOUND : 0);
    if (condition != DC_NONE && (!exit->exact || verdict.level < DC_DIVERGENT))
      verdict.rests |= analysis->value_rests[condition];
    if (exit->level < verdict.level)
      continue;
    if (verdict.level < DC_DIVERGENT) {
      verdict.exit = k;
      continue;
    }
    dc_class one = class_of_exit(analysis, exit, &verdict);
    if (verdict.exit == DC_NONE || rank[one] > rank[verdict.loop_class]) {
      verdict.loop_class = (uint8_t)one;
      verdict.exit = k;
    }
  }
  verdict.trips = combine_trips(analysis, loop);
  dcp_level_nodes(analysis, analysis->pool.count);
  return verdict;
}
