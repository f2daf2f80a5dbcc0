// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches behind which lanes don't come together. ptxas has lanes meet where the ways from a
// branch do (BSSY, BSYNC), but not where an operation for all lanes of the warp or block stands on
// one of them, and in no other branch or loop between: lanes that don't come to it go on alone, up
// to where the next branch or loop around has them meet (docs/lab/machine-code.md).
#ifndef DIVCOST_PASS_IR_RECONVERGENCE_H
#define DIVCOST_PASS_IR_RECONVERGENCE_H

namespace llvm {
class BasicBlock;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace divcost {

// Whether lanes that part at the end of a block stay apart where its ways meet. O(blocks).
bool keepsApart(const llvm::BasicBlock &Block, const llvm::LoopInfo &Loops,
                const llvm::PostDominatorTree &PostDominators);

} // namespace divcost

#endif
