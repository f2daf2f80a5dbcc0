// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Butterfly reductions: `for (m = 16; m > 0; m /= 2) v += __shfl_xor_sync(~0u, v, m)`. After the
// step with m, lanes that differ in bit m have the same number, for it doesn't matter in which
// order two are added; and as the steps before go by other bits, what they made alike stays so.
// After all five bits, in whatever order, all lanes of the warp have the same.
#ifndef DIVCOST_PASS_IR_BUTTERFLIES_H
#define DIVCOST_PASS_IR_BUTTERFLIES_H

#include "llvm/IR/PassManager.h"

namespace divcost {

// Marks what butterfly reductions result in: it goes through an intrinsic that nothing else makes,
// llvm.ssa.copy, which gives what it gets. For private copies, with loops in simplified form, and
// in LCSSA. O(instructions).
struct MarkButterflies : llvm::PassInfoMixin<MarkButterflies> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace divcost

#endif
