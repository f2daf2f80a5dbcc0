// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_KERNEL_INSTRUCTIONS_H
#define DIVCOST_KERNEL_INSTRUCTIONS_H

#include "divcost/kernel.h"

// How many machine instructions a block is expected to become.
uint64_t dc__block_instructions(const dc_block *block);

// An atomic that lanes try until they are alone with its address, such as a floating-point addition
// in shared memory: what ptxas of CUDA 13.0 makes of a try is a load, the operation, a swap, a
// comparison and a branch; and lanes that are done come to the end of the region by themselves.
#define DC_TRY_INSTRUCTIONS 6

// In front of each kind of passes of an unrolled loop: addresses, comparison, branch.
#define DC_GUARD_INSTRUCTIONS 4

#endif
