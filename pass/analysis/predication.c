// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether ptxas is expected to issue the sides of a branch under predicates where they read global
// memory, as it was found to do with sides made for it (bench/gpu/workloads/predication_rules.py):
// longer ones than others, for loads are under way while it goes on, but none where it can't go on:
// the iteration or the kernel ends behind them, and nothing before them may wait. Of sides without
// such loads the instructions tell (dc_arch_predicate).
#include "analysis/analysis.h"

#define MEANWHILE 3    // instructions behind the join, at least, that don't wait for a side
#define BRANCH 1       // at the end of a loop's test
#define JOIN_VALUES 64 // looked at

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

// Whether lanes have something to do behind the join before they need what the sides read: there,
// and, where it comes round, in the test of its loop.
static bool has_other_work(const ssa_function *f, uint32_t join) {
  const ssa_block *data = &f->blocks[join];
  uint32_t count = count_other_work(f, join);
  if (data->n_successors == 1 && data->loop != DC_NONE &&
      f->edges[data->first_successor] == f->loops[data->loop].header)
    count += count_all(f, &f->blocks[f->loops[data->loop].header]) - BRANCH;
  return count >= MEANWHILE;
}

// Whether an iteration or the function ends with a block.
static bool ends(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  bool back = data->n_successors == 0;
  for (uint32_t s = 0; s < data->n_successors && data->loop != DC_NONE; ++s)
    back |= f->edges[data->first_successor + s] == f->loops[data->loop].header;
  return back;
}

// Whether what stands in a block before its branch can't be done behind it: an iteration that waits
// for others in between, and all that comes before the end of a function.
static bool is_ordered(const ssa_function *f, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  bool ordered = data->loop == DC_NONE;
  for (uint32_t n = 0; n < data->n_values; ++n) {
    const ssa_value *v = &f->values[f->block_values[data->first_value + n]];
    dc_mix mix = v->mix ? (dc_mix)(v->mix - 1) : DC_MIX_COUNT;
    ordered |= v->changing || mix == DC_MIX_BARRIER || mix == DC_MIX_WARP || mix == DC_MIX_ATOMIC;
  }
  return ordered;
}

typedef struct side {
  uint32_t instructions, loads;
  bool fits; // one block that leads to the join, of what can be predicated
} side;

static side measure(const ssa_function *f, uint32_t from, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  uint32_t join = f->blocks[from].post_dominator;
  side out = {.fits = true};
  if (block == join)
    return out;
  out.fits = data->n_successors == 1 && data->n_predecessors == 1 &&
             f->edges[data->first_successor] == join && data->loop == f->blocks[from].loop;
  for (uint32_t n = 0; n < data->n_values && out.fits; ++n) {
    const ssa_value *v = &f->values[f->block_values[data->first_value + n]];
    dc_mix mix = v->mix ? (dc_mix)(v->mix - 1) : DC_MIX_COUNT;
    out.instructions += v->machine;
    out.loads += v->op == SSA_LOAD && mix == DC_MIX_GLOBAL;
    out.fits =
        mix != DC_MIX_CALL && mix != DC_MIX_BARRIER && mix != DC_MIX_WARP && mix != DC_MIX_ATOMIC;
  }
  return out;
}

dc_predication dcp_expected_predication(const ssa_function *f, uint32_t block, bool unrolled) {
  const ssa_block *data = &f->blocks[block];
  uint32_t join = data->post_dominator, loads = 0;
  if (data->n_successors != 2 || join == DC_NONE || f->blocks[join].loop != data->loop ||
      (data->loop != DC_NONE && f->loops[data->loop].header == join))
    return DC_PREDICATION_UNKNOWN;
  bool short_enough = true;
  for (uint32_t s = 0; s < data->n_successors; ++s) {
    side one = measure(f, block, f->edges[data->first_successor + s]);
    if (!one.fits)
      return DC_PREDICATION_UNKNOWN;
    loads += one.loads;
    short_enough &= one.instructions <= f->machine_code->predicated_with_loads;
  }
  if (loads == 0)
    return DC_PREDICATION_UNKNOWN;
  bool goes_on = unrolled || !ends(f, join) || !is_ordered(f, block) || has_other_work(f, join);
  return short_enough && goes_on ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY;
}
