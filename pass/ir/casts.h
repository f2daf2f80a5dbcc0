// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_CASTS_H
#define DIVCOST_PASS_IR_CASTS_H

#include "llvm/IR/InstrTypes.h"

namespace divcost {

// What casts of any kind are applied to.
inline const llvm::Value *withoutCasts(const llvm::Value *V) {
  while (auto *Cast = llvm::dyn_cast<llvm::CastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

} // namespace divcost

#endif
