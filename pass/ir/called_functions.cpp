// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/called_functions.h"

#include "analysis/limits.h"
#include "ir/device_library.h"
#include "ir/module_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace divcost;

PointerTargets::PointerTargets(const Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) &&
        F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                          /*IngoreLLVMUsed=*/true))
      OfType[F.getFunctionType()].push_back(&F);
}

ArrayRef<const Function *> PointerTargets::of(const CallBase &Call) const {
  auto Found = OfType.find(Call.getFunctionType());
  return Found == OfType.end() ? ArrayRef<const Function *>() : ArrayRef(Found->second);
}

bool divcost::isThroughPointer(const CallBase &Call) {
  return !Call.getCalledFunction() && !Call.isInlineAsm();
}

bool divcost::isOfAnotherUnit(const Function &F) {
  static const StringRef OfRuntime[] = {"malloc", "free", "vprintf", "__assertfail",
                                        "__nvvm_reflect"};
  return F.isDeclaration() && !F.isIntrinsic() && !is_contained(OfRuntime, F.getName()) &&
         !isInDeviceLibrary(F);
}

static void follow(const CallBase &Call, const PointerTargets &Targets, uint64_t &Left,
                   CalledFunctions &Found) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->isDeclaration() && isOfAnotherUnit(*Callee))
    Found.Elsewhere.insert(Callee);
  else if (Callee && !Callee->isDeclaration() && Callee != Call.getFunction())
    Found.ByName.insert(Callee);
  if (!isThroughPointer(Call))
    return;
  ArrayRef<const Function *> Candidates = Targets.of(Call);
  Found.Others |= Candidates.empty();
  for (const Function *F : Candidates) {
    if (Found.Reached.contains(F))
      continue;
    Found.Others |= Left == 0;
    if (Left == 0)
      return;
    --Left;
    Found.Reached.insert(F);
  }
}

CalledFunctions divcost::calledFunctions(const Function &Kernel, const PointerTargets &Targets) {
  CalledFunctions Found;
  uint64_t Left = dcp_limit->pointer_targets;
  Found.Reached.insert(&Kernel);
  for (unsigned K = 0; K < Found.Reached.size(); ++K)
    for (const Instruction &I : instructions(*Found.Reached[K])) {
      for (const Value *Operand : I.operands())
        if (auto *F = dyn_cast<Function>(Operand->stripPointerCasts());
            F && !F->isDeclaration() && !isKernel(*F)) // another kernel is launched, not called
          Found.Reached.insert(F);
      if (auto *Call = dyn_cast<CallBase>(&I))
        follow(*Call, Targets, Left, Found);
    }
  return Found;
}
