// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kept_places.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace divcost {

KeptPlaces::KeptPlaces(const LoopInfo &Loops) {
  for (const Loop *L : Loops)
    for (BasicBlock *Block : L->blocks())
      for (Instruction &I : *Block)
        if (isa<LoadInst, CallBase, CmpInst>(I) && !I.isDebugOrPseudoInst() && I.getDebugLoc())
          Places.emplace_back(&I, I.getDebugLoc());
}

void KeptPlaces::restore() const {
  for (const auto &[Where, Place] : Places)
    if (auto *I = dyn_cast_or_null<Instruction>(static_cast<Value *>(Where)))
      if (!I->getDebugLoc() || !I->getDebugLoc().getLine())
        I->setDebugLoc(Place);
}

} // namespace divcost
