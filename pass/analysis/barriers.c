// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch decides about a barrier where some way from it to where all its ways meet leads past the
// barrier: iterated control dependence. Of each such branch that threads may take differently, what
// counts is what the threads do that don't come: whether there is anything between the branch and
// their exit but the way out.
#include "analysis/barriers.h"

#include <stdlib.h>

static bool is_barrier(const ssa_value *v) { return v->op == SSA_BARRIER || v->op == SSA_WARPSYNC; }

// A part of the warp may well wait for itself: only the full mask is a claim on all lanes.
static bool names_all_lanes(const ssa_function *f, const ssa_value *v) {
  if (v->op == SSA_BARRIER)
    return true;
  const ssa_value *mask = &f->values[f->operands[v->first_operand]];
  return mask->op == SSA_CONST && (uint32_t)mask->i == UINT32_MAX;
}

static uint8_t level_allowed(bool warp) { return warp ? DC_WARP_UNIFORM : DC_BLOCK_UNIFORM; }

// ---- the branches that decide -------------------------------------------------------------------

enum {
  LEADS = 1,   // the barrier, or a branch that decides about it
  DECIDES = 2, // a branch that does
};

// The search for one barrier.
typedef struct search {
  const ssa_function *f;
  const ssa_value *barrier;
  uint8_t *marks;     // of each block
  dcp_missing *after; // of each block: what threads do from there on that leave the kernel without
                      // the barrier; DCP_COMES: there is no such way
} search;

static bool begin_search(search *s, const ssa_function *f, const ssa_value *barrier) {
  *s = (search){.f = f, .barrier = barrier};
  s->marks = calloc(f->n_blocks + 1u, 1);
  s->after = malloc((f->n_blocks + 1u) * sizeof *s->after);
  for (uint32_t b = 0; s->after && b < f->n_blocks; ++b)
    s->after[b] = (dcp_missing){DC_NONE, DCP_COMES, DC_NONE};
  return s->marks && s->after;
}

static void end_search(search *s) {
  free(s->marks);
  free(s->after);
}

static uint32_t successor(const ssa_function *f, uint32_t block, uint32_t k) {
  return f->edges[f->blocks[block].first_successor + k];
}

// Whether a way from a branch passes what is marked before it meets the branch's other ways, or
// comes to the branch again.
static bool leads_there(const search *s, uint32_t branch, uint32_t way) {
  const ssa_block *blocks = s->f->blocks;
  for (uint32_t at = way; at != DC_NONE && at != blocks[branch].post_dominator;
       at = blocks[at].post_dominator)
    if ((at != branch || at == s->barrier->block) && (s->marks[at] & LEADS))
      return true;
  return false;
}

// O(edges * length of the ways) for each depth of nesting.
static void find_deciders(search *s) {
  const ssa_function *f = s->f;
  s->marks[s->barrier->block] |= LEADS;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = f->n_in_order; k-- > 0;) {
      uint32_t b = f->in_order[k];
      bool decides = false;
      if (f->blocks[b].n_successors < 2 || (s->marks[b] & DECIDES))
        continue;
      for (uint32_t n = 0; n < f->blocks[b].n_successors; ++n)
        decides |= leads_there(s, b, successor(f, b, n));
      if (!decides)
        continue;
      s->marks[b] |= DECIDES | LEADS;
      changed = true;
    }
  }
}

// ---- the threads that don't come ----------------------------------------------------------------

// What others can see of a thread, or it of them.
static dcp_absence of_value(const ssa_value *v, const ssa_value *barrier) {
  if (v->op == barrier->op)
    return DCP_WAITS_ELSEWHERE;
  switch ((ssa_op)v->op) {
  case SSA_STORE:
    return v->space == SSA_PRIVATE ? DCP_EXITED : DCP_RUNS;
  case SSA_LOAD:
  case SSA_SOURCE:
    return v->changing ? DCP_RUNS : DCP_EXITED;
  case SSA_EFFECT: // branches and returns are among them
    return v->mix && v->mix != DC_MIX_CONTROL + 1 ? DCP_RUNS : DCP_EXITED;
  case SSA_ATOMIC:
  case SSA_BARRIER:
  case SSA_WARPSYNC:
  case SSA_VOTE:
  case SSA_SHUFFLE:
  case SSA_ACTIVEMASK:
  case SSA_UNKNOWN:
    return DCP_RUNS;
  default:
    return DCP_EXITED;
  }
}

// The worse of both; false: nothing changes.
static bool worsen(dcp_missing *found, dcp_absence absence, uint32_t elsewhere) {
  if (absence <= found->absence)
    return false;
  found->absence = absence;
  found->elsewhere = elsewhere;
  return true;
}

// What threads do in a block that they pass instead of the barrier.
static dcp_missing in_block(const search *s, uint32_t block) {
  const ssa_function *f = s->f;
  const ssa_block *b = &f->blocks[block];
  dcp_missing found = {DC_NONE, DCP_COMES, DC_NONE};
  worsen(&found, b->loop == DC_NONE && f->is_kernel ? DCP_EXITED : DCP_RUNS, DC_NONE);
  for (uint32_t n = 0; n < b->n_values; ++n) {
    const ssa_value *v = &f->values[f->block_values[b->first_value + n]];
    dcp_absence absence = of_value(v, s->barrier);
    worsen(&found, absence, absence == DCP_WAITS_ELSEWHERE ? v->location : DC_NONE);
  }
  return found;
}

// Whether an edge begins another iteration of a loop that nothing leaves: threads may then go round
// for ever. O(edges of the loop).
static bool goes_round(const ssa_function *f, uint32_t from, uint32_t to) {
  uint32_t loop = f->blocks[to].loop;
  if (loop == DC_NONE || f->loops[loop].header != to ||
      !ssa_loop_contains(f, loop, f->blocks[from].loop))
    return false;
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    uint32_t b = f->loop_blocks[f->loops[loop].first_block + k];
    for (uint32_t s = 0; s < f->blocks[b].n_successors; ++s) {
      const ssa_block *next = &f->blocks[successor(f, b, s)];
      if (!next->dead_end && !ssa_loop_contains(f, loop, next->loop))
        return false;
    }
  }
  return true;
}

// Fills s->after, from the ends of the function back. O(edges) for each depth of nesting.
static void find_absences(search *s) {
  const ssa_function *f = s->f;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = f->n_in_order; k-- > 0;) {
      uint32_t b = f->in_order[k];
      if (b == s->barrier->block || f->blocks[b].dead_end)
        continue;
      dcp_missing behind = {DC_NONE, DCP_COMES, DC_NONE};
      if (f->blocks[b].n_successors == 0)
        behind.absence = DCP_EXITED;
      for (uint32_t n = 0; n < f->blocks[b].n_successors; ++n) {
        const dcp_missing *next = &s->after[successor(f, b, n)];
        worsen(&behind, next->absence, next->elsewhere);
        if (goes_round(f, b, successor(f, b, n)))
          worsen(&behind, DCP_RUNS, DC_NONE);
      }
      if (behind.absence == DCP_COMES)
        continue;
      if (s->after[b].absence == DCP_COMES) {
        dcp_missing here = in_block(s, b);
        worsen(&behind, here.absence, here.elsewhere);
      }
      changed |= worsen(&s->after[b], behind.absence, behind.elsewhere);
    }
  }
}

// Threads that part at a branch: those that can't come to the barrier by the way that they take,
// or where all ways may lead there, those that don't.
// `*parts`: at this very branch.
static dcp_missing who_misses(const search *s, uint32_t branch, bool *parts) {
  const ssa_function *f = s->f;
  dcp_missing lost = {branch, DCP_COMES, DC_NONE}, all = lost;
  bool some_lost = false;
  for (uint32_t k = 0; k < f->blocks[branch].n_successors; ++k) {
    uint32_t way = successor(f, branch, k);
    const dcp_missing *after = &s->after[way];
    worsen(&all, after->absence, after->elsewhere);
    if (leads_there(s, branch, way))
      continue;
    some_lost |= !f->blocks[way].dead_end;
    worsen(&lost, after->absence, after->elsewhere);
  }
  *parts = some_lost;
  return some_lost ? lost : all;
}

// A branch at which threads part explains more than one behind which they do.
static bool explains_more(const dcp_missing *one, bool parts, const dcp_missing *other,
                          bool other_parts) {
  bool run = one->absence > DCP_EXITED, other_run = other->absence > DCP_EXITED;
  if (run != other_run)
    return run;
  return parts != other_parts ? parts : one->absence >= other->absence;
}

// Whether not all threads that the barrier waits for take a branch alike that decides about it.
static bool may_part(const search *s, const dcp_analysis *analysis, uint32_t branch) {
  return (s->marks[branch] & DECIDES) &&
         analysis->branch_level[branch] > level_allowed(s->barrier->op == SSA_WARPSYNC);
}

// The worst that branches do which not all of those take alike that the barrier waits for, and the
// worst of these, the one that stands nearest to the barrier. False: out of memory.
static bool find_missing(const dcp_analysis *analysis, uint32_t value, dc_barrier *barrier,
                         dcp_missing *worst) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  search s;
  bool worst_parts = false, absences = false;
  *worst = (dcp_missing){DC_NONE, DCP_COMES, DC_NONE};
  bool searched = begin_search(&s, f, v);
  if (searched)
    find_deciders(&s);
  for (uint32_t k = 0; searched && k < f->n_in_order; ++k) {
    uint32_t b = f->in_order[k];
    uint8_t level = analysis->branch_level[b];
    if (!may_part(&s, analysis, b))
      continue;
    if (!absences)
      find_absences(&s);
    absences = true;
    bool parts;
    dcp_missing one = who_misses(&s, b, &parts);
    // Barriers that aren't aligned may be waited at in several places at once.
    bool elsewhere = one.absence == DCP_WAITS_ELSEWHERE && v->op == SSA_BARRIER && v->i == 0;
    if (one.absence == DCP_COMES || elsewhere)
      continue;
    uint8_t *to = one.absence == DCP_EXITED ? &barrier->left : &barrier->level;
    *to = level > *to ? level : *to;
    if (explains_more(&one, parts, worst, worst_parts)) {
      *worst = one;
      worst_parts = parts;
    }
  }
  end_search(&s);
  return searched;
}

static bool may_miss(const dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  for (uint32_t b = 0; b < f->n_blocks; ++b)
    if (analysis->branch_level[b] > DC_BLOCK_UNIFORM)
      return true;
  return false;
}

bool dcp_doubts_barrier(const dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  bool doubts = false, possible = may_miss(analysis);
  for (uint32_t value = 0; possible && !doubts && value < f->n_values; ++value) {
    const ssa_value *v = &f->values[value];
    dc_barrier barrier = {0};
    dcp_missing worst;
    if (is_barrier(v) && names_all_lanes(f, v) && v->block != DC_NONE)
      doubts = find_missing(analysis, value, &barrier, &worst) && worst.absence > DCP_COMES;
  }
  return doubts;
}

// ---- in the skeleton ----------------------------------------------------------------------------

static bool add_barrier(dcp_analysis *analysis, uint32_t first_block, uint32_t value) {
  const ssa_function *f = analysis->function;
  dc_kernel *kernel = analysis->kernel;
  const ssa_value *v = &f->values[value];
  dc_barrier barrier = {.block = first_block + v->block,
                        .location = dcp_written_at(kernel, v->location),
                        .level = DC_UNIFORM,
                        .left = DC_UNIFORM,
                        .first_reason = kernel->n_reasons,
                        .warp = v->op == SSA_WARPSYNC};
  if (names_all_lanes(f, v) && may_miss(analysis)) {
    dcp_missing worst;
    if (!find_missing(analysis, value, &barrier, &worst))
      return false;
    if (worst.absence > DCP_COMES)
      dcp_explain_barrier(analysis, &worst, &barrier.first_reason, &barrier.n_reasons);
  }
  uint32_t index = analysis->out_of_memory ? DC_NONE : dc_kernel_add_barrier(kernel);
  if (index != DC_NONE)
    kernel->barriers[index] = barrier;
  return index != DC_NONE;
}

bool dcp_build_barriers(dcp_analysis *analysis, uint32_t first_block) {
  const ssa_function *f = analysis->function;
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    const ssa_block *block = &f->blocks[f->in_order[k]];
    for (uint32_t n = 0; n < block->n_values; ++n) {
      uint32_t value = f->block_values[block->first_value + n];
      if (is_barrier(&f->values[value]) && !add_barrier(analysis, first_block, value))
        return false;
    }
  }
  return true;
}

dcp_barrier_fault dcp_barrier_fault_of(const dc_barrier *barrier, unsigned sm) {
  uint8_t allowed = level_allowed(barrier->warp);
  if (barrier->level > allowed)
    return DCP_BARRIER_DIVERGES;
  if (barrier->left > allowed)
    return sm > 0 && sm < 70 ? DCP_BARRIER_AFTER_RETURN : DCP_BARRIER_EXITED;
  return DCP_BARRIER_SOUND;
}

bool dcp_decides(const dc_kernel *kernel, uint32_t branch, uint32_t block) {
  uint32_t *stack = malloc(kernel->n_blocks * sizeof *stack), height = 0;
  bool *met = calloc(kernel->n_blocks, sizeof *met), found = false;
  uint32_t from = kernel->branches[branch].block;
  if (stack && met) {
    stack[height++] = from;
    if (kernel->blocks[from].post_dominator != DC_NONE)
      met[kernel->blocks[from].post_dominator] = true;
  }
  while (height > 0 && !found) {
    const dc_block *at = &kernel->blocks[stack[--height]];
    for (uint32_t k = 0; k < at->n_successors; ++k) {
      uint32_t next = kernel->successors[at->first_successor + k];
      if (met[next])
        continue;
      met[next] = true;
      stack[height++] = next;
      found |= next == block;
    }
  }
  free(stack);
  free(met);
  return found;
}
