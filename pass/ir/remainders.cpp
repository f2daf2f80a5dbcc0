// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/remainders.h"

#include "ir/module_facts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr const char *Mark = "divcost.remainder";

void divcost::markRemainders(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::URem || I.getOpcode() == Instruction::SRem)
        I.addAnnotationMetadata(Mark);
}

// A number that a loop carries, perhaps scaled.
static bool isCarried(const Value *V) {
  const Value *Scaled;
  if (match(V, m_Shl(m_Value(Scaled), m_ConstantInt())))
    V = Scaled;
  return isa<PHINode>(V);
}

bool divcost::wasRemainder(const Instruction &I) {
  Value *Power;
  return hasMark(I, Mark) && match(&I, m_c_And(m_Add(m_Value(Power), m_AllOnes()), m_Value())) &&
         isCarried(Power);
}
