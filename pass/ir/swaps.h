// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which lanes go round until they have swapped: what each of them read, or computed from
// it, is compared and swapped (atomicCAS), and read again if somebody else was faster. That is how
// code makes atomics of what the hardware has none for.
#ifndef DIVCOST_PASS_IR_SWAPS_H
#define DIVCOST_PASS_IR_SWAPS_H

#include "llvm/ADT/GenericCycleInfo.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Instructions.h"

namespace divcost {

// The instruction that swaps, where the branch ends such a loop once it has; else null. What is
// compared changes from iteration to iteration and the address doesn't: a lock that is waited for,
// or a hash table in which a place is looked for, is something else.
const llvm::AtomicCmpXchgInst *swapThatEnds(const llvm::BranchInst &Branch,
                                            const llvm::CycleInfo &Cycles);

} // namespace divcost

#endif
