// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches behind which lanes don't come together. ptxas has lanes meet where the ways from a
// branch do (BSSY, BSYNC); but where an operation for all lanes of the warp or block stands on one
// of them, lanes that come to it wait for the others, which would wait for them: so these go on
// alone, and may be done before (docs/lab/machine-code.md).
#ifndef DIVCOST_PASS_IR_RECONVERGENCE_H
#define DIVCOST_PASS_IR_RECONVERGENCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class PostDominatorTree;
} // namespace llvm

namespace divcost {

class Reconvergence {
public:
  Reconvergence(const llvm::Function &F, const llvm::PostDominatorTree &PostDominators);
  // Whether lanes that part at the end of a block stay apart where its ways meet. O(blocks), once.
  bool keepsApart(const llvm::BasicBlock &Block);

private:
  const llvm::PostDominatorTree &PostDominators;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> ForAllLanes;
  llvm::DenseMap<const llvm::BasicBlock *, bool> Known;
};

} // namespace divcost

#endif
