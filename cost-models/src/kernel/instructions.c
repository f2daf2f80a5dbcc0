// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/instructions.h"

uint64_t dc__block_instructions(const dc_block *block) {
  uint64_t sum = block->counted ? block->machine : 0;
  for (unsigned mix = 0; !block->counted && mix < DC_MIX_COUNT; ++mix)
    sum += block->mix[mix];
  return sum;
}
