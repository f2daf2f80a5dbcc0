// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits for what in a block: the longest chain of instructions each of which needs the one
// before, and how many reads of memory are in a row at the most.
#include "analysis/analysis.h"

// Those that take as long as memory does.
static bool is_slow_read(const ssa_value *v) {
  switch (v->mix ? (dc_mix)(v->mix - 1) : DC_MIX_COUNT) {
  case DC_MIX_GLOBAL:
  case DC_MIX_LOCAL:
    return v->op == SSA_LOAD || v->op == SSA_FETCH;
  case DC_MIX_ATOMIC:
    return v->words > 0;
  default:
    return false;
  }
}

void dcp_note_chains(const ssa_function *f, uint32_t block, dcp_chain *scratch, dc_block *to) {
  const ssa_block *from = &f->blocks[block];
  dcp_chain most = {0, 0};
  for (uint32_t n = 0; n < from->n_values; ++n) {
    uint32_t value = f->block_values[from->first_value + n];
    const ssa_value *v = &f->values[value];
    dcp_chain chain = {0, 0};
    for (uint32_t k = 0; v->op != SSA_PHI && k < v->n_operands; ++k) {
      uint32_t operand = f->operands[v->first_operand + k];
      if (f->values[operand].block != block)
        continue;
      const dcp_chain *before = &scratch[operand];
      chain.instructions =
          before->instructions > chain.instructions ? before->instructions : chain.instructions;
      chain.reads = before->reads > chain.reads ? before->reads : chain.reads;
    }
    chain.instructions += v->machine;
    chain.reads += is_slow_read(v);
    scratch[value] = chain;
    most.instructions =
        chain.instructions > most.instructions ? chain.instructions : most.instructions;
    most.reads = chain.reads > most.reads ? chain.reads : most.reads;
  }
  to->chain = most.instructions < UINT16_MAX ? (uint16_t)most.instructions : UINT16_MAX;
  to->stages = most.reads < UINT16_MAX ? (uint16_t)most.reads : UINT16_MAX;
}
