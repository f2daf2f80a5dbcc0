// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which sums the program itself computes in the width that they have. LLVM computes in fewer bits
// what is cut later, and takes the flags away that tell whether a sum has a sign: nothing in
// `add i32 %a, %b` tells a sum of unsigned numbers from the lower half of one of 64 bits.
#ifndef DIVCOST_PASS_IR_OWN_SUMS_H
#define DIVCOST_PASS_IR_OWN_SUMS_H

#include "analysis/source.h"
#include "analysis/ssa.h"

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace divcost {

// Marks the sums, differences and products of a module that no pass has seen; without a syntax tree
// nobody knows what the IR went through, and none is the program's own. The marks are of a kind
// that LLVM keeps (!annotation). O(instructions).
void markOwnSums(llvm::Module &M, const dcp_source &Source);

// Around passes that would make one sum of several (loop-invariant code motion): sums in loops that
// others are made of are held in a freeze meanwhile, so that they stay those of the program.
// O(instructions).
struct HoldSums : llvm::PassInfoMixin<HoldSums> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};
struct ReleaseSums : llvm::PassInfoMixin<ReleaseSums> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

// What the mark of an instruction says; without one it is cut.
ssa_sum ownSum(const llvm::Instruction &I);

} // namespace divcost

#endif
