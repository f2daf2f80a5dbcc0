// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/hoist_loads.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

// But for marks and assumptions.
bool writes(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return I.mayWriteToMemory() && !(Call && Call->isAssumeLikeIntrinsic());
}

bool writesIn(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) { return any_of(*BB, writes); });
}

bool canBeMoved(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load ? Load->isSimple() : isa<GetElementPtrInst>(I) || isa<CastInst>(I);
}

// What a load in a block of each iteration needs comes before it, in the same or another such one.
bool hoistFrom(Loop &L, const DominatorTree &DT) {
  BasicBlock *Front = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  if (!Front || !Latch || L.getExitingBlock() != L.getHeader() || writesIn(L))
    return false;
  bool Moved = false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : make_early_inc_range(*BB))
      if (DT.dominates(BB, Latch) && canBeMoved(I) && L.hasLoopInvariantOperands(&I)) {
        I.moveBefore(*Front, Front->getTerminator()->getIterator());
        Moved = true;
      }
  return Moved;
}

} // namespace

PreservedAnalyses divcost::HoistLoads::run(Function &F, FunctionAnalysisManager &FAM) {
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<Loop *, 4> InOrder = Loops.getLoopsInPreorder();
  bool Moved = false;
  for (Loop *L : reverse(InOrder)) // inner ones first
    Moved |= hoistFrom(*L, DT);
  if (!Moved)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}
