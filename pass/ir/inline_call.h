// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_INLINE_CALL_H
#define DIVCOST_PASS_IR_INLINE_CALL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace divcost {

// Puts the callee's body in the place of a call, and returns the calls in it. A function that
// nothing else calls has no body then.
llvm::SmallVector<llvm::CallBase *> inlineCall(llvm::CallBase &Call,
                                               llvm::FunctionAnalysisManager &FAM);

} // namespace divcost

#endif
