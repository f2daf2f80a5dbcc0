// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether ptxas is expected to issue the sides of a branch under predicates, as it was found to do
// with sides made for it (bench/gpu/workloads/predication_rules.py): short ones, and longer ones
// where they read global memory, for loads are under way while it goes on, but none where it can't
// go on: where the block that would come of it has little else to do, or, in a loop, the sides
// access memory by what they read, and a barrier is right behind them.
#include "analysis/analysis.h"
#include "analysis/common_code.h"

#define MEANWHILE 3    // instructions of a block, at least, that don't wait for a side
#define BRANCH 1       // at the end of a loop's test
#define JUMP 1         // of a side, over the other one
#define JOIN_VALUES 64 // looked at

static bool reads_global(const ssa_value *v) {
  return v->op == SSA_LOAD && ssa_mix(v) == DC_MIX_GLOBAL;
}

static bool waits(const ssa_function *f, const uint32_t *values, uint32_t n, bool *waiting) {
  const ssa_value *v = &f->values[values[n]];
  bool found = v->op == SSA_PHI && v->n_operands > 1;
  for (uint32_t o = 0; o < v->n_operands && !found; ++o)
    for (uint32_t k = 0; k < n && !found; ++k)
      found = waiting[k] && values[k] == ssa_operand(f, v, o);
  return waiting[n] = found;
}

// Instructions of a block before it needs what comes from another.
static uint32_t count_other_work(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  const uint32_t *values = &f->block_values[data->first_value];
  bool waiting[JOIN_VALUES];
  uint32_t count = 0;
  for (uint32_t n = 0; n < data->n_values && n < JOIN_VALUES; ++n)
    count += waits(f, values, n, waiting) ? 0 : f->values[values[n]].machine;
  return count;
}

static uint32_t count_all(const ssa_function *f, const ssa_block *block) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < block->n_values; ++n)
    count += f->values[f->block_values[block->first_value + n]].machine;
  return count > BRANCH ? count : BRANCH;
}

// What others wait for, or wait for others.
static bool is_ordering(const ssa_value *v) {
  dc_mix mix = ssa_mix(v);
  return v->changing || mix == DC_MIX_BARRIER || mix == DC_MIX_WARP || mix == DC_MIX_ATOMIC;
}

// Whether a side accesses memory by what it has read.
static bool accesses_what_it_read(const ssa_function *f, const ssa_block *side, dcp_own_code own) {
  const uint32_t *values = &f->block_values[side->first_value + own.first];
  bool waiting[JOIN_VALUES];
  for (uint32_t n = 0; n < own.end - own.first && n < JOIN_VALUES; ++n) {
    const ssa_value *v = &f->values[values[n]];
    if (waits(f, values, n, waiting) && (v->op == SSA_LOAD || v->op == SSA_STORE))
      return true;
    waiting[n] |= reads_global(v);
  }
  return false;
}

// Machine instructions of a value while ptxas decides.
static uint32_t count_when_decided(const ssa_value *v) { return v->expanded_late ? 1 : v->machine; }

// Pointers among a kernel's parameters that a block uses. They are read where they are used, but
// for loops, in front of which that is done. (Where the limit is that of loads, it was found to be
// without these.)
static uint32_t count_pointers(const ssa_function *f, const ssa_block *side, dcp_own_code own) {
  uint32_t pointers[JOIN_VALUES], n = 0;
  for (uint32_t k = own.first; k < own.end && side->loop == DC_NONE; ++k) {
    const ssa_value *v = &f->values[f->block_values[side->first_value + k]];
    for (uint32_t o = 0; o < v->n_operands && n < JOIN_VALUES; ++o) {
      uint32_t id = ssa_operand(f, v, o);
      bool found = f->values[id].op != SSA_ARGUMENT || !f->values[id].pointer;
      for (uint32_t p = 0; p < n && !found; ++p)
        found = pointers[p] == id;
      if (!found)
        pointers[n++] = id;
    }
  }
  return n;
}

typedef struct side {
  uint32_t instructions, loads;
  bool fits;  // one block that leads to the join, of what can be predicated
  bool waits; // accesses memory by what it has read of global memory
  bool branches;
} side;

static side measure(const ssa_function *f, uint32_t from, uint32_t block, dcp_own_code own) {
  const ssa_block *data = &f->blocks[block];
  uint32_t join = f->blocks[from].post_dominator;
  side out = {.fits = true};
  if (block == join)
    return out;
  out.fits = data->n_successors == 1 && data->n_predecessors == 1 &&
             f->edges[data->first_successor] == join && data->loop == f->blocks[from].loop;
  for (uint32_t n = own.first; n < own.end && out.fits; ++n) {
    const ssa_value *v = &f->values[f->block_values[data->first_value + n]];
    dc_mix mix = ssa_mix(v);
    out.instructions += count_when_decided(v);
    out.loads += reads_global(v);
    out.branches |= v->slow > 0;
    out.fits =
        mix != DC_MIX_CALL && mix != DC_MIX_BARRIER && mix != DC_MIX_WARP && mix != DC_MIX_ATOMIC;
  }
  out.instructions += out.loads ? 0 : count_pointers(f, data, own);
  out.waits = out.fits && accesses_what_it_read(f, data, own);
  return out;
}

// Instructions that stand in a block before its branch and can as well be done behind it: the
// branch doesn't need them, and nothing that keeps its place is between.
static uint32_t count_before(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  uint32_t needed[JOIN_VALUES] = {data->condition}, n_needed = 1, count = 0;
  for (uint32_t n = data->n_values; n-- > 0;) {
    uint32_t id = f->block_values[data->first_value + n];
    const ssa_value *v = &f->values[id];
    if (is_ordering(v) || v->op == SSA_STORE)
      return count + (v->op == SSA_STORE);
    bool decides = false;
    for (uint32_t k = 0; k < n_needed && !decides; ++k)
      decides = needed[k] == id;
    for (uint32_t o = 0; decides && o < v->n_operands && n_needed < JOIN_VALUES; ++o)
      needed[n_needed++] = ssa_operand(f, v, o);
    count += decides || ssa_mix(v) == DC_MIX_CONTROL ? 0 : v->machine;
  }
  return count;
}

static bool is_back_edge(const ssa_function *f, uint32_t from, uint32_t to) {
  return f->blocks[from].loop != DC_NONE && f->loops[f->blocks[from].loop].header == to;
}

// Whether an iteration or the function ends with the block where the sides of a branch join, or
// others come there or behind it, too.
static bool is_last(const ssa_function *f, uint32_t join) {
  const ssa_block *data = &f->blocks[join];
  const uint32_t *next = &f->edges[data->first_successor];
  bool last = data->n_successors == 0 || data->n_predecessors > 2;
  if (data->n_successors == 1)
    last |= f->blocks[*next].just_returns || f->blocks[*next].n_predecessors > 1;
  for (uint32_t s = 0; s < data->n_successors; ++s)
    last |= is_back_edge(f, join, next[s]);
  return last;
}

// Instructions behind the join that don't need what the sides read: there, and, where it comes
// round, in the test of its loop.
static uint32_t count_behind(const ssa_function *f, uint32_t join) {
  const ssa_block *data = &f->blocks[join];
  if (data->n_predecessors > 2)
    return 0;
  uint32_t count = count_other_work(f, join);
  if (data->n_successors == 1 && is_back_edge(f, join, f->edges[data->first_successor]))
    count += count_all(f, &f->blocks[f->loops[data->loop].header]) - BRANCH;
  return count;
}

// Whether the first instruction of a block is a barrier.
static bool begins_with_barrier(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  for (uint32_t n = 0; n < data->n_values; ++n) {
    const ssa_value *v = &f->values[f->block_values[data->first_value + n]];
    if (v->machine > 0)
      return ssa_mix(v) == DC_MIX_BARRIER;
  }
  return false;
}

// Whether what decides about a branch is computed in the same loop.
static bool decides_there(const ssa_function *f, const ssa_block *data) {
  uint32_t decided = data->condition == DC_NONE ? DC_NONE : f->values[data->condition].block;
  return data->loop != DC_NONE && decided != DC_NONE && f->blocks[decided].loop == data->loop;
}

// Both sides of a branch.
typedef struct sides {
  uint32_t loads, longest, with_instructions;
  uint32_t before; // instructions of both, which LLVM moves in front of the branch
  bool fit, wait, branch;
} sides;

static sides measure_both(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  const uint32_t *to = &f->edges[data->first_successor];
  sides both = {.fit = true};
  dcp_own_code own[2] = {{0, f->blocks[to[0]].n_values}, {0, f->blocks[to[1]].n_values}};
  if (to[0] != data->post_dominator && to[1] != data->post_dominator)
    dcp_own_code_of(f, to, own);
  for (uint32_t n = 0; n < own[0].first; ++n)
    both.before += f->values[f->block_values[f->blocks[to[0]].first_value + n]].machine;
  for (unsigned s = 0; s < 2 && both.fit; ++s) {
    side one = measure(f, block, to[s], own[s]);
    both.fit = one.fits;
    both.loads += one.loads;
    both.with_instructions += one.instructions > 0;
    both.wait |= one.waits;
    both.branch |= one.branches;
    both.longest = both.longest > one.instructions ? both.longest : one.instructions;
  }
  both.longest += both.with_instructions > 1 ? JUMP : 0;
  return both;
}

// Where there are reads of memory, more than the count decides.
static bool is_close(const sides *both, const dc_predicated *most) {
  return both->loads > 0 ? both->longest <= 2 * most->with_loads
                         : dc_predication_is_close(both->longest, most->instructions);
}

dc_predication dcp_expected_predication(const ssa_function *f, uint32_t block, bool unrolled,
                                        bool *close) {
  const ssa_block *data = &f->blocks[block];
  const dc_predicated *most = &f->machine_code->predication;
  uint32_t join = data->post_dominator;
  if (data->n_successors != 2 || join == DC_NONE || f->blocks[join].loop != data->loop ||
      (data->loop != DC_NONE && f->loops[data->loop].header == join))
    return DC_PREDICATION_UNKNOWN;
  sides both = measure_both(f, block);
  if (!both.fit)
    return DC_PREDICATION_UNKNOWN;
  if (both.branch)
    return DC_PREDICATION_UNLIKELY;
  *close = is_close(&both, most);
  if (both.loads == 0)
    return both.longest <= most->instructions ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY;
  bool goes_on = unrolled || !is_last(f, join) ||
                 count_before(f, block) + both.before + count_behind(f, join) >= MEANWHILE;
  goes_on &= !both.wait || !decides_there(f, data) || !begins_with_barrier(f, join);
  return both.longest <= most->with_loads && goes_on ? DC_PREDICATION_LIKELY
                                                     : DC_PREDICATION_UNLIKELY;
}
