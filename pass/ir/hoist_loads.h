// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every iteration of a loop reads at one address. LLVM reads it in front of the loop, once it
// has rotated that, so that what it moves is executed in any case; here loops stay as they were
// written, and a loop that has no iteration reads in vain.
#ifndef DIVCOST_PASS_IR_HOIST_LOADS_H
#define DIVCOST_PASS_IR_HOIST_LOADS_H

#include "llvm/IR/PassManager.h"

namespace divcost {

// Moves loads in front of loops that are left by their test alone, and in which nothing is written;
// with them the addresses that rest on what was moved. Loops are to be in simplified form, and rid
// of what else is invariant. O(instructions * nesting).
struct HoistLoads : llvm::PassInfoMixin<HoistLoads> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace divcost

#endif
