// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/own_sums.h"

#include "ir/module_facts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

// By ssa_sum.
static constexpr const char *Marks[] = {"divcost.sum", "divcost.signed_sum", "divcost.cut_sum"};

ssa_sum divcost::ownSum(const Instruction &I) {
  for (ssa_sum Sum : {SSA_SUM_CUT, SSA_SUM_SIGNED})
    if (hasMark(I, Marks[Sum]))
      return Sum;
  return SSA_SUM_OWN;
}

void divcost::markOwnSums(Module &M, const dcp_source &Source) {
  if (Source.n_kernels == 0)
    return;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Sum = dyn_cast<OverflowingBinaryOperator>(&I))
        I.addAnnotationMetadata(Marks[Sum->hasNoSignedWrap() ? SSA_SUM_SIGNED : SSA_SUM_OWN]);
}

PreservedAnalyses divcost::MarkCutSums::run(Function &F, FunctionAnalysisManager &) {
  for (Instruction &I : instructions(F))
    if (isa<OverflowingBinaryOperator>(I) && !hasMark(I, Marks[SSA_SUM_OWN]) &&
        !hasMark(I, Marks[SSA_SUM_SIGNED]))
      I.addAnnotationMetadata(Marks[SSA_SUM_CUT]);
  return PreservedAnalyses::all();
}
