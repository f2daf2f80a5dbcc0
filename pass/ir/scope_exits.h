// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways out of scopes. Where "break", "continue", "return" or "goto" leaves a scope whose variables
// end with it, clang stores the number of the way, branches to the scope's cleanup, and switches on
// the number behind it. All ways come together there, and lanes that part in the source seem to
// part at the switch.
#ifndef DIVCOST_PASS_IR_SCOPE_EXITS_H
#define DIVCOST_PASS_IR_SCOPE_EXITS_H

namespace llvm {
class Function;
} // namespace llvm

namespace divcost {

// Gives each way a branch of its own to where the switch leads it, in code as clang writes it, and
// takes the ends of variables' lifetimes out. Cleanups that call a destructor stay. O(instructions
// * depth of scopes).
void separateScopeExits(llvm::Function &F);

} // namespace divcost

#endif
