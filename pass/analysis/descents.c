// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descents: loops in which all lanes of a warp begin at one place and each iteration decides where
// to go on, a binary search or a way down a tree. The first places are few.
#include "analysis/analysis.h"

enum { STEPS = 96 }; // values that are looked at

typedef struct descent {
  const dcp_analysis *analysis;
  uint32_t loop;
  uint32_t seen[STEPS]; // of which it is known, or being found out
  unsigned n_seen;
  bool carries, decides; // an iteration hands a place on; somewhere a lane chooses
} descent;

static bool was_seen(descent *d, uint32_t value) {
  for (unsigned k = 0; k < d->n_seen; ++k)
    if (d->seen[k] == value)
      return true;
  if (d->n_seen < STEPS)
    d->seen[d->n_seen++] = value;
  return false;
}

static bool is_in_loop(const descent *d, uint32_t value) {
  const ssa_function *f = d->analysis->function;
  uint32_t block = f->values[value].block;
  return block != DC_NONE && ssa_loop_contains(f, d->loop, f->blocks[block].loop);
}

// Whether a value is the same in all lanes but for what conditions decided since the loop began.
// Conditions may be anything.
static bool follows(descent *d, uint32_t value) {
  const ssa_function *f = d->analysis->function;
  const ssa_value *v = &f->values[value];
  if (v->bits == 1) {
    d->decides = true;
    return true;
  }
  if (!is_in_loop(d, value))
    return d->analysis->value_level[value] < DC_DIVERGENT;
  if (was_seen(d, value))
    return true;
  if (d->n_seen == STEPS || (v->op != SSA_PHI && v->op != SSA_EXPR && v->op != SSA_LOAD))
    return false;
  bool header = v->block == f->loops[d->loop].header;
  d->carries |= v->op == SSA_PHI && header;
  d->decides |= v->op == SSA_PHI && !header;
  for (unsigned k = 0; k < v->n_operands; ++k)
    if (!follows(d, ssa_operand(f, v, k)))
      return false;
  return true;
}

bool dcp_descends(const dcp_analysis *analysis, uint32_t access) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[access];
  uint32_t address = f->operands[v->first_operand];
  descent d = {analysis, v->block == DC_NONE ? DC_NONE : f->blocks[v->block].loop, {0}, 0, false,
               false};
  return d.loop != DC_NONE && v->op == SSA_LOAD && analysis->value_level[address] >= DC_DIVERGENT &&
         follows(&d, address) && d.carries && d.decides;
}
