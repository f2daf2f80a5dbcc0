// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches for which a compiler issues the instructions of both targets under predicates instead.
#include "divcost/arch.h"

#include "kernel/predication.h"

// Whether a side can be issued under a predicate, and how many instructions it has.
static bool count_side(const dc_block *side, uint64_t *count) {
  *count = 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    *count += mix == DC_MIX_CONTROL ? 0 : side->mix[mix];
  return !side->mix[DC_MIX_CALL] && !side->mix[DC_MIX_BARRIER] && !side->mix[DC_MIX_WARP] &&
         !side->mix[DC_MIX_ATOMIC];
}

void dc_arch_predicate(const dc_arch *arch, dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    dc_branch *branch = &kernel->branches[k];
    const dc_block *block = &kernel->blocks[branch->block];
    if (arch->predicated == 0 || branch->predication != DC_PREDICATION_UNKNOWN ||
        branch->level < DC_DIVERGENT || branch->exits != DC_NONE ||
        !dc__has_simple_targets(kernel, block) || dc__has_bare_return(kernel, block))
      continue;
    bool likely = true;
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t side = kernel->successors[block->first_successor + s];
      uint64_t count;
      likely &= side == block->post_dominator ||
                (count_side(&kernel->blocks[side], &count) && count <= arch->predicated);
    }
    branch->predication = likely ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY;
  }
}
