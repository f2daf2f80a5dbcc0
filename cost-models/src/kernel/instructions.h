// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_KERNEL_INSTRUCTIONS_H
#define DIVCOST_KERNEL_INSTRUCTIONS_H

#include "divcost/kernel.h"

// How many machine instructions a block is expected to become.
uint64_t dc__block_instructions(const dc_block *block);

// In front of each kind of passes of an unrolled loop: addresses, comparison, branch.
#define DC_GUARD_INSTRUCTIONS 4

#endif
