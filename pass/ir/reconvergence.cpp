// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/reconvergence.h"

#include "analysis/intrinsics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

// A barrier of the block; or an operation of a warp whose mask, a constant, has all lanes.
static bool isForAllLanes(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  dcp_meaning Meaning;
  if (!Call || !Call->isConvergent() ||
      !dcp_intrinsic(Call->getCalledFunction()->getName().str().c_str(), &Meaning))
    return false;
  if (Meaning.mask < 0)
    return Meaning.mix == DC_MIX_BARRIER + 1;
  auto *Mask = dyn_cast<ConstantInt>(Call->getArgOperand(static_cast<unsigned>(Meaning.mask)));
  return Mask && Mask->isMinusOne();
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
