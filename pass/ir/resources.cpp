// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/resources.h"

#include "ir/address_spaces.h"
#include "ir/module_facts.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isUsedBy(const GlobalVariable &Variable, const divcost::Functions &Of) {
  SmallVector<const User *, 8> Users(Variable.users());
  SmallPtrSet<const User *, 16> Seen;
  while (!Users.empty()) {
    const User *U = Users.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (auto *I = dyn_cast<Instruction>(U)) {
      if (Of.contains(I->getFunction()))
        return true;
    } else {
      append_range(Users, U->users());
    }
  }
  return false;
}

static void noteSharedMemory(const divcost::Functions &Of, dc_resources &To) {
  const Module &M = *Of.front()->getParent();
  for (const GlobalVariable &Variable : M.globals()) {
    if (Variable.getAddressSpace() != divcost::SharedSpace || !isUsedBy(Variable, Of))
      continue;
    uint64_t Size = M.getDataLayout().getTypeAllocSize(Variable.getValueType());
    Align At = Variable.getAlign().valueOrOne();
    uint64_t End = alignTo(To.shared, At) + Size;
    if (Variable.isDeclaration() || Size == 0)
      To.dynamic_shared = true;
    else
      To.shared = static_cast<uint32_t>(std::min<uint64_t>(End, UINT32_MAX));
  }
  if (To.dynamic_shared) // it begins at a multiple of that
    To.shared = static_cast<uint32_t>(alignTo<16>(To.shared));
}

// Arrays that would take more than a thread has are none.
static void noteArrays(const divcost::Functions &Of, dc_resources &To) {
  constexpr uint64_t MostRegisters = 255, Word = 4;
  for (const Function *F : Of)
    for (const Instruction &I : instructions(*F)) {
      auto *Array = dyn_cast<AllocaInst>(&I);
      auto Size = Array ? Array->getAllocationSize(F->getParent()->getDataLayout()) : std::nullopt;
      uint64_t Words = Size && Size->isFixed() ? divideCeil(Size->getFixedValue(), Word) : 0;
      To.arrays += Words <= MostRegisters ? static_cast<uint32_t>(Words) : 0;
    }
}

void divcost::noteResources(const Functions &Of, dc_resources &To) {
  const Function &Kernel = *Of.front();
  uint32_t Required[3];
  To.known = true;
  To.max_threads = largestBlock(Kernel);
  if (requiredBlock(Kernel, Required))
    To.max_threads = Required[0] * Required[1] * Required[2];
  To.min_blocks = leastBlocks(Kernel);
  To.max_registers = mostRegisters(Kernel);
  noteSharedMemory(Of, To);
  noteArrays(Of, To);
}
