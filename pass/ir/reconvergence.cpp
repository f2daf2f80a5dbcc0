// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/reconvergence.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
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

bool divcost::keepsApart(const BasicBlock &Block, const LoopInfo &Loops,
                         const PostDominatorTree &PostDominators) {
  const Loop *Around = Loops.getLoopFor(&Block);
  const BasicBlock *Join = nextOf(Block, PostDominators);
  if (succ_size(&Block) < 2 || (Around && Around->isLoopExiting(&Block)))
    return false;
  SmallPtrSet<const BasicBlock *, 16> Seen{Join};
  SmallVector<const BasicBlock *, 16> Waiting(successors(&Block));
  while (!Waiting.empty()) {
    const BasicBlock *At = Waiting.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    bool IsOfInnerLoop = Loops.getLoopFor(At) != Around;
    if (!IsOfInnerLoop && any_of(*At, isForAllLanes))
      return true;
    if (!IsOfInnerLoop && succ_size(At) < 2)
      Waiting.append(succ_begin(At), succ_end(At));
    else if (const BasicBlock *Next = nextOf(*At, PostDominators))
      Waiting.push_back(Next);
  }
  return false;
}
