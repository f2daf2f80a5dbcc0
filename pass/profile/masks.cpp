// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/instrument.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

Value *divcost::activeMask(IRBuilderBase &Builder) {
  return Builder.CreateIntrinsic(Builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
}

// That no lane is before and behind another one neither LLVM nor ptxas sees.
Value *divcost::maskOfLane(IRBuilderBase &Builder, Value *Mask) {
  auto Lanes = [&](Intrinsic::ID Of) {
    return Builder.CreateIntrinsic(Builder.getInt32Ty(), Of, {});
  };
  Value *Before = Lanes(Intrinsic::nvvm_read_ptx_sreg_lanemask_lt),
        *Others = Lanes(Intrinsic::nvvm_read_ptx_sreg_lanemask_ge);
  return Builder.CreateOr(Mask, Builder.CreateAnd(Before, Others));
}
