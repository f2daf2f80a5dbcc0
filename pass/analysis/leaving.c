// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long loops run that data end, where the code tells how likely that is: of two values, at
// least one of them from memory, one lane in a warp at most is taken to find them equal (compilers
// take equality for unlikely, too: T. Ball and J. R. Larus, Branch Prediction for Free, PLDI 1993,
// the opcode heuristic). So
// - a loop that goes on only while values are equal ends at once: comparisons of strings, digests;
// - what stands behind the other end of such a loop hardly ever happens: that all were equal;
// - neither does the end by a flag that all lanes read at one address: it comes once in a launch,
//   for all lanes of a warp;
// - lanes that merge parts of an array go round as often;
// - lanes that count how far they are count alike, and so do those that read at one address how far
//   they have to go.
// A loop that nothing but the last three may end before its counter does runs as long in all lanes.
#include "analysis/analysis.h"

#include <string.h>

#define DEPTH_MAX 6 // of a condition, of casts of what is loaded, and of blocks before an exit

typedef enum likelihood { LIKELY_UNKNOWN, LIKELY_TRUE, LIKELY_FALSE } likelihood;

// The load that a value is from, or its bits; or DC_NONE. An atomic that leaves memory as it is
// loads.
static uint32_t load_of(const ssa_function *f, uint32_t value) {
  for (unsigned depth = 0; depth < DEPTH_MAX; ++depth) {
    const ssa_value *v = &f->values[value];
    if (v->op == SSA_LOAD || (v->op == SSA_ATOMIC && v->i))
      return value;
    if (v->op != SSA_EXPR ||
        (v->expr != DC_OP_ZEXT && v->expr != DC_OP_SEXT && v->expr != DC_OP_TRUNC))
      return DC_NONE;
    value = ssa_operand(f, v, 0);
  }
  return DC_NONE;
}

static uint32_t array_of(const ssa_function *f, uint32_t load) {
  for (uint32_t k = 0; k < f->n_accesses; ++k)
    if (f->accesses[k].value == load)
      return f->accesses[k].root;
  return DC_NONE;
}

static bool is_constant(const ssa_function *f, uint32_t value) {
  return f->values[value].op == SSA_CONST || f->values[value].op == SSA_CONSTANT;
}

static bool is_of_all(const dcp_analysis *a, uint32_t load) {
  const ssa_value *v = &a->function->values[load];
  return a->value_level[ssa_operand(a->function, v, 0)] < DC_DIVERGENT;
}

// Elements of one array may well be sorted, or grouped, but not where each lane compares its own
// with one that all have. (All of dynamic shared memory is one; names tell its parts.)
static bool compares_data(const dcp_analysis *analysis, const ssa_value *v) {
  const ssa_function *f = analysis->function;
  uint32_t a = ssa_operand(f, v, 0), b = ssa_operand(f, v, 1);
  if (is_constant(f, a) || is_constant(f, b))
    return false;
  uint32_t left = load_of(f, a), right = load_of(f, b);
  if (left == DC_NONE || right == DC_NONE)
    return left != right;
  uint32_t array = array_of(f, left);
  return array == DC_NONE || array != array_of(f, right) ||
         is_of_all(analysis, left) != is_of_all(analysis, right) ||
         strcmp(f->texts[f->values[left].text], f->texts[f->values[right].text]) != 0;
}

static likelihood likelihood_of(const dcp_analysis *a, uint32_t condition, unsigned depth);

// Of a && b, or a || b where `any`: whether one part decides it.
static likelihood of_parts(const dcp_analysis *analysis, uint32_t a, uint32_t b, bool any,
                           unsigned depth) {
  likelihood first = likelihood_of(analysis, a, depth), second = likelihood_of(analysis, b, depth);
  likelihood decides = any ? LIKELY_TRUE : LIKELY_FALSE;
  if (first == decides || second == decides)
    return decides;
  return first == second ? first : LIKELY_UNKNOWN;
}

static likelihood likelihood_of(const dcp_analysis *a, uint32_t condition, unsigned depth) {
  const ssa_function *f = a->function;
  const ssa_value *v = &f->values[condition];
  if (v->op != SSA_EXPR || depth == 0)
    return LIKELY_UNKNOWN;
  switch ((dc_expr_op)v->expr) {
  case DC_OP_EQ:
    return compares_data(a, v) ? LIKELY_FALSE : LIKELY_UNKNOWN;
  case DC_OP_NE:
    return compares_data(a, v) ? LIKELY_TRUE : LIKELY_UNKNOWN;
  case DC_OP_AND:
  case DC_OP_OR:
    return v->bits == 1 ? of_parts(a, ssa_operand(f, v, 0), ssa_operand(f, v, 1),
                                   v->expr == DC_OP_OR, depth - 1)
                        : LIKELY_UNKNOWN;
  case DC_OP_SELECT: // a ? b : false, a ? true : b
    if (v->bits == 1 && is_constant(f, ssa_operand(f, v, 2)))
      return of_parts(a, ssa_operand(f, v, 0), ssa_operand(f, v, 1), false, depth - 1);
    if (v->bits == 1 && is_constant(f, ssa_operand(f, v, 1)))
      return of_parts(a, ssa_operand(f, v, 0), ssa_operand(f, v, 2), true, depth - 1);
    return LIKELY_UNKNOWN;
  default:
    return LIKELY_UNKNOWN;
  }
}

static bool leaves_if(const ssa_function *f, const dcp_exit *exit, likelihood chance) {
  bool first = f->edges[f->blocks[exit->block].first_successor] == exit->target;
  return chance == (first ? LIKELY_TRUE : LIKELY_FALSE);
}

static bool is_conditional(const ssa_function *f, uint32_t block) {
  return f->blocks[block].condition != DC_NONE && !f->blocks[block].is_switch &&
         f->blocks[block].n_successors == 2;
}

// Whether every iteration comes to a block: before it others may only leave the loop.
static bool is_always_reached(const ssa_function *f, uint32_t loop, uint32_t block) {
  uint32_t at = f->loops[loop].header;
  for (unsigned step = 0; step < DEPTH_MAX && at != block; ++step) {
    const ssa_block *from = &f->blocks[at];
    uint32_t next = DC_NONE, ways = 0;
    for (uint32_t k = 0; k < from->n_successors; ++k) {
      uint32_t to = f->edges[from->first_successor + k];
      bool inside = f->blocks[to].loop != DC_NONE && ssa_loop_contains(f, loop, f->blocks[to].loop);
      ways += inside;
      next = inside ? to : next;
    }
    if (ways != 1 || next == f->loops[loop].header)
      return false;
    at = next;
  }
  return at == block;
}

// Whether a loop's exit is taken in the first iteration, but by lanes that find values equal.
static bool is_at_once(const dcp_analysis *a, const dcp_exit *exit) {
  const ssa_function *f = a->function;
  const ssa_block *block = &f->blocks[exit->block];
  return block->loop == exit->loop && is_conditional(f, exit->block) &&
         leaves_if(f, exit, likelihood_of(a, block->condition, DEPTH_MAX)) &&
         is_always_reached(f, exit->loop, exit->block);
}

static bool ends_at_once(const dcp_analysis *a, uint32_t loop) {
  for (uint32_t e = 0; e < a->n_exits; ++e)
    if (a->exits[e].loop == loop && is_at_once(a, &a->exits[e]))
      return true;
  return false;
}

// Whether a block is come to only where a loop before it, in the same loop, has found all equal.
static bool is_behind_equality(const dcp_analysis *a, uint32_t block) {
  const ssa_function *f = a->function;
  const ssa_block *to = &f->blocks[block];
  if (to->n_predecessors != 1)
    return false;
  uint32_t from = f->edges[to->first_predecessor], inner = f->blocks[from].loop;
  if (inner == DC_NONE || inner == to->loop || f->loops[inner].parent != to->loop)
    return false;
  for (uint32_t e = 0; e < a->n_exits; ++e)
    if (a->exits[e].loop == inner && is_at_once(a, &a->exits[e]))
      return a->exits[e].target != block;
  return false;
}

// Whether a value is read from an address that all lanes have, and compared with a number.
static bool is_flag(const dcp_analysis *a, uint32_t condition) {
  const ssa_function *f = a->function;
  const ssa_value *v = &f->values[condition];
  if (v->op != SSA_EXPR || v->n_operands != 2 || v->expr < DC_OP_EQ || v->expr > DC_OP_SLE ||
      !is_constant(f, ssa_operand(f, v, 1)))
    return false;
  uint32_t load = load_of(f, ssa_operand(f, v, 0));
  return load != DC_NONE && is_of_all(a, load);
}

// Whether an exit is where something of the thread's index comes to a limit that all lanes share,
// perhaps in memory, which is taken to stay as it is: the end of an array, of count[blockIdx.x].
static bool is_at_limit_of_all(const dcp_analysis *a, uint32_t condition) {
  const ssa_function *f = a->function;
  const ssa_value *v = &f->values[condition];
  if (v->op != SSA_EXPR || v->expr < DC_OP_ULT || v->expr > DC_OP_SLE ||
      !dcp_known_lane_function(a, a->exprs[condition]))
    return false;
  for (uint32_t k = 0; k < 2; ++k) {
    uint32_t limit = ssa_operand(f, v, k);
    uint32_t load = load_of(f, limit);
    if (a->value_level[limit] < DC_DIVERGENT || (load != DC_NONE && is_of_all(a, load)))
      return true;
  }
  return false;
}

// Whether next to no lane takes an exit, or lanes that have counted as often do together.
static bool is_alike(dcp_analysis *a, const dcp_exit *exit) {
  const ssa_function *f = a->function;
  const ssa_block *block = &f->blocks[exit->block];
  if (block->loop != exit->loop) // the other end of a loop inside
    return f->loops[block->loop].parent == exit->loop && ends_at_once(a, block->loop);
  return is_conditional(f, exit->block) &&
         (is_behind_equality(a, exit->block) || is_flag(a, block->condition) ||
          is_at_limit_of_all(a, block->condition) ||
          dcp_lanes_agree(a, block->condition, exit->block, false));
}

// How many iterations the exits let a loop run that don't go by data; 0: nobody knows.
static int64_t counted_trips(const dcp_analysis *a, uint32_t loop) {
  int64_t least = 0;
  for (uint32_t e = 0; e < a->n_exits; ++e) {
    const dcp_exit *exit = &a->exits[e];
    const dc_expr_node *trips = exit->trips == DC_NO_EXPR ? NULL : &a->pool.nodes[exit->trips];
    if (exit->loop == loop && trips && trips->op == DC_OP_CONST && trips->i > 0 &&
        (least == 0 || trips->i < least))
      least = trips->i;
  }
  return least;
}

// Whether a trip count differs between lanes by nothing but what they read at one address.
static bool is_read_by_all(const dcp_analysis *a, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &a->pool.nodes[e];
  if (a->node_level[e] < DC_DIVERGENT)
    return true;
  if (node->op == DC_OP_LOAD)
    return is_of_all(a, (uint32_t)node->i);
  if (node->a == DC_NO_EXPR || depth == 0)
    return false;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !is_read_by_all(a, operands[k], depth - 1))
      return false;
  return true;
}

dcp_expected_end dcp_expect_end(dcp_analysis *analysis, uint32_t loop, int64_t *trips) {
  bool any = false, all = true;
  *trips = 0;
  for (uint32_t e = 0; e < analysis->n_exits; ++e) {
    const dcp_exit *exit = &analysis->exits[e];
    if (exit->loop != loop)
      continue;
    if (is_at_once(analysis, exit))
      return DCP_ENDS_AT_ONCE;
    if (exit->level < DC_DIVERGENT || dcp_known_lane_function(analysis, exit->trips))
      continue;
    any = true;
    all &= exit->trips != DC_NO_EXPR
               ? is_read_by_all(analysis, exit->trips, DEPTH_MAX)
               : dcp_is_merge_of_parts(analysis, exit) || is_alike(analysis, exit);
  }
  *trips = counted_trips(analysis, loop);
  return any && all ? DCP_ENDS_ALIKE : DCP_ENDS_BY_DATA;
}
