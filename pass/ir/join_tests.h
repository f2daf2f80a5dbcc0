// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that are made together. Of `if (x && y)` clang makes two branches, and nvcc one, where y is
// cheap and may be computed in lanes that don't need it.
#ifndef DIVCOST_PASS_IR_JOIN_TESTS_H
#define DIVCOST_PASS_IR_JOIN_TESTS_H

#include "llvm/IR/PassManager.h"

namespace divcost {

// Makes one branch of two that lead to the same place where the second one's test is short, and of
// nothing that can't be done in vain. Not of a loop's exits, each of which bounds how often it goes
// round. To be run before values are shared: what the test computes is moved only where nothing
// behind it uses it. Leaves blocks that nothing leads to. O(instructions).
struct JoinTests : llvm::PassInfoMixin<JoinTests> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace divcost

#endif
