// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Among whom each value is the same, each branch is taken together and each block runs together:
// the least fixed point of three rules over the levels uniform < block-uniform < warp-uniform <
// divergent.
//
// - Data: a value varies as much as its operands, or as its source does (the table of
//   docs/internals/analysis.md).
// - Control: where the paths from a branch of level l meet, a phi varies at least as much as l. In
//   between, blocks run with a part of the lanes. This is sync dependence: labels are sent down
//   each path, and two labels meet at a join, after Karrenberg and Hack 2012 and LLVM's
//   GenericUniformityImpl.h.
// - Time: what a loop leaves behind varies as much as its exits do, since lanes leave in different
//   iterations.
//
// Lanes that return for good don't count as apart: those that stay still run together.
//
// Cost: a round is linear; each rise of a branch's level walks the region that it controls.
// Functions for which that is more than a bound are given up (limits.h).
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

typedef struct label {
  uint32_t pending; // blocks that wait with this label
  bool ended;       // some of its lanes wait at the loop's header or have left the loop
  bool alive;       // some of its lanes meet others
} label;

typedef struct visit {
  uint32_t block, label;
} visit;

typedef struct arrival {
  uint32_t from, to;
} arrival;

typedef struct reached_exit {
  uint32_t exit;
  bool returns; // out of all loops: the lanes meet no others
} reached_exit;

// One walk from the exits of a branch, or of a loop, to where they meet.
typedef struct walk {
  dcp_analysis *analysis;
  uint32_t context; // the loop that the walk stays in, or DC_NONE
  uint32_t origin;  // block to blame
  uint8_t level;
  uint32_t *label_of; // of each block: label, or DC_NONE
  uint64_t *waiting;  // set of positions in the reverse post-order
  label *labels;
  uint32_t n_labels;
  visit *visits;
  uint32_t n_visits;
  reached_exit *exits;
  uint32_t n_exits;
  arrival *arrivals; // edges that were taken
  uint32_t n_arrivals;
  uint8_t *joins; // of each block: two ways met here
} walk;

static void free_walk(walk *w) {
  free(w->label_of);
  free(w->waiting);
  free(w->labels);
  free(w->visits);
  free(w->exits);
  free(w->arrivals);
  free(w->joins);
}

static bool init_walk(walk *w, dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  size_t blocks = f->n_blocks + 1, words = f->n_in_order / 64 + 1;
  *w = (walk){.analysis = analysis};
  w->label_of = malloc(blocks * sizeof *w->label_of);
  w->waiting = calloc(words, sizeof *w->waiting);
  w->labels = malloc((blocks + 2 * (size_t)f->n_edges) * sizeof *w->labels);
  w->visits = malloc(blocks * sizeof *w->visits);
  w->exits = malloc((analysis->n_exits + 1) * sizeof *w->exits);
  w->arrivals = malloc((f->n_edges + analysis->n_exits + 1) * sizeof *w->arrivals);
  w->joins = calloc(blocks, 1);
  if (w->label_of)
    memset(w->label_of, 0xff, blocks * sizeof *w->label_of);
  return w->label_of && w->waiting && w->labels && w->visits && w->exits && w->arrivals && w->joins;
}

static void start_walk(walk *w, uint32_t context, uint32_t origin, uint8_t level) {
  w->context = context;
  w->origin = origin;
  w->level = level;
  w->n_labels = w->n_visits = w->n_exits = w->n_arrivals = 0;
}

static uint32_t new_label(walk *w) {
  w->labels[w->n_labels] = (label){0};
  return w->n_labels++;
}

static bool raise(uint8_t *level, uint8_t to) {
  if (*level >= to)
    return false;
  *level = to;
  return true;
}

static void mark_join(walk *w, uint32_t block) {
  w->joins[block] = 1;
  if (raise(&w->analysis->join[block], w->level))
    w->analysis->join_from[block] = w->origin;
}

// A return leaves the loops around the walk's, too; those that it found on its way lanes came to
// together.
static void reach_exits(walk *w, uint32_t from, uint32_t to, bool returns) {
  const dcp_analysis *analysis = w->analysis;
  for (uint32_t k = analysis->block_exit[from];
       k < analysis->n_exits && analysis->exits[k].block == from; ++k) {
    const dcp_exit *exit = &analysis->exits[k];
    bool left = exit->loop == w->context ||
                (returns && ssa_loop_contains(analysis->function, exit->loop, w->context));
    if (left && exit->target == to && w->n_exits < analysis->n_exits)
      w->exits[w->n_exits++] = (reached_exit){k, returns};
  }
}

static void leave_loop(walk *w, uint32_t from, uint32_t to, uint32_t with) {
  w->labels[with].ended = w->labels[with].alive = true;
  reach_exits(w, from, to, false);
}

static void wait_at(walk *w, uint32_t block, uint32_t with) {
  uint32_t order = w->analysis->function->blocks[block].order, have = w->label_of[block];
  if (have == with)
    return;
  if (have != DC_NONE) { // two ways meet
    mark_join(w, block);
    w->labels[have].alive = w->labels[with].alive = true;
    --w->labels[have].pending;
    with = new_label(w);
  }
  w->label_of[block] = with;
  ++w->labels[with].pending;
  w->waiting[order / 64] |= UINT64_C(1) << order % 64;
}

static void arrive(walk *w, uint32_t from, uint32_t to, uint32_t with) {
  const ssa_function *f = w->analysis->function;
  const ssa_block *block = &f->blocks[to];
  ++w->analysis->work;
  w->arrivals[w->n_arrivals++] = (arrival){from, to};
  if (block->dead_end)
    return;
  if (block->just_returns) {
    if (from != DC_NONE && w->context != DC_NONE)
      reach_exits(w, from, to, true);
    return;
  }
  if (w->context != DC_NONE && !ssa_loop_contains(f, w->context, block->loop)) {
    leave_loop(w, from, to, with);
  } else if (w->context != DC_NONE && f->loops[w->context].header == to) {
    // A loop has one way back (LoopSimplify), on which all others have met; in irreducible ones all
    // blocks are joins.
    w->labels[with].ended = w->labels[with].alive = true;
  } else if (from == DC_NONE || block->order > f->blocks[from].order) {
    wait_at(w, to, with);
  }
}

static uint32_t next_block(walk *w, uint32_t *word) {
  const ssa_function *f = w->analysis->function;
  for (uint32_t last = f->n_in_order / 64; *word <= last; ++*word)
    for (uint32_t bit = 0; w->waiting[*word] && bit < 64; ++bit)
      if (w->waiting[*word] >> bit & 1) {
        w->waiting[*word] &= ~(UINT64_C(1) << bit);
        return f->in_order[*word * 64 + bit];
      }
  return DC_NONE;
}

static bool alone(const walk *w, uint32_t with) {
  for (uint32_t k = 0; k < w->n_labels; ++k)
    if (k != with && (w->labels[k].pending > 0 || w->labels[k].ended))
      return false;
  return true;
}

static void run_walk(walk *w) {
  const ssa_function *f = w->analysis->function;
  uint32_t word = 0;
  for (uint32_t b = next_block(w, &word); b != DC_NONE; b = next_block(w, &word)) {
    uint32_t with = w->label_of[b];
    --w->labels[with].pending;
    if (alone(w, with)) { // every lane that goes on is here
      for (; b != DC_NONE; b = next_block(w, &word))
        w->label_of[b] = DC_NONE;
      break;
    }
    w->visits[w->n_visits++] = (visit){b, with};
    const ssa_block *block = &f->blocks[b];
    for (uint32_t s = 0; s < block->n_successors; ++s)
      arrive(w, b, f->edges[block->first_successor + s], with);
    w->analysis->work += w->n_labels;
  }
}

static bool raise_edge(dcp_analysis *analysis, uint32_t from, uint32_t to, uint8_t level) {
  const ssa_function *f = analysis->function;
  const ssa_block *block = &f->blocks[to];
  bool changed = false;
  for (uint32_t p = 0; p < block->n_predecessors; ++p)
    if (f->edges[block->first_predecessor + p] == from)
      changed |= raise(&analysis->edge_join[block->first_predecessor + p], level);
  return changed;
}

static bool raise_exit(dcp_analysis *analysis, walk *w, uint32_t exit, uint8_t level);
static bool raise_irreducible(dcp_analysis *analysis, uint32_t block, uint8_t level);

// Takes what the walk found into the tables, and leaves the walk's own ready for the next.
static bool finish_walk(walk *w) {
  dcp_analysis *analysis = w->analysis;
  uint32_t alive = 0;
  for (uint32_t k = 0; k < w->n_labels; ++k)
    alive += w->labels[k].alive;
  bool changed = false;
  for (uint32_t k = 0; k < w->n_visits; ++k) {
    uint32_t b = w->visits[k].block;
    if (alive > 1 && w->labels[w->visits[k].label].alive &&
        raise(&analysis->control[b], w->level)) {
      analysis->control_from[b] = w->origin;
      changed = true;
    }
    // Lanes may have come into such a cycle in different places, and its back edges aren't walked.
    changed |= raise_irreducible(analysis, b, w->level);
    w->label_of[b] = DC_NONE;
  }
  for (uint32_t k = 0; k < w->n_arrivals; ++k)
    if (w->joins[w->arrivals[k].to])
      changed |= raise_edge(analysis, w->arrivals[k].from, w->arrivals[k].to, w->level);
  for (uint32_t k = 0; k < w->n_arrivals; ++k)
    w->joins[w->arrivals[k].to] = 0;
  // raise_exit walks on its own: copy what it must do first.
  uint32_t n_exits = w->n_exits;
  uint8_t level = w->level;
  reached_exit *exits = n_exits ? malloc(n_exits * sizeof *exits) : NULL;
  if (n_exits && !exits) {
    analysis->out_of_memory = true;
    return changed;
  }
  if (n_exits)
    memcpy(exits, w->exits, n_exits * sizeof *exits);
  for (uint32_t k = 0; k < n_exits; ++k)
    if (alive > 1 || exits[k].returns)
      changed |= raise_exit(analysis, w, exits[k].exit, level);
  free(exits);
  return changed;
}

static bool raise_blocks(dcp_analysis *analysis, uint32_t loop, uint8_t level, uint32_t origin) {
  const ssa_function *f = analysis->function;
  bool changed = false;
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    uint32_t b = f->loop_blocks[f->loops[loop].first_block + k];
    if (raise(&analysis->control[b], level)) {
      analysis->control_from[b] = origin;
      changed = true;
    }
  }
  return changed;
}

// Lanes leave the loop of this exit in different iterations, at that level.
static bool raise_exit(dcp_analysis *analysis, walk *w, uint32_t exit, uint8_t level) {
  const ssa_function *f = analysis->function;
  dcp_exit *e = &analysis->exits[exit];
  uint32_t loop = e->loop, origin = e->block;
  bool changed = raise(&e->level, level);
  changed |= raise(&analysis->loop_level[loop], level);
  if (f->blocks[e->target].just_returns || !raise(&analysis->loop_rejoin[loop], level))
    return changed;
  raise_blocks(analysis, loop, level, origin);
  start_walk(w, f->loops[loop].parent, origin, level);
  for (uint32_t k = 0; k < analysis->n_exits; ++k)
    if (analysis->exits[k].loop == loop)
      arrive(w, analysis->exits[k].block, analysis->exits[k].target, new_label(w));
  run_walk(w);
  finish_walk(w);
  return true;
}

// The exit that block's branch is for its innermost loop, where the trip count decides about its
// level; else NULL.
static const dcp_exit *exact_exit(const dcp_analysis *analysis, uint32_t block) {
  for (uint32_t k = analysis->block_exit[block];
       k < analysis->n_exits && analysis->exits[k].block == block; ++k)
    if (analysis->exits[k].exact)
      return &analysis->exits[k];
  return NULL;
}

static uint8_t level_of_branch(const dcp_analysis *analysis, uint32_t block) {
  const ssa_block *b = &analysis->function->blocks[block];
  if (b->condition == DC_NONE || b->n_successors < 2)
    return DC_UNIFORM;
  uint8_t level = analysis->value_level[b->condition];
  if (level > DC_UNIFORM && b->loop != DC_NONE) {
    const dcp_exit *exit = exact_exit(analysis, block);
    if (exit && !exit->loose && analysis->node_level[exit->trips] < level)
      level = analysis->node_level[exit->trips];
  }
  return level;
}

static bool raise_irreducible(dcp_analysis *analysis, uint32_t block, uint8_t level) {
  const ssa_function *f = analysis->function;
  bool changed = false;
  for (uint32_t loop = f->blocks[block].loop; loop != DC_NONE; loop = f->loops[loop].parent) {
    if (!f->loops[loop].irreducible)
      continue;
    changed |= raise_blocks(analysis, loop, level, block);
    for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
      uint32_t b = f->loop_blocks[f->loops[loop].first_block + k];
      changed |= raise(&analysis->join[b], level);
      for (uint32_t p = 0; p < f->blocks[b].n_predecessors; ++p)
        changed |= raise(&analysis->edge_join[f->blocks[b].first_predecessor + p], level);
    }
    changed |= raise(&analysis->loop_level[loop], level);
  }
  return changed;
}

// Lanes that go round an irreducible cycle apart leave it in different rounds, by each of its exits
// and from each loop that the exit leaves.
static bool raise_irreducible_exits(dcp_analysis *analysis, walk *w, uint32_t block) {
  const ssa_function *f = analysis->function;
  uint8_t level = DC_UNIFORM;
  for (uint32_t loop = f->blocks[block].loop; loop != DC_NONE; loop = f->loops[loop].parent)
    if (f->loops[loop].irreducible && analysis->loop_level[loop] > level)
      level = analysis->loop_level[loop];
  bool changed = false;
  for (uint32_t k = analysis->block_exit[block];
       k < analysis->n_exits && analysis->exits[k].block == block; ++k)
    if (analysis->exits[k].level < level)
      changed |= raise_exit(analysis, w, k, level);
  return changed;
}

static bool raise_branch(dcp_analysis *analysis, walk *w, uint32_t block, uint8_t level) {
  const ssa_function *f = analysis->function;
  const ssa_block *b = &f->blocks[block];
  if (!raise(&analysis->branch_level[block], level))
    return false;
  raise_irreducible(analysis, block, level);
  for (uint32_t k = analysis->block_exit[block];
       k < analysis->n_exits && analysis->exits[k].block == block; ++k)
    raise_exit(analysis, w, k, level);
  start_walk(w, b->loop, block, level);
  uint32_t first = new_label(w);
  for (uint32_t s = 0; s < b->n_successors; ++s) {
    uint32_t target = f->edges[b->first_successor + s];
    bool again = false; // several cases of a switch may lead to one block
    for (uint32_t before = 0; before < s; ++before)
      again |= f->edges[b->first_successor + before] == target;
    if (!again)
      arrive(w, block, target, s == 0 ? first : new_label(w));
  }
  run_walk(w);
  finish_walk(w);
  return true;
}

static uint8_t exit_level(const dcp_analysis *analysis, uint32_t loop, uint32_t from, uint32_t to) {
  for (uint32_t k = analysis->block_exit[from];
       k < analysis->n_exits && analysis->exits[k].block == from; ++k)
    if (analysis->exits[k].loop == loop && analysis->exits[k].target == to)
      return analysis->exits[k].level;
  return analysis->loop_rejoin[loop];
}

// Among whom what a loop computes is the same in a block behind it. Lanes that come to the target
// of exits have left by one of these; further behind they meet those that left by others.
static uint8_t level_behind(const dcp_analysis *analysis, uint32_t loop, uint32_t block) {
  const ssa_function *f = analysis->function;
  const ssa_block *b = &f->blocks[block];
  uint8_t level = DC_UNIFORM;
  for (uint32_t p = 0; p < b->n_predecessors; ++p) {
    uint32_t from = f->edges[b->first_predecessor + p];
    uint32_t inner = f->blocks[from].loop;
    if (f->loops[loop].irreducible || inner == DC_NONE || !ssa_loop_contains(f, loop, inner))
      return analysis->loop_rejoin[loop];
    uint8_t of_exit = exit_level(analysis, loop, from, block);
    level = of_exit > level ? of_exit : level;
  }
  return level;
}

uint8_t dcp_use_level(const dcp_analysis *analysis, uint32_t value, uint32_t block) {
  const ssa_function *f = analysis->function;
  uint8_t level = analysis->value_level[value];
  uint32_t defined = f->values[value].block;
  if (defined == DC_NONE)
    return level;
  for (uint32_t loop = f->blocks[defined].loop;
       loop != DC_NONE && !ssa_loop_contains(f, loop, f->blocks[block].loop);
       loop = f->loops[loop].parent) {
    uint8_t behind = level_behind(analysis, loop, block);
    level = behind > level ? behind : level;
  }
  return level;
}

// Whether the lanes of a warp that run a block do so in one go. Of a function that stayed a call
// that isn't known: its callers may have diverged.
static bool runs_together(const dcp_analysis *analysis, uint32_t block) {
  return analysis->function->is_kernel && analysis->control[block] <= DC_WARP_UNIFORM;
}

// A memory read, by the rules of docs/internals/analysis.md. Memory that can change while the
// kernel runs gives one value only to lanes that read it in one go.
static uint8_t level_of_load(const dcp_analysis *analysis, uint32_t value) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  uint8_t address = dcp_use_level(analysis, f->operands[v->first_operand], v->block);
  if (v->changing)
    return DC_DIVERGENT;
  switch ((ssa_space)v->space) {
  case SSA_READONLY:
    return address;
  case SSA_PRIVATE:
    return DC_DIVERGENT;
  case SSA_SHARED:
    if (analysis->stable[value])
      return address < DC_BLOCK_UNIFORM ? DC_BLOCK_UNIFORM : address;
    break;
  case SSA_GENERIC:
  case SSA_GLOBAL:
    if (analysis->still_memory)
      return address;
    break;
  }
  return address <= DC_WARP_UNIFORM && runs_together(analysis, v->block) ? DC_WARP_UNIFORM
                                                                         : DC_DIVERGENT;
}

static uint8_t join_of_operands(const dcp_analysis *analysis, const ssa_value *v) {
  uint8_t level = DC_UNIFORM;
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint8_t operand = dcp_use_level(analysis, ssa_operand(analysis->function, v, k), v->block);
    level = operand > level ? operand : level;
  }
  return level;
}

static uint8_t level_of_edge(const dcp_analysis *analysis, uint32_t from, uint32_t to) {
  const ssa_block *block = &analysis->function->blocks[to];
  for (uint32_t p = 0; p < block->n_predecessors; ++p)
    if (analysis->function->edges[block->first_predecessor + p] == from)
      return analysis->edge_join[block->first_predecessor + p];
  return DC_DIVERGENT;
}

// Where lanes come by different ways, what the ways bring may differ.
static uint8_t level_of_phi(const dcp_analysis *analysis, const ssa_value *v) {
  const uint32_t *operands = analysis->function->operands + v->first_operand;
  const uint32_t *incoming = analysis->function->incoming + v->first_operand;
  uint8_t level = join_of_operands(analysis, v);
  for (uint8_t apart = analysis->join[v->block]; apart > level; --apart) {
    uint32_t first = DC_NONE;
    for (uint32_t k = 0; k < v->n_operands; ++k) {
      if (level_of_edge(analysis, incoming[k], v->block) < apart)
        continue;
      if (first != DC_NONE && operands[k] != first)
        return apart;
      first = operands[k];
    }
  }
  return level;
}

static uint8_t level_of_value(const dcp_analysis *analysis, uint32_t value) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  const uint32_t *operands = f->operands + v->first_operand;
  if (!dcp_is_own_leaf(analysis, value))
    return analysis->node_level[analysis->exprs[value]];
  bool together = v->block != DC_NONE && runs_together(analysis, v->block);
  switch ((ssa_op)v->op) {
  case SSA_CONST:
  case SSA_CONSTANT:
  case SSA_LOCAL:
  case SSA_STORE:
  case SSA_WARPSYNC:
  case SSA_EFFECT:
    return DC_UNIFORM;
  case SSA_ARGUMENT:
    return f->is_kernel || analysis->still_memory ? DC_UNIFORM : DC_DIVERGENT;
  case SSA_SREG:
  case SSA_ATOMIC:
  case SSA_UNKNOWN:
    return DC_DIVERGENT;
  case SSA_EXPR:
  case SSA_PURE:
  case SSA_FETCH:
    return join_of_operands(analysis, v);
  case SSA_PHI:
    return level_of_phi(analysis, v);
  case SSA_SOURCE:
    return v->level;
  case SSA_LOAD:
    return level_of_load(analysis, value);
  case SSA_VOTE:
    if (v->n_operands == 0)
      return together && dcp_all_are_active(analysis, v->block) ? DC_WARP_UNIFORM : DC_DIVERGENT;
    if (dcp_use_level(analysis, operands[0], v->block) > DC_WARP_UNIFORM)
      return DC_DIVERGENT;
    return dcp_votes_alike(analysis, value) ? DC_BLOCK_UNIFORM : DC_WARP_UNIFORM;
  case SSA_SHUFFLE:
    return v->i == 1 && dcp_use_level(analysis, operands[0], v->block) <= DC_WARP_UNIFORM &&
                   dcp_use_level(analysis, operands[2], v->block) <= DC_WARP_UNIFORM
               ? DC_WARP_UNIFORM
               : DC_DIVERGENT;
  case SSA_ALIKE:
    return together && dcp_all_are_active(analysis, v->block) &&
                   !dcp_any_has_returned(analysis, v->block)
               ? DC_WARP_UNIFORM
               : join_of_operands(analysis, v);
  case SSA_ACTIVEMASK:
    return together && dcp_all_are_active(analysis, v->block) ? DC_WARP_UNIFORM : DC_DIVERGENT;
  case SSA_BARRIER:
    return DC_BLOCK_UNIFORM;
  }
  return DC_DIVERGENT;
}

// What it depends on that a block's branch doesn't make the lanes diverge further.
static uint8_t rests_of_branch(const dcp_analysis *analysis, uint32_t block) {
  const ssa_block *b = &analysis->function->blocks[block];
  if (b->condition == DC_NONE || analysis->branch_level[block] == DC_DIVERGENT)
    return 0;
  const dcp_exit *exit = exact_exit(analysis, block);
  if (!exit || exit->loose)
    return analysis->value_rests[b->condition];
  return dcp_rests_of_trips(analysis, exit);
}

bool dcp_post_dominates(const ssa_function *f, uint32_t a, uint32_t b) {
  while (b != DC_NONE && b != a)
    b = f->blocks[b].post_dominator;
  return a == b;
}

// What it depends on that the lanes come together to the blocks that a branch decides about: those
// on a way of it that isn't common to all its ways. A loop's exit decides about the whole loop.
static bool spread_rests(dcp_analysis *analysis, uint32_t branch) {
  const ssa_function *f = analysis->function;
  const ssa_block *from = &f->blocks[branch];
  uint8_t assumes = rests_of_branch(analysis, branch) | analysis->control_rests[branch];
  bool changed = false;
  for (uint32_t s = 0; assumes != 0 && s < from->n_successors && from->n_successors > 1; ++s)
    for (uint32_t b = f->edges[from->first_successor + s];
         b != DC_NONE && b != from->post_dominator; b = f->blocks[b].post_dominator) {
      changed |= (assumes & ~analysis->control_rests[b]) != 0;
      analysis->control_rests[b] |= assumes;
    }
  return changed;
}

// What it depends on that the lanes come to a phi by the same way: every branch on the ways that
// they may have come since they were last together, of which each stands before all that follows.
static uint8_t rests_of_ways(const dcp_analysis *analysis, const ssa_value *v) {
  const ssa_function *f = analysis->function;
  uint32_t dominator = f->blocks[v->block].dominator;
  uint8_t assumes = dominator == DC_NONE ? 0 : rests_of_branch(analysis, dominator);
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint32_t b = f->incoming[v->first_operand + k];
    for (; b != DC_NONE && b != dominator && b != v->block; b = f->blocks[b].dominator)
      assumes |= rests_of_branch(analysis, b);
  }
  return assumes;
}

static uint8_t rests_of_value(const dcp_analysis *analysis, uint32_t value) {
  const ssa_value *v = &analysis->function->values[value];
  if (!dcp_is_own_leaf(analysis, value))
    return analysis->node_assumes[analysis->exprs[value]];
  uint8_t assumes = 0;
  if (v->op == SSA_PHI)
    assumes = rests_of_ways(analysis, v);
  else if ((v->op == SSA_LOAD && v->space != SSA_READONLY) || v->op == SSA_ALIKE ||
           v->op == SSA_ACTIVEMASK)
    assumes = analysis->control_rests[v->block];
  bool alike = v->op == SSA_VOTE && analysis->value_level[value] <= DC_BLOCK_UNIFORM;
  // Among whom a vote is the same follows from what is voted on only where warps vote alike.
  uint32_t n_operands = v->op == SSA_VOTE && !alike && v->n_operands ? 1 : v->n_operands;
  for (uint32_t k = 0; k < n_operands; ++k)
    assumes |= analysis->value_rests[ssa_operand(analysis->function, v, k)];
  return assumes;
}

static bool update_value(dcp_analysis *analysis, uint32_t value) {
  bool changed = raise(&analysis->value_level[value], level_of_value(analysis, value));
  uint8_t assumes = rests_of_value(analysis, value);
  changed |= (assumes & ~analysis->value_rests[value]) != 0;
  analysis->value_rests[value] |= assumes;
  if (analysis->exprs[value] != DC_NO_EXPR && dcp_is_own_leaf(analysis, value))
    dcp_level_leaf(analysis, analysis->exprs[value]);
  return changed;
}

static bool update_values(dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  bool changed = false;
  dcp_level_nodes(analysis, 0);
  if (analysis->out_of_memory)
    return false;
  for (uint32_t value = 0; value < f->n_values; ++value)
    if (f->values[value].block == DC_NONE) {
      if (analysis->exprs[value] != DC_NO_EXPR)
        dcp_level_nodes(analysis, analysis->exprs[value] + 1);
      changed |= update_value(analysis, value);
    }
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    const ssa_block *block = &f->blocks[f->in_order[k]];
    for (uint32_t n = 0; n < block->n_values; ++n) {
      uint32_t value = f->block_values[block->first_value + n];
      dcp_level_nodes(analysis, analysis->node_end[value]);
      changed |= update_value(analysis, value);
    }
  }
  dcp_level_nodes(analysis, analysis->pool.count);
  analysis->work += f->n_values;
  return changed;
}

static bool update_branches(dcp_analysis *analysis, walk *w) {
  const ssa_function *f = analysis->function;
  bool changed = false;
  for (uint32_t k = 0; k < f->n_in_order && analysis->work < dcp_limit->steps; ++k) {
    uint32_t b = f->in_order[k];
    uint8_t level = level_of_branch(analysis, b);
    if (level > analysis->branch_level[b])
      changed |= raise_branch(analysis, w, b, level);
    changed |= raise_irreducible_exits(analysis, w, b);
    changed |= spread_rests(analysis, b);
  }
  return changed;
}

// Which loads of shared memory stand after a barrier with no write to that variable since, on every
// way. `written`: the variables that have been.
static uint64_t step_over(const dcp_analysis *analysis, uint32_t value, uint64_t written) {
  const ssa_value *v = &analysis->function->values[value];
  uint64_t touched = v->object ? UINT64_C(1) << v->object : UINT64_MAX;
  switch ((ssa_op)v->op) {
  case SSA_BARRIER:
    return 0;
  case SSA_STORE:
  case SSA_ATOMIC:
    if (v->space == SSA_GENERIC)
      return UINT64_MAX;
    return v->space == SSA_SHARED ? written | touched : written;
  case SSA_UNKNOWN:
    return v->changing ? UINT64_MAX : written;
  default:
    if (v->op == SSA_LOAD)
      analysis->stable[value] = !(written & touched);
    return written;
  }
}

static void find_stable_loads(dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  uint64_t *after = calloc(f->n_blocks + 1u, sizeof *after);
  if (!after) {
    analysis->out_of_memory = true;
    return;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < f->n_in_order; ++k) {
      uint32_t b = f->in_order[k];
      const ssa_block *block = &f->blocks[b];
      uint64_t written = k > 0 ? 0 : UINT64_MAX;
      for (uint32_t p = 0; p < block->n_predecessors; ++p)
        written |= after[f->edges[block->first_predecessor + p]];
      for (uint32_t n = 0; n < block->n_values; ++n)
        written = step_over(analysis, f->block_values[block->first_value + n], written);
      changed |= after[b] != written;
      after[b] = written;
    }
  }
  free(after);
}

void dcp_find_uniformity(dcp_analysis *analysis) {
  walk w;
  find_stable_loads(analysis);
  if (!init_walk(&w, analysis))
    analysis->out_of_memory = true;
  for (bool changed = true; changed && !analysis->out_of_memory && !analysis->limit_reached;) {
    changed = update_values(analysis);
    if (!analysis->out_of_memory)
      changed |= update_branches(analysis, &w);
    analysis->limit_reached = analysis->work >= dcp_limit->steps;
  }
  free_walk(&w);
}

bool dcp_analysis_init(dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  size_t values = f->n_values + 1, blocks = f->n_blocks + 1, loops = f->n_loops + 1;
  analysis->exprs = malloc(values * sizeof *analysis->exprs);
  analysis->node_end = calloc(values, sizeof *analysis->node_end);
  analysis->block_exit = malloc(blocks * sizeof *analysis->block_exit);
  analysis->join_from = malloc(blocks * sizeof *analysis->join_from);
  analysis->control_from = malloc(blocks * sizeof *analysis->control_from);
  uint8_t **tables[] = {&analysis->value_level,  &analysis->value_rests, &analysis->stable,
                        &analysis->control,      &analysis->join,        &analysis->edge_join,
                        &analysis->branch_level, &analysis->loop_level,  &analysis->loop_rejoin,
                        &analysis->control_rests};
  const size_t sizes[] = {values,         values, values, blocks, blocks,
                          f->n_edges + 1, blocks, loops,  loops,  blocks};
  bool done = analysis->exprs && analysis->node_end && analysis->block_exit &&
              analysis->join_from && analysis->control_from;
  for (unsigned k = 0; k < sizeof tables / sizeof *tables; ++k)
    done &= (*tables[k] = calloc(sizes[k], 1)) != NULL;
  if (!done)
    return false;
  analysis->row_warps = DC_NO_EXPR;
  memset(analysis->exprs, 0xff, values * sizeof *analysis->exprs);
  memset(analysis->block_exit, 0xff, blocks * sizeof *analysis->block_exit);
  memset(analysis->join_from, 0xff, blocks * sizeof *analysis->join_from);
  memset(analysis->control_from, 0xff, blocks * sizeof *analysis->control_from);
  return true;
}

void dcp_analysis_free(dcp_analysis *analysis) {
  void *tables[] = {analysis->node_constant, analysis->block_exit,   analysis->exprs,
                    analysis->node_end,      analysis->node_loop,    analysis->exits,
                    analysis->node_level,    analysis->node_assumes, analysis->node_lane,
                    analysis->value_level,   analysis->value_rests,  analysis->control,
                    analysis->join,          analysis->join_from,    analysis->control_from,
                    analysis->branch_level,  analysis->loop_level,   analysis->loop_rejoin,
                    analysis->stable,        analysis->edge_join,    analysis->control_rests};
  for (unsigned k = 0; k < sizeof tables / sizeof *tables; ++k)
    free(tables[k]);
  dc_expr_pool_free(&analysis->pool);
  dcp_agreement_free(analysis->agreement);
  *analysis = (dcp_analysis){0};
}
