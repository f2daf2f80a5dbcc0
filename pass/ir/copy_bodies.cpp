// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own copy of a function keeps a handle on each value, for maps that are changed while they
// are in use, and maps all metadata, which takes three times as long as the rest of it.
#include "ir/copy_bodies.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// Constants may have the address of a block, which LLVM's copy cares for.
bool hasTakenBlocks(const Function &F) {
  return any_of(F, [](const BasicBlock &Block) { return Block.hasAddressTaken(); });
}

class BodyCopy {
public:
  BodyCopy(const Function &From, Function &To, ValueToValueMapTy &Globals)
      : From(From), To(To), Globals(Globals) {}

  void run() {
    To.setLinkage(From.getLinkage());
    To.copyMetadata(&From, 0);
    for (auto [Old, New] : zip_equal(From.args(), To.args())) {
      New.setName(Old.getName());
      Copies[&Old] = &New;
    }
    for (const BasicBlock &Block : From)
      Copies[&Block] = BasicBlock::Create(To.getContext(), Block.getName(), &To);
    for (const BasicBlock &Block : From)
      copyInstructions(Block, *cast<BasicBlock>(Copies[&Block]));
    for (Instruction &I : instructions(To))
      lead(I);
  }

private:
  void copyInstructions(const BasicBlock &Block, BasicBlock &Copy) {
    for (const Instruction &I : Block) {
      if (isa<DbgInfoIntrinsic>(I) || I.isLifetimeStartOrEnd())
        continue;
      Instruction *New = I.clone();
      New->insertInto(&Copy, Copy.end());
      if (I.hasName())
        New->setName(I.getName());
      if (!I.getType()->isVoidTy())
        Copies[&I] = New;
    }
  }

  // To the copies of what an instruction uses.
  void lead(Instruction &I) {
    for (Use &Operand : I.operands())
      Operand.set(copyOf(Operand.get()));
    if (auto *Phi = dyn_cast<PHINode>(&I))
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        Phi->setIncomingBlock(K, cast<BasicBlock>(Copies.lookup(Phi->getIncomingBlock(K))));
  }

  Value *copyOf(Value *Old) {
    if (isa<ConstantData>(Old) || isa<MetadataAsValue>(Old) || isa<InlineAsm>(Old))
      return Old;
    auto At = Copies.find(Old);
    if (At != Copies.end())
      return At->second;
    return Copies[Old] = MapValue(cast<Constant>(Old), Globals);
  }

  const Function &From;
  Function &To;
  ValueToValueMapTy &Globals;
  DenseMap<const Value *, Value *> Copies;
};

} // namespace

std::unique_ptr<Module> divcost::copyWithBodies(const Module &M,
                                                function_ref<bool(const Function &)> IsWanted) {
  ValueToValueMapTy Globals;
  for (DICompileUnit *Unit : M.debug_compile_units())
    Globals.MD()[Unit].reset(Unit);
  auto IsCopiedHere = [IsWanted](const Function &F) {
    return !F.isDeclaration() && IsWanted(F) && !hasTakenBlocks(F);
  };
  std::unique_ptr<Module> Copy = CloneModule(M, Globals, [&](const GlobalValue *Value) {
    auto *F = dyn_cast<Function>(Value);
    return !F || (IsWanted(*F) && !IsCopiedHere(*F));
  });
  for (const Function &F : M)
    if (IsCopiedHere(F))
      BodyCopy(F, *cast<Function>(Globals[&F]), Globals).run();
  return Copy;
}
