// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many registers the values take that are alive at once: backward liveness (Aho, Lam, Sethi and
// Ullman, Compilers, 2nd edition, 9.2.5), with the instructions in the IR's order. What no
// instruction is expected of is in no register, and its operands live on to where it is used.
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

typedef struct liveness {
  const ssa_function *f;
  uint32_t n_words;
  uint64_t *at_begin; // of each block: a set of values, n_words of 64
  uint64_t *now;      // the set at the point that is looked at
  uint32_t words;     // registers that it takes
} liveness;

static bool is_in(const uint64_t *set, uint32_t value) { return set[value / 64] >> value % 64 & 1; }

static bool is_folded(const ssa_value *v) {
  return v->machine == 0 && v->op == SSA_EXPR && v->n_operands > 0;
}

// Constants and arguments are operands from constant memory.
static uint32_t registers_of(const ssa_value *v) {
  return is_folded(v) || v->block == DC_NONE ? 0 : v->words;
}

// Each value once between its definition and its last use.
static void use(liveness *l, uint32_t value, unsigned depth) {
  enum { FOLDED_MAX = 32 };
  const ssa_value *v = &l->f->values[value];
  if (is_in(l->now, value))
    return;
  l->now[value / 64] |= UINT64_C(1) << value % 64;
  l->words += registers_of(v);
  for (uint32_t k = 0; is_folded(v) && depth < FOLDED_MAX && k < v->n_operands; ++k)
    use(l, ssa_operand(l->f, v, k), depth + 1);
}

static void define(liveness *l, uint32_t value) {
  if (!is_in(l->now, value))
    return;
  l->now[value / 64] &= ~(UINT64_C(1) << value % 64);
  l->words -= registers_of(&l->f->values[value]);
}

static void use_for_phis(liveness *l, uint32_t block, uint32_t successor) {
  const ssa_function *f = l->f;
  const ssa_block *to = &f->blocks[successor];
  for (uint32_t n = 0; n < to->n_values; ++n) {
    const ssa_value *phi = &f->values[f->block_values[to->first_value + n]];
    for (uint32_t k = 0; phi->op == SSA_PHI && k < phi->n_operands; ++k)
      if (f->incoming[phi->first_operand + k] == block)
        use(l, ssa_operand(f, phi, k), 0);
  }
}

static void begin_at_end(liveness *l, uint32_t block) {
  const ssa_block *data = &l->f->blocks[block];
  memset(l->now, 0, l->n_words * sizeof *l->now);
  l->words = 0;
  for (uint32_t s = 0; s < data->n_successors; ++s) {
    uint32_t to = l->f->edges[data->first_successor + s];
    const uint64_t *set = &l->at_begin[(size_t)to * l->n_words];
    for (uint32_t value = 0; value < l->f->n_values; ++value)
      if (set[value / 64] == 0)
        value |= 63;
      else if (is_in(set, value))
        use(l, value, 0);
    use_for_phis(l, block, to);
  }
  if (data->condition != DC_NONE)
    use(l, data->condition, 0);
}

// Goes through a block from its end, raises *most, and tells whether what is alive at its beginning
// has changed.
static bool go_through(liveness *l, uint32_t block, uint32_t *most) {
  const ssa_function *f = l->f;
  const ssa_block *data = &f->blocks[block];
  begin_at_end(l, block);
  *most = l->words > *most ? l->words : *most;
  for (uint32_t n = data->n_values; n-- > 0;) {
    uint32_t value = f->block_values[data->first_value + n];
    const ssa_value *v = &f->values[value];
    define(l, value);
    for (uint32_t k = 0; v->op != SSA_PHI && !is_folded(v) && k < v->n_operands; ++k)
      use(l, ssa_operand(f, v, k), 0);
    *most = l->words > *most ? l->words : *most;
  }
  uint64_t *set = &l->at_begin[(size_t)block * l->n_words];
  bool changed = memcmp(set, l->now, l->n_words * sizeof *set) != 0;
  memcpy(set, l->now, l->n_words * sizeof *set);
  return changed;
}

// Until nothing changes; sets only grow, so that the last round's maximum is that of all.
static uint32_t most_alive(liveness *l) {
  uint32_t most = 0;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t n = l->f->n_in_order; n-- > 0;)
      again |= go_through(l, l->f->in_order[n], &most);
  }
  return most;
}

static bool calls(const ssa_function *f) {
  for (uint32_t value = 0; value < f->n_values; ++value)
    if (f->values[value].mix == DC_MIX_CALL + 1)
      return true;
  return false;
}

bool dcp_note_live(const dcp_analysis *analysis) {
  liveness l = {.f = analysis->function, .n_words = (analysis->function->n_values + 63) / 64};
  size_t words = (size_t)l.n_words * l.f->n_blocks;
  if (calls(l.f) || words > dcp_limit->live_words)
    return true;
  l.at_begin = calloc(words + 1, sizeof *l.at_begin);
  l.now = calloc(l.n_words + 1, sizeof *l.now);
  bool done = l.at_begin && l.now;
  if (done) {
    analysis->kernel->resources.live = most_alive(&l);
    analysis->kernel->resources.live_known = true;
  }
  free(l.at_begin);
  free(l.now);
  return done;
}
