// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_SIMPLIFY_H
#define DIVCOST_PASS_IR_SIMPLIFY_H

#include "analysis/source.h"

namespace llvm {
class BasicBlock;
class Module;
class PHINode;
} // namespace llvm

namespace divcost {

// The kind of metadata by which a block's last instruction carries its name, for profiles; it stays
// with the block.
constexpr char BlockNameKind[] = "divcost.block";

// The value of its own by which a block's branch goes, if the ways to the block decide it, as &&
// and
// || do; or null.
const llvm::PHINode *decidingPhi(const llvm::BasicBlock &BB);

// Brings an NVPTX module that no pass has seen into the form that the analysis reads: inlined along
// the call paths, in SSA form, loops as the source has them (neither rotated nor unrolled nor
// vectorised), with marks where their bodies begin. `M` is the caller's to throw away.
void simplify(llvm::Module &M, const dcp_source &Source);

} // namespace divcost

#endif
