// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/predication.h"

bool dc__has_simple_targets(const dc_kernel *kernel, const dc_block *block) {
  if (block->n_successors != 2 || block->post_dominator == DC_NONE ||
      kernel->blocks[block->post_dominator].loop != block->loop ||
      (block->loop != DC_NONE && kernel->loops[block->loop].header == block->post_dominator))
    return false;
  for (uint32_t k = 0; k < block->n_successors; ++k) {
    uint32_t target = kernel->successors[block->first_successor + k];
    const dc_block *data = &kernel->blocks[target];
    if (target != block->post_dominator &&
        (data->n_successors != 1 || data->loop != block->loop ||
         kernel->successors[data->first_successor] != block->post_dominator))
      return false;
  }
  return true;
}

bool dc__is_predicated(const dc_kernel *kernel, const dc_block *block) {
  return block->branch != DC_NONE &&
         kernel->branches[block->branch].predication == DC_PREDICATION_LIKELY &&
         dc__has_simple_targets(kernel, block);
}

bool dc__is_empty(const dc_block *block) {
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    if (mix != DC_MIX_CONTROL && block->mix[mix])
      return false;
  return true;
}

bool dc__is_bare_return(const dc_kernel *kernel, uint32_t block) {
  const dc_block *data = &kernel->blocks[block];
  return dc__is_empty(data) && data->n_successors == 0 && data->branch == DC_NONE &&
         data->loop == DC_NONE;
}

bool dc__has_bare_return(const dc_kernel *kernel, const dc_block *block) {
  if (block->branch == DC_NONE || kernel->branches[block->branch].exits != DC_NONE)
    return false;
  for (uint32_t k = 0; k < block->n_successors; ++k)
    if (dc__is_bare_return(kernel, kernel->successors[block->first_successor + k]))
      return true;
  return false;
}
