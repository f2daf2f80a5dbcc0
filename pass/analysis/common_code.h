// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both sides of a branch do: LLVM moves it in front of the branch, or behind (SimplifyCFG), so
// that neither side has it in machine code.
#ifndef DIVCOST_PASS_ANALYSIS_COMMON_CODE_H
#define DIVCOST_PASS_ANALYSIS_COMMON_CODE_H

#include "analysis/ssa.h"

// The values of a block that are its own: from `first` up to, but without, `end`, counted in it.
typedef struct dcp_own_code {
  uint32_t first, end;
} dcp_own_code;

// Of the two blocks that a branch leads to, what each has for itself. O(values * operands^3).
void dcp_own_code_of(const ssa_function *f, const uint32_t blocks[2], dcp_own_code own[2]);

#endif
