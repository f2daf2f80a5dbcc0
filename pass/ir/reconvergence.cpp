// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/reconvergence.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

// A barrier of the block; or an operation of a warp whose mask, a constant, has all lanes.
static bool isForAllLanes(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || !Call->isConvergent() || Call->getIntrinsicID() == Intrinsic::nvvm_activemask)
    return false;
  StringRef Name = Call->getCalledFunction()->getName();
  bool Reduces = Name.contains(".redux.");
  bool OfWarp = Reduces || Name.contains("warp.sync") || Name.contains(".shfl.") ||
                Name.contains(".vote.") || Name.contains(".match.");
  auto *Mask = OfWarp ? dyn_cast<ConstantInt>(Call->getArgOperand(Reduces ? 1 : 0)) : nullptr;
  return OfWarp ? Mask && Mask->isMinusOne()
                : Name.contains(".barrier") || Name.contains(".bar.sync");
}

static const BasicBlock *nextOf(const BasicBlock &Block, const PostDominatorTree &PostDominators) {
  auto *Node = PostDominators.getNode(&Block);
  auto *Next = Node ? Node->getIDom() : nullptr;
  return Next ? Next->getBlock() : nullptr; // NULL: the function's end
}

divcost::Reconvergence::Reconvergence(const Function &F, const PostDominatorTree &PostDominators)
    : PostDominators(PostDominators) {
  for (const BasicBlock &Block : F)
    if (any_of(Block, isForAllLanes))
      ForAllLanes.insert(&Block);
}

static bool leadsTo(const SmallPtrSetImpl<const BasicBlock *> &Wanted, const BasicBlock &From,
                    const BasicBlock *Until) {
  SmallPtrSet<const BasicBlock *, 16> Seen{&From, Until};
  SmallVector<const BasicBlock *, 16> Waiting(successors(&From));
  while (!Waiting.empty()) {
    const BasicBlock *At = Waiting.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    if (Wanted.contains(At))
      return true;
    Waiting.append(succ_begin(At), succ_end(At));
  }
  return false;
}

bool divcost::Reconvergence::keepsApart(const BasicBlock &Block) {
  if (ForAllLanes.empty() || succ_size(&Block) < 2)
    return false;
  auto [Answer, IsNew] = Known.try_emplace(&Block, false);
  if (IsNew)
    Answer->second = leadsTo(ForAllLanes, Block, nextOf(Block, PostDominators));
  return Answer->second;
}
