// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lanes that leave a loop come by. A loop that is left by its condition and by `break`
// has two ways out, which soon lead to the same place. There all lanes of an entry can hand over
// together, once, and nobody has to ask in each iteration who leads (lead.cpp).
#include "profile/instrument.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace divcost;

namespace {

constexpr unsigned MostBlocks = 64; // between a loop and where its ways out meet

using Blocks = SmallPtrSet<BasicBlock *, 16>;

bool isFrom(const Loop &L, const Blocks &Between, BasicBlock *Block) {
  return L.contains(Block) || Between.contains(Block);
}

bool isOnlyFrom(const Loop &L, const Blocks &Between, BasicBlock *To) {
  return all_of(predecessors(To), [&](BasicBlock *From) { return isFrom(L, Between, From); });
}

// The blocks from a loop's ways out to a block that all of them come to. False where lanes may come
// there that weren't in the loop, may be held up, or are too many to look at.
bool findBetween(const Loop &L, BasicBlock *To, const LoopInfo &Loops, Blocks &Between) {
  SmallVector<BasicBlock *, 8> Waiting;
  L.getUniqueExitBlocks(Waiting);
  while (!Waiting.empty()) {
    BasicBlock *At = Waiting.pop_back_val();
    if (At == To || !Between.insert(At).second)
      continue;
    if (Between.size() > MostBlocks || Loops.getLoopFor(At) != L.getParentLoop() || mayWait(*At))
      return false;
    Waiting.append(succ_begin(At), succ_end(At));
  }
  return all_of(Between, [&](BasicBlock *At) { return isOnlyFrom(L, Between, At); });
}

// The nearest block that lanes come to from all of these; or NULL.
BasicBlock *commonPostDominator(const PostDominatorTree &PostDominators,
                                ArrayRef<BasicBlock *> Of) {
  BasicBlock *At = Of.empty() ? nullptr : Of[0];
  for (BasicBlock *Block : Of)
    At = At ? PostDominators.findNearestCommonDominator(At, Block) : nullptr;
  return At;
}

// Which of some blocks are come to first from others.
Blocks firstOf(SmallVector<BasicBlock *, 8> Waiting, const Blocks &Ends) {
  Blocks Seen, First;
  while (!Waiting.empty()) {
    BasicBlock *At = Waiting.pop_back_val();
    if (Ends.contains(At))
      First.insert(At);
    else if (Seen.insert(At).second)
      Waiting.append(succ_begin(At), succ_end(At));
  }
  return First;
}

// The calls of __divcost_leave of one loop, inlined through the same calls.
using Leaves = SmallVector<CallInst *, 4>;

class Joiner {
public:
  Joiner(Function &F, const Function *Lead, Function *Leave)
      : F(F), Dominators(F), Loops(Dominators), PostDominators(F), Lead(Lead), Leave(Leave) {}
  void join();

private:
  struct Counted {
    SmallVector<CallInst *, 2> Leads;
    Leaves Out;
  };
  void join(const Counted &C);
  bool meetOnce(const Leaves &Out, const Loop &L, BasicBlock *At, const Blocks &Between) const;
  BasicBlock *newBlock(BasicBlock *At, const Loop &L, const Blocks &Between);
  Value *valueAt(BasicBlock *At, const Leaves &Out, unsigned Argument) const;

  Function &F;
  DominatorTree Dominators;
  LoopInfo Loops;
  PostDominatorTree PostDominators;
  const Function *Lead;
  Function *Leave;
};

// Whether each way from the loop to a block comes by exactly one of the calls.
bool Joiner::meetOnce(const Leaves &Out, const Loop &L, BasicBlock *At,
                      const Blocks &Between) const {
  Blocks Calling;
  for (CallInst *Call : Out)
    if (!Between.contains(Call->getParent()) || !Calling.insert(Call->getParent()).second)
      return false;
  Blocks Ends = Calling;
  Ends.insert(At);
  SmallVector<BasicBlock *, 8> FromLoop, FromCalls;
  L.getUniqueExitBlocks(FromLoop);
  for (BasicBlock *From : Calling)
    FromCalls.append(succ_begin(From), succ_end(From));
  // At least one call, and no other behind it.
  return !firstOf(FromLoop, Ends).contains(At) &&
         none_of(firstOf(FromCalls, Ends), [&](BasicBlock *End) { return Calling.contains(End); });
}

// A block of those alone that come from the loop; NULL where there can't be one.
BasicBlock *Joiner::newBlock(BasicBlock *At, const Loop &L, const Blocks &Between) {
  SmallVector<BasicBlock *, 8> From;
  for (BasicBlock *Before : predecessors(At))
    if (isFrom(L, Between, Before) && !is_contained(From, Before))
      From.push_back(Before);
  if (From.size() == pred_size(At))
    return At;
  if (any_of(From, [](BasicBlock *Before) {
        return isa<IndirectBrInst, CallBrInst>(Before->getTerminator());
      }))
    return nullptr;
  return SplitBlockPredecessors(At, From, ".divcost.out", &Dominators, &Loops);
}

Value *Joiner::valueAt(BasicBlock *At, const Leaves &Out, unsigned Argument) const {
  Value *First = Out[0]->getArgOperand(Argument);
  if (all_of(Out, [&](CallInst *Call) { return Call->getArgOperand(Argument) == First; }))
    return First;
  SSAUpdater Updater;
  Updater.Initialize(First->getType(), "divcost.out");
  for (CallInst *Call : Out)
    Updater.AddAvailableValue(Call->getParent(), Call->getArgOperand(Argument));
  return Updater.GetValueInMiddleOfBlock(At);
}

void Joiner::join(const Counted &C) {
  if (C.Leads.size() != 1 || C.Out.size() < 2)
    return;
  Loop *L = Loops.getLoopFor(C.Leads[0]->getParent());
  if (!L || mayWait(*L))
    return;
  SmallVector<BasicBlock *, 4> Calling;
  for (CallInst *Call : C.Out)
    Calling.push_back(Call->getParent());
  BasicBlock *At = commonPostDominator(PostDominators, Calling);
  Blocks Between;
  if (!At || Loops.getLoopFor(At) != L->getParentLoop() || Loops.isLoopHeader(At) ||
      !findBetween(*L, At, Loops, Between) || !meetOnce(C.Out, *L, At, Between))
    return;
  BasicBlock *Place = newBlock(At, *L, Between);
  if (!Place)
    return;
  PostDominators.recalculate(F);
  SmallVector<Value *, 6> Arguments;
  for (unsigned K = 0; K + 1 < Leave->arg_size(); ++K)
    Arguments.push_back(valueAt(Place, C.Out, K));
  IRBuilder<> Builder(Place, Place->getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(C.Out[0]->getDebugLoc());
  Arguments.push_back(activeMask(Builder));
  Builder.CreateCall(Leave, Arguments)->addFnAttr(Attribute::NoMerge);
  for (CallInst *Call : C.Out) {
    auto *Here = dyn_cast<Instruction>(Call->getArgOperand(Leave->arg_size() - 1));
    Call->eraseFromParent();
    if (Here && Here->use_empty())
      Here->eraseFromParent();
  }
}

void Joiner::join() {
  MapVector<const DILocation *, Counted> Loops;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && I.getDebugLoc()) {
      if (Call->getCalledFunction() == Lead)
        Loops[I.getDebugLoc().get()].Leads.push_back(Call);
      else if (Call->getCalledFunction() == Leave)
        Loops[I.getDebugLoc().get()].Out.push_back(Call);
    }
  for (auto &[Place, C] : Loops)
    join(C);
}

} // namespace

SmallSetVector<BasicBlock *, 8> divcost::waysOut(const Loop &L) {
  SmallVector<BasicBlock *, 8> Exits;
  L.getUniqueExitBlocks(Exits);
  SmallSetVector<BasicBlock *, 8> Ways(Exits.begin(), Exits.end());
  while (Ways.size() > 1) {
    BasicBlock *Next = Ways[0]->getSingleSuccessor();
    if (!Next || !all_of(Ways, [Next](auto *B) { return B->getSingleSuccessor() == Next; }) ||
        !all_of(predecessors(Next), [&](auto *B) { return Ways.contains(B); }))
      break;
    Ways.clear();
    Ways.insert(Next);
  }
  return Ways;
}

BasicBlock *divcost::onlyWayOut(const Loop &L, const LoopInfo &Loops,
                                const PostDominatorTree &PostDominators) {
  SmallVector<BasicBlock *, 8> Exits;
  L.getUniqueExitBlocks(Exits);
  BasicBlock *At = commonPostDominator(PostDominators, Exits);
  Blocks Between;
  bool Only = At && Loops.getLoopFor(At) == L.getParentLoop() &&
              findBetween(L, At, Loops, Between) && isOnlyFrom(L, Between, At);
  return Only ? At : nullptr;
}

void divcost::joinWaysOut(Module &M) {
  Function *Leave = findRecorder(M, "__divcost_leave");
  const Function *Lead = M.getFunction(LeadName);
  if (!Leave || !Lead || !findRecorder(M, "__divcost_meet")) // from sm_70 on
    return;
  for (Function &F : M)
    if (!F.isDeclaration())
      Joiner(F, Lead, Leave).join();
}
