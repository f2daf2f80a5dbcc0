// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predication.h"

#include "divcost/arch.h"

bool dc_has_simple_sides(const dc_kernel *kernel, const dc_block *block) {
  if (block->n_successors != 2 || block->post_dominator == DC_NONE ||
      kernel->blocks[block->post_dominator].loop != block->loop ||
      (block->loop != DC_NONE && kernel->loops[block->loop].header == block->post_dominator))
    return false;
  for (uint32_t k = 0; k < block->n_successors; ++k) {
    uint32_t side = kernel->successors[block->first_successor + k];
    const dc_block *data = &kernel->blocks[side];
    if (side != block->post_dominator &&
        (data->n_successors != 1 || data->loop != block->loop ||
         kernel->successors[data->first_successor] != block->post_dominator))
      return false;
  }
  return true;
}

bool dc_is_predicated(const dc_kernel *kernel, const dc_block *block) {
  return block->branch != DC_NONE &&
         kernel->branches[block->branch].predication == DC_PREDICATION_LIKELY &&
         dc_has_simple_sides(kernel, block);
}

bool dc_is_bare_return(const dc_kernel *kernel, uint32_t block) {
  const dc_block *data = &kernel->blocks[block];
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    if (mix != DC_MIX_CONTROL && data->mix[mix])
      return false;
  return data->n_successors == 0 && data->branch == DC_NONE && data->loop == DC_NONE;
}

bool dc_has_bare_return(const dc_kernel *kernel, const dc_block *block) {
  if (block->branch == DC_NONE || kernel->branches[block->branch].exits != DC_NONE)
    return false;
  for (uint32_t k = 0; k < block->n_successors; ++k)
    if (dc_is_bare_return(kernel, kernel->successors[block->first_successor + k]))
      return true;
  return false;
}

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
        !dc_has_simple_sides(kernel, block) || dc_has_bare_return(kernel, block))
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
