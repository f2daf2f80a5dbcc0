// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of instrumentation. Kernels are registered with the runtime library when they are
// with CUDA's. Before a launch the library is told of it: it then knows the kernel, its
// configuration and the device, and registers what it does at exit late enough to come before
// CUDA's own end. Before the device is reset, it collects what would be lost.
#include "profile/instrument.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <map>

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
    callLibrary(Call, "dc_profile_launched_stub_by",
                {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2)});
    return;
  }
  if (!passesDimensions(Call)) {
    callLibrary(Call, "dc_profile_launched", {});
    return;
  }
  for (unsigned K : {0, 1, 2, 3, 4, 5, 6})
    Arguments.push_back(Call.getArgOperand(K));
  callLibrary(Call, "dc_profile_launched_stub", Arguments);
}

// What a parameter is, by the variable that a stub has it in.
char letterOf(const Value *Variable) {
  auto *Own = dyn_cast<AllocaInst>(Variable);
  const Type *T = Own ? Own->getAllocatedType() : nullptr;
  if (T && T->isPointerTy())
    return 'p';
  for (unsigned Bytes : {1, 2, 4, 8})
    if (T && T->isIntegerTy(8 * Bytes))
      return static_cast<char>('0' + Bytes);
  return '-';
}

// The stub of a kernel puts the addresses of its parameters into an array, and launches.
const AllocaInst *arrayOfParameters(const Function &Stub) {
  for (const Instruction &I : instructions(Stub))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->getName().starts_with("cudaLaunchKernel") &&
        passesDimensions(*Call))
      return dyn_cast<AllocaInst>(Call->getArgOperand(5)->stripPointerCasts());
  return nullptr;
}

// A letter for each parameter of a kernel (runtime/src/recorder.c); those that the stub doesn't
// tell of are '-'.
std::string parametersOf(const Function &Stub) {
  const AllocaInst *Array = arrayOfParameters(Stub);
  const DataLayout &Layout = Stub.getDataLayout();
  std::map<int64_t, char> Letters;
  for (const Instruction &I : instructions(Stub)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    int64_t Offset = 0;
    if (!Array || !Store ||
        GetPointerBaseWithConstantOffset(Store->getPointerOperand(), Offset, Layout) != Array)
      continue;
    Letters[Offset / static_cast<int64_t>(Layout.getPointerSize())] =
        letterOf(Store->getValueOperand());
  }
  std::string Text;
  for (auto [Number, Letter] : Letters) {
    if (Number != static_cast<int64_t>(Text.size()))
      return "";
    Text += Letter;
  }
  return Text;
}

void registerKernel(Instruction &Before, Value *Unit, Value *Stub, Value *Name) {
  auto *F = dyn_cast<Function>(Stub->stripPointerCasts());
  callLibrary(
      Before, "dc_profile_register_stub",
      {Unit, Stub, Name,
       IRBuilder<>(&Before).CreateGlobalString(F ? parametersOf(*F) : "", ".divcost.parameters")});
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
    registerKernel(Register->getEntryBlock().back(), Unit, Stub, Row->getOperand(5));
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
      registerKernel(*Call, Unit, Call->getArgOperand(1), Call->getArgOperand(2));
  }
  if (Unit)
    registerEntries(M, Unit);
}
