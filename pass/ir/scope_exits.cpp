// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/scope_exits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

void dropLifetimes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<LifetimeIntrinsic>(I))
      I.eraseFromParent();
}

// The variable that a block does nothing but switch on, or null.
const AllocaInst *switchedOn(const BasicBlock &Block) {
  auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator());
  auto *Load = Switch ? dyn_cast<LoadInst>(Switch->getCondition()) : nullptr;
  if (!Load || Load->isVolatile() || !Load->hasOneUse() || &Block.front() != Load ||
      Load->getNextNode() != Switch)
    return nullptr;
  return dyn_cast<AllocaInst>(Load->getPointerOperand());
}

// The number that a block leaves in a variable of which nobody has the address, or null.
const ConstantInt *storedLast(const BasicBlock &Block, const AllocaInst &Variable) {
  for (const Instruction &I : reverse(Block))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->getPointerOperand() == &Variable)
      return dyn_cast<ConstantInt>(Store->getValueOperand());
  return nullptr;
}

bool isOnlyLoadedAndStored(const AllocaInst &Variable) {
  return all_of(Variable.users(), [&Variable](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == &Variable && !Store->isVolatile();
    return isa<LoadInst>(U);
  });
}

// Leads a block that ends in a cleanup on to where its number leads. False: it stays.
bool leadOn(BasicBlock &Block) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || Branch->isConditional())
    return false;
  BasicBlock *Cleanup = Branch->getSuccessor(0);
  const AllocaInst *Variable = switchedOn(*Cleanup);
  if (!Variable || Cleanup == &Block || !isOnlyLoadedAndStored(*Variable))
    return false;
  const ConstantInt *Number = storedLast(Block, *Variable);
  if (!Number)
    return false;
  auto *Switch = cast<SwitchInst>(Cleanup->getTerminator());
  BasicBlock *Target = Switch->findCaseValue(Number)->getCaseSuccessor();
  if (isa<PHINode>(Target->front()))
    return false;
  Branch->setSuccessor(0, Target);
  return true;
}

} // namespace

void divcost::separateScopeExits(Function &F) {
  dropLifetimes(F);
  for (BasicBlock &Block : F)
    for (size_t Depth = 0; Depth < F.size() && leadOn(Block); ++Depth)
      continue;
}
