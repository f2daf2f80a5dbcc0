// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of a loop, from the levels of its exits and, where lanes leave in different iterations,
// from what its trip count is made of: threadIdx alone (strided if the lanes of a warp start within
// one step of each other, lane-affine otherwise), or values that memory or earlier iterations
// brought in. The worst exit decides.
#include "analysis/analysis.h"

#include <stdlib.h>

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
      uint32_t operand = ssa_operand(f, v, k);
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

// Among whom a trip count is the same in which start and bound cancel: the counters themselves
// differ, and may wrap in one lane and not in another.
static bool counters_differ(const dcp_analysis *analysis, const dcp_exit *exit) {
  uint32_t condition = analysis->function->blocks[exit->block].condition;
  return (exit->counter_may_wrap || exit->may_pass_largest) && condition != DC_NONE &&
         analysis->value_level[condition] > analysis->node_level[exit->trips];
}

static dc_class class_of_exit(dcp_analysis *analysis, const dcp_exit *exit, dcp_verdict *verdict) {
  if (exit->exact && analysis->node_level[exit->trips] == DC_DIVERGENT &&
      dcp_known_lane_function(analysis, exit->trips)) {
    dcp_stride stride = {.need = verdict->need};
    verdict->assumes |= exit->counter_may_wrap ? DCP_ASSUMES_COUNTER : 0;
    if (!dcp_is_strided(analysis, exit->trips, &stride))
      return DC_CLASS_LANE_AFFINE;
    verdict->assumes |= stride.assumes | (exit->ends_may_wrap ? DCP_ASSUMES_BOUND : 0);
    verdict->need = stride.need;
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
  dc_expr_pool *pool = &analysis->pool;
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
      least =
          least == DC_NO_EXPR ? exit->trips : dc_expr_binary(pool, DC_OP_UMIN, least, exit->trips);
    }
  }
  if (n_formless == 0 || least == DC_NO_EXPR || formless == DC_NONE)
    return n_formless == 0 ? least : DC_NO_EXPR;
  return dc_expr_binary(pool, DC_OP_UMIN, least,
                        dc_expr_leaf(pool, DC_OP_OPAQUE, 64, DC_UNIFORM, formless));
}

uint8_t dcp_rests_of_trips(const dcp_analysis *analysis, const dcp_exit *exit) {
  return analysis->node_assumes[exit->trips] | (exit->rests_on_bound ? DCP_ASSUMES_BOUND : 0) |
         (counters_differ(analysis, exit) ? DCP_ASSUMES_COUNTER : 0);
}

dcp_verdict dcp_classify(dcp_analysis *analysis, uint32_t loop) {
  static const uint8_t of_level[] = {DC_CLASS_UNIFORM, DC_CLASS_BLOCK_UNIFORM,
                                     DC_CLASS_WARP_UNIFORM};
  // From the mildest to the worst.
  static const uint8_t rank[] = {[DC_CLASS_STRIDED] = 1,
                                 [DC_CLASS_LANE_AFFINE] = 2,
                                 [DC_CLASS_DATA_DEPENDENT] = 3,
                                 [DC_CLASS_UNKNOWN] = 4};
  dcp_verdict verdict = {.level = analysis->loop_level[loop],
                         .need = {.product = DC_NO_EXPR},
                         .exit = DC_NONE,
                         .unknown_value = DC_NONE};
  verdict.loop_class = verdict.level < DC_DIVERGENT ? of_level[verdict.level] : DC_CLASS_UNKNOWN;
  for (uint32_t k = 0; k < analysis->n_exits; ++k) {
    const dcp_exit *exit = &analysis->exits[k];
    if (exit->loop != loop)
      continue;
    uint32_t condition = analysis->function->blocks[exit->block].condition;
    if (exit->exact)
      verdict.assumes |= dcp_rests_of_trips(analysis, exit);
    if (condition != DC_NONE && (!exit->exact || verdict.level < DC_DIVERGENT))
      verdict.assumes |= analysis->value_rests[condition];
    // An exit in a loop inside is come to as the lanes come there.
    if (verdict.level < DC_DIVERGENT && analysis->function->blocks[exit->block].loop != loop)
      verdict.assumes |= analysis->control_rests[exit->block];
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
