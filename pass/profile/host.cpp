// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of instrumentation. Before a launch the runtime library is told of it: it then
// knows the device, and registers what it does at exit late enough to come before CUDA's own end.
// Before the device is reset, it collects what would be lost.
#include "profile/instrument.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void divcost::announceLaunches(Module &M) {
  auto *Type = FunctionType::get(Type::getVoidTy(M.getContext()), false);
  std::vector<std::pair<Instruction *, StringRef>> Places;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *To = Call ? Call->getCalledFunction() : nullptr;
      if (To && To->getName().starts_with("cudaLaunch"))
        Places.push_back({&I, "dc_profile_launch"});
      else if (To && To->getName() == "cudaDeviceReset")
        Places.push_back({&I, "dc_profile_collect"});
    }
  for (auto [Place, Name] : Places)
    IRBuilder<>(Place).CreateCall(M.getOrInsertFunction(Name, Type));
}
