// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions and functions that are a branch in machine code. Most operands take a few instructions,
// some a slow path: a numerator of zero, say, or integers of more than 32 bits. Nothing in the IR
// tells, so the recorder asks the operands.
#ifndef DIVCOST_PASS_IR_SLOW_PATHS_H
#define DIVCOST_PASS_IR_SLOW_PATHS_H

#include "analysis/source.h"
#include "divcost/block_counts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace divcost {

// Whether machine code of a division branches to a slow path.
bool hasSlowPath(const llvm::Instruction &I);

// Whether it is a division, or a call of a function of the device library, that has a slow path
// which operands of programs take; or an atomic that is retried.
bool asksForSlowPath(const llvm::Instruction &I);
bool asksForSlowPath(const llvm::Function &Library);

// What one that asks executes there, in what the compiler makes of it; no instructions: it has
// none.
dc_slow_path slowPathOf(const llvm::Instruction &I, dcp_compiler By);

// Whether it is an atomic that lanes of one address try again until they are alone with it: what
// isn't integers, in shared memory, which adds these alone. Its slow path is a try, executed once
// for each lane of the address before this one. Where the address is generic, it may be one.
bool isRetried(const llvm::Instruction &I);
bool mayBeRetried(const llvm::Instruction &I);

// What in a function asks for one, or may: its divisions, its calls, and then its atomics, each in
// its order.
llvm::SmallVector<llvm::Instruction *, 4> slowPathsIn(llvm::Function &F);

// Divides floats where doubles that were floats are divided, and the quotient cut to one, as LLVM
// does later, whose instruction would lack the metadata of the first. O(instructions).
void narrowQuotients(llvm::Function &F);

// Whether the operands take the slow path, for which that is asked in front of it. None of an
// atomic.
llvm::Value *takesSlowPath(llvm::IRBuilder<> &Builder, llvm::Instruction &Of);

// Of operands that do, whether it is some three times as long as slowPathOf says; NULL: it never
// is.
llvm::Value *takesLongPath(llvm::IRBuilder<> &Builder, llvm::Instruction &Of);

} // namespace divcost

#endif
