// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/own_sums.h"

#include "ir/module_facts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

static constexpr const char *OwnMark = "divcost.sum", *SignedMark = "divcost.signed_sum",
                            *HeldMark = "divcost.held";

ssa_sum divcost::ownSum(const Instruction &I) {
  return hasMark(I, OwnMark) ? SSA_SUM_OWN : hasMark(I, SignedMark) ? SSA_SUM_SIGNED : SSA_SUM_CUT;
}

// `n + 0xffffffe0u` may be meant as it stands or as n - 32; nothing is read from it.
static bool addsLargeNumber(const OverflowingBinaryOperator &Sum) {
  const auto *Number = dyn_cast<ConstantInt>(Sum.getOperand(1));
  if (!Number)
    Number = dyn_cast<ConstantInt>(Sum.getOperand(0));
  return Sum.getOpcode() == Instruction::Add && Number && Number->isNegative();
}

void divcost::markOwnSums(Module &M, const dcp_source &Source) {
  if (Source.n_kernels == 0)
    return;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Sum = dyn_cast<OverflowingBinaryOperator>(&I)) {
        if (Sum->hasNoSignedWrap())
          I.addAnnotationMetadata(SignedMark);
        else if (!addsLargeNumber(*Sum))
          I.addAnnotationMetadata(OwnMark);
      }
}

PreservedAnalyses divcost::HoldSums::run(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    for (BasicBlock *Block : L->blocks())
      for (Instruction &I : *Block)
        for (Use &Operand : I.operands())
          if (isa<OverflowingBinaryOperator>(I) && isa<OverflowingBinaryOperator>(Operand)) {
            auto *Held = new FreezeInst(Operand, "", I.getIterator());
            Held->addAnnotationMetadata(HeldMark);
            Operand.set(Held);
          }
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

PreservedAnalyses divcost::ReleaseSums::run(Function &F, FunctionAnalysisManager &) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<FreezeInst>(I) && hasMark(I, HeldMark)) {
      I.replaceAllUsesWith(I.getOperand(0));
      I.eraseFromParent();
    }
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  Kept.preserve<MemorySSAAnalysis>();
  return Kept;
}
