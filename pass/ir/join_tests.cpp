// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/join_tests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

constexpr unsigned MaxTestInstructions = 4; // of a test, without its comparison

bool joinWithTestsBefore(BranchInst &Branch) {
#if LLVM_VERSION_MAJOR >= 22
  return foldBranchToCommonDest(&Branch, nullptr, nullptr, nullptr, MaxTestInstructions);
#else
  return FoldBranchToCommonDest(&Branch, nullptr, nullptr, nullptr, MaxTestInstructions);
#endif
}

bool mayBeJoined(const BasicBlock &BB, const LoopInfo &Loops) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  const Loop *L = Loops.getLoopFor(&BB);
  return Branch && Branch->isConditional() &&
         (!L || (L->getHeader() != &BB && !L->isLoopExiting(&BB)));
}

// Joins a block's test with those of all that lead to it, as far as can be. What nothing leads to
// any more goes, for it would be taken for a block that leads somewhere.
bool joinTestOf(BasicBlock &BB) {
  bool Joined = false;
  while (!pred_empty(&BB) && joinWithTestsBefore(*cast<BranchInst>(BB.getTerminator())))
    Joined = true;
  if (Joined && pred_empty(&BB))
    DeleteDeadBlock(&BB);
  return Joined;
}

} // namespace

PreservedAnalyses divcost::JoinTests::run(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  bool Joined = false;
  for (BasicBlock &BB : make_early_inc_range(F))
    if (mayBeJoined(BB, Loops))
      Joined |= joinTestOf(BB);
  return Joined ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
