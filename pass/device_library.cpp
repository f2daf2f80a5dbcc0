// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_library.h"

#include "machine_count.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// What is no longer than this is mostly another name for an intrinsic.
constexpr unsigned ShortFunction = 16;

bool isOfNumbers(const Function &F) {
  return F.getReturnType()->isFloatingPointTy() &&
         none_of(F.args(), [](const Argument &A) { return A.getType()->isPointerTy(); });
}

} // namespace

bool divcost::isInDeviceLibrary(const Function &F) { return F.getName().starts_with("__nv_"); }

void divcost::keepLibraryCalls(Module &M) {
  for (Function &F : M) {
    if (!isInDeviceLibrary(F) || !isOfNumbers(F))
      continue;
    if (!F.isDeclaration() && (!isCounted(F) || F.getInstructionCount() <= ShortFunction))
      continue;
    F.deleteBody();
    F.removeFnAttr(Attribute::AlwaysInline);
    F.removeFnAttr(Attribute::Convergent);
    F.setDoesNotAccessMemory();
    F.setDoesNotThrow();
    F.setWillReturn();
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->removeFnAttr(Attribute::Convergent);
  }
}
