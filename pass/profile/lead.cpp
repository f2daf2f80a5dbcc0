// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a warp is in a loop, and who leaves it together.
//
// In general each lane counts the iterations that it leads, as the lowest active lane; to ask which
// lanes are active keeps the optimiser from unrolling the loop, though, which can cost more than
// all else. In a loop whose lanes stay together until they leave, a warp is as often as its last
// lane. That is known behind the loop, which stays what it is.
//
// In general lanes that leave can't wait for those that stay, which may wait for them. Where
// nothing in the loop waits for other lanes, those that entered together do meet behind it: else
// the recorder itself, which the hardware may take for something to wait for, could part them, and
// what comes behind would be counted as diverged.
//
// What a loop looks like is seen when functions are inlined and conditions are simple, before loops
// are unrolled: until then a call stands for the question.
#include "profile/block_numbers.h"
#include "profile/instrument.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace divcost;

namespace {

// The calls of one loop, at one place and inlined through the same calls.
struct CountedLoop {
  SmallVector<CallInst *, 2> Leads, Leaves;
};

// Whether a lane may wait here for others than those that came with it.
bool waits(const Instruction &I) {
  if (I.isVolatile() || I.isAtomic())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || isa<MemIntrinsic>(I) ||
      isa<AssumeInst>(I) || I.hasMetadata(BlockNameKind))
    return false;
  if (isa<IntrinsicInst>(I))
    return cast<IntrinsicInst>(I).getIntrinsicID() != Intrinsic::nvvm_activemask &&
           (Call->isConvergent() || I.mayHaveSideEffects());
  const Function *To = Call->getCalledFunction();
  return !To || !isRecorder(*To);
}

// A lane leads if no lane before it is active.
void ask(CallInst &Lead) {
  IRBuilder<> Builder(&Lead);
  Type *Int = Builder.getInt32Ty();
  Value *Active = activeMask(Builder);
  Value *Before = Builder.CreateIntrinsic(Int, Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {});
  Value *None = Builder.CreateICmpEQ(Builder.CreateAnd(Active, Before), Builder.getInt32(0));
  Lead.replaceAllUsesWith(Builder.CreateZExt(None, Int));
  Lead.eraseFromParent();
}

// Calls another function in place of __divcost_leave, one that doesn't ask who leaves now.
void replaceLeave(CallInst &Leave, Function *By, ArrayRef<unsigned> Arguments) {
  auto *Here = dyn_cast<IntrinsicInst>(Leave.getArgOperand(5));
  SmallVector<Value *, 5> Values;
  for (unsigned Argument : Arguments)
    Values.push_back(Leave.getArgOperand(Argument));
  IRBuilder<>(&Leave).CreateCall(By, Values)->addFnAttr(Attribute::NoMerge);
  Leave.eraseFromParent();
  if (Here && Here->use_empty())
    Here->eraseFromParent();
}

// Lanes meet, with nothing counted but trips.
void rejoin(CallInst &Leave, CallInst &Lead, Function *Rejoin) {
  Lead.replaceAllUsesWith(Constant::getNullValue(Lead.getType()));
  Lead.eraseFromParent();
  replaceLeave(Leave, Rejoin, {0, 1, 2, 4});
}

// Functions of the recorder in which those that entered together wait for each other, by a mask
// that is a parameter: what a vote gave, ptxas takes for the same in all lanes that are together
// later, and would wait by the mask of one of them. None before sm_70.
struct Waiting {
  Function *Meet, *Rejoin;
};

void settle(CountedLoop &Of, LoopInfo &Loops, const Waiting *By) {
  auto LoopOf = [&](CallInst *Lead) { return Loops.getLoopFor(Lead->getParent()); };
  bool Meet = By && Of.Leaves.size() == 1 && all_of(Of.Leads, [&](CallInst *Lead) {
                return LoopOf(Lead) && !mayWait(*LoopOf(Lead));
              });
  // More leads: the loop was copied, and lanes may have diverged by which copy they are in.
  if (Meet && Of.Leads.size() == 1 && staysTogether(*LoopOf(Of.Leads[0]))) {
    rejoin(*Of.Leaves[0], *Of.Leads[0], By->Rejoin);
    return;
  }
  if (Meet && !Of.Leads.empty())
    replaceLeave(*Of.Leaves[0], By->Meet, {0, 1, 2, 3, 4});
  for_each(Of.Leads, [](CallInst *Lead) { ask(*Lead); });
}

void settle(Function &F, const Function *Lead, const Function *Leave, const Waiting *By) {
  MapVector<const DILocation *, CountedLoop> Counted;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      const Function *To = Call->getCalledFunction();
      if (To == Lead)
        Counted[I.getDebugLoc().get()].Leads.push_back(Call);
      else if (To && To == Leave)
        Counted[I.getDebugLoc().get()].Leaves.push_back(Call);
    }
  if (Counted.empty())
    return;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (auto &[Place, Of] : Counted)
    settle(Of, Loops, Place ? By : nullptr);
}

} // namespace

bool divcost::mayWait(const BasicBlock &Block) {
  return any_of(Block, [](const Instruction &I) { return waits(I); });
}

bool divcost::mayWait(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) { return mayWait(*Block); });
}

bool divcost::staysTogether(const Loop &L) {
  return all_of(L.blocks(), [&](const BasicBlock *Block) {
    return count_if(successors(Block), [&](auto *To) { return L.contains(To); }) == 1;
  });
}

FunctionCallee divcost::leadMark(Module &M) {
  FunctionCallee Lead = M.getOrInsertFunction(LeadName, Type::getInt32Ty(M.getContext()));
  auto *F = cast<Function>(Lead.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind Kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
                                   Attribute::NoFree, Attribute::NoCallback})
    F->addFnAttr(Kind);
  return Lead;
}

void divcost::settleLeads(Module &M) {
  Function *Lead = M.getFunction(LeadName);
  if (!Lead)
    return;
  const Function *Leave = findRecorder(M, "__divcost_leave");
  Waiting By{findRecorder(M, "__divcost_meet"), findRecorder(M, "__divcost_rejoin")};
  for (Function &F : M)
    settle(F, Lead, Leave, By.Rejoin ? &By : nullptr);
  Lead->eraseFromParent();
}
