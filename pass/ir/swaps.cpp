// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/swaps.h"

#include "ir/casts.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using divcost::withoutCasts;

namespace {

// A condition that holds where an exchange was made, or where it wasn't.
struct Outcome {
  const AtomicCmpXchgInst *Exchange = nullptr;
  bool IfMade = true;
};

// The exchange of which a value is a part, behind casts.
const AtomicCmpXchgInst *exchangeOf(const Value *V, unsigned Part) {
  auto *Extract = dyn_cast<ExtractValueInst>(withoutCasts(V));
  return Extract && Extract->getIndices()[0] == Part
             ? dyn_cast<AtomicCmpXchgInst>(Extract->getAggregateOperand())
             : nullptr;
}

Outcome outcomeOf(const Value *Condition) {
  Value *Of;
  bool IfMade = true;
  while (match(Condition, m_Not(m_Value(Of)))) {
    Condition = Of;
    IfMade = !IfMade;
  }
  if (const AtomicCmpXchgInst *Exchange = exchangeOf(Condition, 1))
    return {Exchange, IfMade};
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !Compare->isEquality())
    return {};
  for (unsigned K = 0; K < 2; ++K) {
    const AtomicCmpXchgInst *Exchange = exchangeOf(Compare->getOperand(K), 0);
    if (Exchange &&
        withoutCasts(Exchange->getCompareOperand()) == withoutCasts(Compare->getOperand(1 - K)))
      return {Exchange, IfMade == (Compare->getPredicate() == CmpInst::ICMP_EQ)};
  }
  return {};
}

bool changesIn(const Cycle &C, const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && C.contains(I->getParent());
}

} // namespace

const AtomicCmpXchgInst *divcost::swapThatEnds(const BranchInst &Branch, const CycleInfo &Cycles) {
  const Cycle *C = Cycles.getCycle(Branch.getParent());
  if (!C || !Branch.isConditional())
    return nullptr;
  Outcome Of = outcomeOf(Branch.getCondition());
  bool Ends = Of.Exchange && !C->contains(Branch.getSuccessor(!Of.IfMade)) &&
              C->contains(Branch.getSuccessor(Of.IfMade)) &&
              C->contains(Of.Exchange->getParent()) &&
              changesIn(*C, Of.Exchange->getCompareOperand()) &&
              !changesIn(*C, Of.Exchange->getPointerOperand());
  return Ends ? Of.Exchange : nullptr;
}
