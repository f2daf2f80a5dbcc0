// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_SMALL_COPIES_H
#define DIVCOST_PASS_IR_SMALL_COPIES_H

#include "llvm/IR/Function.h"

namespace divcost {

// Copies of structures of a size that is known and small (float4, a few members) become loads and
// stores as wide as their alignment lets them be, as the backend makes them. O(instructions).
void expandSmallCopies(llvm::Function &F);

} // namespace divcost

#endif
