// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits for what in a block: the longest chain of instructions each of which needs the one
// before, how many reads of memory are in a row at the most, and at which place in a row each
// access is.
#include "analysis/analysis.h"

#include <stdlib.h>

// Those that take as long as memory does.
static bool is_slow_read(const ssa_value *v) {
  switch (ssa_mix(v)) {
  case DC_MIX_GLOBAL:
  case DC_MIX_LOCAL:
    return v->op == SSA_LOAD || v->op == SSA_FETCH;
  case DC_MIX_ATOMIC:
    return v->words > 0;
  default:
    return false;
  }
}

// Those that take longer than an instruction does.
bool dcp_is_read(const ssa_value *v) {
  if (v->op == SSA_ATOMIC)
    return v->words > 0;
  dc_mix mix = ssa_mix(v);
  return (v->op == SSA_LOAD || v->op == SSA_FETCH) &&
         (mix == DC_MIX_GLOBAL || mix == DC_MIX_LOCAL || mix == DC_MIX_SHARED ||
          mix == DC_MIX_CONSTANT);
}

// The longest chain behind a value, in its block; reads: slow ones, and all.
typedef struct chain {
  uint32_t instructions, slow, reads;
} chain;

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint16_t cut(uint32_t number) { return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX; }

static void note_block(const ssa_function *f, uint32_t block, chain *chains, dc_block *to) {
  const ssa_block *from = &f->blocks[block];
  chain most = {0, 0, 0};
  for (uint32_t n = 0; n < from->n_values; ++n) {
    uint32_t value = f->block_values[from->first_value + n];
    const ssa_value *v = &f->values[value];
    chain longest = {0, 0, 0};
    for (uint32_t k = 0; v->op != SSA_PHI && k < v->n_operands; ++k) {
      uint32_t operand = ssa_operand(f, v, k);
      if (f->values[operand].block != block)
        continue;
      longest.instructions = greater(longest.instructions, chains[operand].instructions);
      longest.slow = greater(longest.slow, chains[operand].slow);
      longest.reads = greater(longest.reads, chains[operand].reads);
    }
    longest.instructions += v->machine;
    longest.slow += is_slow_read(v);
    longest.reads += dcp_is_read(v);
    chains[value] = longest;
    most.instructions = greater(most.instructions, longest.instructions);
    most.slow = greater(most.slow, longest.slow);
  }
  to->chain = cut(most.instructions);
  to->stages = cut(most.slow);
}

// Accesses that are expected to become one wait for what the first of them does.
static void note_accesses(dcp_analysis *analysis, const chain *chains, uint32_t first) {
  const ssa_function *f = analysis->function;
  dc_kernel *kernel = analysis->kernel;
  for (uint32_t k = 0, at = first; k < f->n_accesses && at < kernel->n_accesses; ++k) {
    ssa_access joined;
    const ssa_access *from = &f->accesses[k];
    uint32_t value = from->value;
    if (!dcp_expected_access(analysis, &k, &joined))
      continue;
    bool waits = dcp_is_read(&f->values[value]);
    kernel->accesses[at++].stage =
        waits ? (uint8_t)(chains[value].reads < UINT8_MAX ? chains[value].reads : UINT8_MAX) : 0;
  }
}

bool dcp_note_chains(dcp_analysis *analysis, uint32_t first_block, uint32_t first_access) {
  const ssa_function *f = analysis->function;
  chain *chains = calloc((size_t)f->n_values + 1, sizeof *chains);
  if (!chains)
    return false;
  for (uint32_t k = 0; k < f->n_blocks; ++k)
    note_block(f, k, chains, &analysis->kernel->blocks[first_block + k]);
  note_accesses(analysis, chains, first_access);
  free(chains);
  return true;
}
