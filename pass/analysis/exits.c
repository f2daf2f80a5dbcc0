// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How each loop ends. For an exit that is tested once in every iteration, the trip count that it
// alone would give: with a condition a < b whose distance b - a shrinks by an invariant step, the
// number of steps to cover it; with another condition over known values, the first iteration at
// which it holds. What the two ends of the loop share has cancelled by then, so `for (i = t*k; i <
// t*k + k; ++i)` has k trips whatever t is.
#include "analysis/analysis.h"
#include "analysis/counted.h"

#include <stdlib.h>

bool dcp_dominates(const ssa_function *function, uint32_t a, uint32_t b) {
  while (b != DC_NONE && b != a && function->blocks[b].order > function->blocks[a].order)
    b = function->blocks[b].dominator;
  return a == b;
}

// The exit's block is passed in every iteration that isn't the last.
static bool tested_each_iteration(const ssa_function *f, const dcp_exit *exit) {
  const ssa_loop *loop = &f->loops[exit->loop];
  if (loop->irreducible || loop->bodies > 1 || f->blocks[exit->block].loop != exit->loop)
    return false;
  const ssa_block *header = &f->blocks[loop->header];
  for (uint32_t k = 0; k < header->n_predecessors; ++k) {
    uint32_t from = f->edges[header->first_predecessor + k];
    if (ssa_loop_contains(f, exit->loop, f->blocks[from].loop) &&
        !dcp_dominates(f, exit->block, from))
      return false;
  }
  return true;
}

// Without a source to ask, a condition in the header stands before the body, unless the whole loop
// is that block.
static bool is_in_front(const ssa_function *f, const dcp_exit *exit) {
  const ssa_block *block = &f->blocks[exit->block];
  bool turns = false;
  for (uint32_t s = 0; s < block->n_successors; ++s)
    turns |= f->edges[block->first_successor + s] == exit->block;
  return exit->block == f->loops[exit->loop].header && !turns;
}

// Whether the source tests this exit before the first statement of the body: then an iteration that
// it ends doesn't count.
static bool tests_first(const ssa_function *f, const dcp_exit *exit) {
  const ssa_loop *loop = &f->loops[exit->loop];
  if (!loop->tests_first)
    return false;
  return loop->bodies ? !dcp_dominates(f, loop->body, exit->block) : is_in_front(f, exit);
}

static dc_expr opposite(dcp_analysis *analysis, dc_expr e) {
  return dc_expr_binary(&analysis->pool, DC_OP_XOR, e, dc_expr_constant(&analysis->pool, 1, 1));
}

// One condition of several that has no count may be one for a run of the loop.
static void run_part(dcp_analysis *analysis, dcp_exit *exit, dc_expr e, bool stays_if_true) {
  if (exit->trips == DC_NO_EXPR)
    exit->trips = dcp_run_until(analysis, stays_if_true ? opposite(analysis, e) : e, exit->loop);
}

// Staying in the loop may take two conditions: the lanes leave at the first that doesn't hold.
static void counted_conjunction(dcp_analysis *analysis, dcp_exit *exit, dc_expr e,
                                bool stays_if_true, unsigned depth) {
  dc_expr two[2];
  if (depth > 0 && dc_expr_split_joined(&analysis->pool, e, !stays_if_true, two)) {
    dcp_exit first = *exit, second = *exit;
    counted_conjunction(analysis, &first, two[0], stays_if_true, depth - 1);
    counted_conjunction(analysis, &second, two[1], stays_if_true, depth - 1);
    run_part(analysis, &first, two[0], stays_if_true);
    run_part(analysis, &second, two[1], stays_if_true);
    if (first.trips == DC_NO_EXPR || second.trips == DC_NO_EXPR)
      return;
    exit->trips = dc_expr_binary(&analysis->pool, DC_OP_UMIN, first.trips, second.trips);
    exit->exact = exit->trips != DC_NO_EXPR;
    exit->loose = first.loose || second.loose;
    exit->modular = first.modular && second.modular;
    exit->rests_on_bound = first.rests_on_bound || second.rests_on_bound;
    exit->ends_may_wrap = first.ends_may_wrap || second.ends_may_wrap;
    exit->counter_may_wrap = first.counter_may_wrap || second.counter_may_wrap;
    exit->may_pass_largest = first.may_pass_largest || second.may_pass_largest;
    return;
  }
  dcp_condition stay;
  if (!dcp_stay_condition(analysis, e, stays_if_true, &stay))
    return;
  dcp_count_exit(analysis, exit, &stay);
}

// The least trip count that conditions of a conjunction give, where others have none: a bound.
static dc_expr counted_part(dcp_analysis *analysis, const dcp_exit *exit, dc_expr e,
                            bool stays_if_true, unsigned depth) {
  dc_expr two[2];
  dcp_exit one = *exit;
  if (depth > 0 && dc_expr_split_joined(&analysis->pool, e, !stays_if_true, two)) {
    dc_expr first = counted_part(analysis, exit, two[0], stays_if_true, depth - 1);
    dc_expr second = counted_part(analysis, exit, two[1], stays_if_true, depth - 1);
    return first == DC_NO_EXPR    ? second
           : second == DC_NO_EXPR ? first
                                  : dc_expr_binary(&analysis->pool, DC_OP_UMIN, first, second);
  }
  counted_conjunction(analysis, &one, e, stays_if_true, 0);
  return one.loose ? DC_NO_EXPR : one.trips;
}

static void bounded_exit(dcp_analysis *analysis, dcp_exit *exit, bool stays_if_true) {
  uint32_t condition = analysis->function->blocks[exit->block].condition;
  dc_expr part = counted_part(analysis, exit, analysis->exprs[condition], stays_if_true, 3);
  if (part == DC_NO_EXPR)
    part = dcp_most_halvings(analysis, exit, stays_if_true);
  if (part == DC_NO_EXPR)
    return;
  exit->trips =
      dc_expr_binary(&analysis->pool, DC_OP_UMIN, part,
                     dc_expr_leaf(&analysis->pool, DC_OP_OPAQUE, 64, DC_UNIFORM, condition));
}

// Whether an evaluator that knows the lane, and uniform values, can follow the condition from
// iteration to iteration.
static bool can_be_followed(dcp_analysis *analysis, dc_expr e, uint32_t loop, unsigned depth) {
  const dc_expr_node *node = &analysis->pool.nodes[e];
  if (node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE)
    return node->bits > 1 &&
           dcp_is_invariant(analysis, e, loop); // a flag that nobody knows decides by itself
  if (depth == 0)
    return false;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !can_be_followed(analysis, operands[k], loop, depth - 1))
      return false;
  return true;
}

bool dcp_can_be_followed(dcp_analysis *analysis, dc_expr e, uint32_t loop) {
  return can_be_followed(analysis, e, loop, 12);
}

static bool has_only_iterations(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_CONST || node->op == DC_OP_IV)
    return true;
  if (node->a == DC_NO_EXPR || node->op == DC_OP_LOAD || depth == 0)
    return false;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !has_only_iterations(pool, operands[k], depth - 1))
      return false;
  return true;
}

// What halves or divides what is left also has a bound.
static dc_expr run_until(dcp_analysis *analysis, const dcp_exit *exit, dc_expr e,
                         bool stays_if_true) {
  dc_expr run = dcp_run_until(analysis, e, exit->loop);
  dc_expr most = run == DC_NO_EXPR ? run : dcp_most_halvings(analysis, exit, stays_if_true);
  return most == DC_NO_EXPR ? run : dc_expr_binary(&analysis->pool, DC_OP_UMIN, most, run);
}

static void searched_exit(dcp_analysis *analysis, dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  const ssa_block *block = &f->blocks[exit->block];
  dc_expr_pool *pool = &analysis->pool;
  dc_expr e = block->condition == DC_NONE || block->is_switch ? DC_NO_EXPR
                                                              : analysis->exprs[block->condition];
  if (e == DC_NO_EXPR || dcp_is_invariant(analysis, e, exit->loop))
    return;
  bool stays_if_true = f->edges[block->first_successor] != exit->target;
  if (stays_if_true)
    e = opposite(analysis, e);
  if (dcp_can_be_followed(analysis, e, exit->loop))
    exit->trips =
        dc_expr_apply(pool, DC_OP_FIRST, 64, DC_UNIFORM, e, DC_NO_EXPR, DC_NO_EXPR, exit->loop);
  else
    exit->trips = run_until(analysis, exit, e, stays_if_true);
  dc_expr_environment nothing = {.budget = dcp_limit->search_operations};
  int64_t count;
  if (exit->trips != DC_NO_EXPR && has_only_iterations(pool, e, 6) &&
      dc_expr_evaluate(pool, exit->trips, &nothing, &count))
    exit->trips = dc_expr_constant(pool, 64, count);
  exit->exact = exit->trips != DC_NO_EXPR;
}

static dc_expr one_more(dc_expr_pool *pool, dc_expr trips, bool modular) {
  dc_expr next = dc_expr_binary(pool, DC_OP_ADD, trips, dc_expr_constant(pool, 64, 1));
  return modular ? dc_expr_binary(pool, DC_OP_UMAX, next, trips) : next;
}

// Fills in how many iterations are completed when an exit is taken that is tested in each.
static void count_iterations(dcp_analysis *analysis, dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  const ssa_block *from = &f->blocks[exit->block];
  bool two_ways = from->condition != DC_NONE && !from->is_switch && from->n_successors == 2;
  bool stays_if_true = two_ways && f->edges[from->first_successor + 1] == exit->target;
  if (two_ways && analysis->exprs[from->condition] != DC_NO_EXPR)
    counted_conjunction(analysis, exit, analysis->exprs[from->condition], stays_if_true, 3);
  if (exit->trips == DC_NO_EXPR)
    searched_exit(analysis, exit);
  if (exit->trips == DC_NO_EXPR && two_ways && analysis->exprs[from->condition] != DC_NO_EXPR)
    bounded_exit(analysis, exit, stays_if_true);
  exit->counter_may_wrap |=
      two_ways && exit->exact && dcp_inner_steps_may_wrap(analysis, from->condition, exit->loop);
}

static void add_exit(dcp_analysis *analysis, uint32_t loop, uint32_t block, uint32_t target) {
  dcp_exit exit = {.loop = loop, .block = block, .target = target, .trips = DC_NO_EXPR};
  if (tested_each_iteration(analysis->function, &exit)) {
    count_iterations(analysis, &exit);
    if (exit.trips != DC_NO_EXPR && !tests_first(analysis->function, &exit))
      exit.trips = one_more(&analysis->pool, exit.trips, exit.modular);
  }
  if (analysis->block_exit[block] == DC_NONE)
    analysis->block_exit[block] = analysis->n_exits;
  analysis->exits[analysis->n_exits++] = exit;
}

// The block that an edge leads to which leaves a loop for good; else DC_NONE.
static uint32_t way_out(const ssa_function *f, uint32_t loop, uint32_t edge) {
  const ssa_block *target = &f->blocks[f->edges[edge]];
  bool stays = target->loop != DC_NONE && ssa_loop_contains(f, loop, target->loop);
  return stays || target->dead_end ? DC_NONE : f->edges[edge];
}

uint32_t dcp_only_exit(const ssa_function *f, uint32_t loop) {
  uint32_t only = DC_NONE;
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    uint32_t b = f->loop_blocks[f->loops[loop].first_block + k];
    for (uint32_t s = 0; s < f->blocks[b].n_successors; ++s) {
      if (way_out(f, loop, f->blocks[b].first_successor + s) == DC_NONE)
        continue;
      if (only != DC_NONE)
        return DC_NONE;
      only = b;
    }
  }
  return only;
}

dc_expr dcp_completed_iterations(dcp_analysis *analysis, uint32_t loop, uint32_t block) {
  const ssa_function *f = analysis->function;
  dcp_exit exit = {.loop = loop, .block = block, .target = DC_NONE, .trips = DC_NO_EXPR};
  for (uint32_t s = 0; s < f->blocks[block].n_successors && exit.target == DC_NONE; ++s)
    exit.target = way_out(f, loop, f->blocks[block].first_successor + s);
  if (tested_each_iteration(f, &exit))
    count_iterations(analysis, &exit);
  bool known = exit.trips != DC_NO_EXPR && exit.exact && !exit.loose && !exit.rests_on_bound &&
               !exit.counter_may_wrap;
  return known ? exit.trips : DC_NO_EXPR;
}

void dcp_find_exits(dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  uint32_t capacity = 0;
  for (uint32_t b = 0; b < f->n_blocks; ++b)
    if (f->blocks[b].loop != DC_NONE)
      capacity += f->blocks[b].n_successors * f->loops[f->blocks[b].loop].depth;
  analysis->exits = calloc(capacity ? capacity : 1, sizeof *analysis->exits);
  if (!analysis->exits) {
    analysis->out_of_memory = true;
    return;
  }
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    uint32_t b = f->in_order[k];
    const ssa_block *block = &f->blocks[b];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t target = f->edges[block->first_successor + s], into = f->blocks[target].loop;
      if (f->blocks[target].dead_end)
        continue;
      for (uint32_t loop = block->loop; loop != DC_NONE && !ssa_loop_contains(f, loop, into);
           loop = f->loops[loop].parent)
        add_exit(analysis, loop, b, target);
    }
  }
}
