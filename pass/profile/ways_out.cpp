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
  return all_of(Between, [&](BasicBlock *At) {
    return all_of(predecessors(At),
                  [&](BasicBlock *From) { return L.contains(From) || Between.contains(From); });
  });
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
  Blocks Calling, Seen;
  for (CallInst *Call : Out)
    if (!Between.contains(Call->getParent()) || !Calling.insert(Call->getParent()).second)
      return false;
  // Without one: from the loop on, up to the first.
  SmallVector<BasicBlock *, 8> Waiting;
  L.getUniqueExitBlocks(Waiting);
  while (!Waiting.empty()) {
    BasicBlock *Next = Waiting.pop_back_val();
    if (Next == At)
      return false;
    if (!Calling.contains(Next) && Seen.insert(Next).second)
      Waiting.append(succ_begin(Next), succ_end(Next));
  }
  // With another: from behind each on.
  Seen.clear();
  for (BasicBlock *From : Calling)
    Waiting.append(succ_begin(From), succ_end(From));
  while (!Waiting.empty()) {
    BasicBlock *Next = Waiting.pop_back_val();
    if (Calling.contains(Next))
      return false;
    if (Next != At && Seen.insert(Next).second)
      Waiting.append(succ_begin(Next), succ_end(Next));
  }
  return true;
}

// A block of those alone that come from the loop; NULL where there can't be one.
BasicBlock *Joiner::newBlock(BasicBlock *At, const Loop &L, const Blocks &Between) {
  SmallVector<BasicBlock *, 8> From;
  for (BasicBlock *Before : predecessors(At))
    if ((L.contains(Before) || Between.contains(Before)) && !is_contained(From, Before))
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
  BasicBlock *At = C.Out[0]->getParent();
  for (CallInst *Call : C.Out)
    At = At ? PostDominators.findNearestCommonDominator(At, Call->getParent()) : nullptr;
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
  Arguments.push_back(
      Builder.CreateIntrinsic(Builder.getInt32Ty(), Intrinsic::nvvm_activemask, {}));
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
  BasicBlock *At = Exits.empty() ? nullptr : Exits[0];
  for (BasicBlock *Exit : Exits)
    At = At ? PostDominators.findNearestCommonDominator(At, Exit) : nullptr;
  Blocks Between;
  bool Only = At && Loops.getLoopFor(At) == L.getParentLoop() &&
              findBetween(L, At, Loops, Between) && all_of(predecessors(At), [&](BasicBlock *From) {
                return L.contains(From) || Between.contains(From);
              });
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
