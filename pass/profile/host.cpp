// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of instrumentation. Kernels are registered with the runtime library when they are
// with CUDA's. Before a launch the library is told of it: it then knows the kernel, its
// configuration and the device, and registers what it does at exit late enough to come before
// CUDA's own end. Before the device is reset, it collects what would be lost.
#include "profile/instrument.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

constexpr int ConstructorPriority = 65535; // any: nothing is launched before main's

// A call of the runtime library before an instruction, which takes what the arguments are.
void callLibrary(Instruction &Before, StringRef Name, ArrayRef<Value *> Arguments) {
  std::vector<Type *> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  Module &M = *Before.getModule();
  auto *Signature = FunctionType::get(Type::getVoidTy(M.getContext()), Types, false);
  IRBuilder<>(&Before).CreateCall(M.getOrInsertFunction(Name, Signature), Arguments);
}

// Whether a call passes what clang makes of (const void *, dim3, dim3, void **, size_t,
// cudaStream_t) where structures of 12 bytes go in two registers.
bool passesDimensions(const CallBase &Call) {
  constexpr unsigned Bits[] = {0, 64, 32, 64, 32, 0, 64, 0}; // 0: a pointer
  if (Call.arg_size() != std::size(Bits))
    return false;
  for (unsigned K = 0; K < Call.arg_size(); ++K) {
    const Type *T = Call.getArgOperand(K)->getType();
    if (Bits[K] ? !T->isIntegerTy(Bits[K]) : !T->isPointerTy())
      return false;
  }
  return true;
}

void announceLaunch(CallBase &Call) {
  std::vector<Value *> Arguments;
  if (Call.getCalledFunction()->getName() == "cudaLaunchKernelExC" && Call.arg_size() == 3) {
    callLibrary(Call, "dc_profile_launched_config", {Call.getArgOperand(0), Call.getArgOperand(1)});
    return;
  }
  if (!passesDimensions(Call)) {
    callLibrary(Call, "dc_profile_launched", {});
    return;
  }
  for (unsigned K : {0, 1, 2, 3, 4, 6})
    Arguments.push_back(Call.getArgOperand(K));
  callLibrary(Call, "dc_profile_launched_kernel", Arguments);
}

} // namespace

// Registers the kernels of relocatable device code, which are in a table that the linker gathers
// for CUDA: rows of a stub, a name, and no size.
static void registerEntries(Module &M, GlobalVariable *Unit) {
  Function *Register = nullptr;
  for (GlobalVariable &Entry : M.globals()) {
    auto *Row = Entry.hasInitializer() ? dyn_cast<ConstantStruct>(Entry.getInitializer()) : nullptr;
    if (!Row || Entry.getSection() != "llvm_offload_entries" || Row->getNumOperands() < 6)
      continue;
    auto *Stub = dyn_cast<Function>(Row->getOperand(4)->stripPointerCasts());
    if (!Stub)
      continue;
    if (!Register) {
      auto *Type = FunctionType::get(Type::getVoidTy(M.getContext()), false);
      Register = Function::Create(Type, GlobalValue::InternalLinkage, "__divcost_kernels", M);
      IRBuilder<>(BasicBlock::Create(M.getContext(), "", Register)).CreateRetVoid();
      appendToGlobalCtors(M, Register, ConstructorPriority);
    }
    callLibrary(Register->getEntryBlock().back(), "dc_profile_register_kernel",
                {Unit, Stub, Row->getOperand(5)});
  }
}

void divcost::announceLaunches(Module &M) {
  std::vector<CallBase *> Calls;
  GlobalVariable *Unit = nullptr;
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getName().starts_with("_ZL14__divcost_unit"))
      Unit = &Variable;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction())
        Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    StringRef Name = Call->getCalledFunction()->getName();
    if (Name.starts_with("cudaLaunch"))
      announceLaunch(*Call);
    else if (Name == "cudaDeviceReset")
      callLibrary(*Call, "dc_profile_collect", {});
    else if (Name == "__cudaRegisterFunction" && Unit)
      callLibrary(*Call, "dc_profile_register_kernel",
                  {Unit, Call->getArgOperand(1), Call->getArgOperand(2)});
  }
  if (Unit)
    registerEntries(M, Unit);
}
