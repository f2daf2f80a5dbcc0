// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders by what a loop doubles or halves, as in `thread % (2 * s) == 0`. Clang's LLVM knows
// that such a number is a power of two and makes a mask of it, as it does for us; nvcc's divides.
#ifndef DIVCOST_PASS_IR_REMAINDERS_H
#define DIVCOST_PASS_IR_REMAINDERS_H

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace divcost {

// Marks the remainders of a module that no pass has seen, by a kind of mark that LLVM keeps
// (!annotation). O(instructions).
void markRemainders(llvm::Module &M);

// Whether a mask was a remainder by a number that a loop carries.
bool wasRemainder(const llvm::Instruction &I);

} // namespace divcost

#endif
