// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where loops and their bodies begin. A trip count says how often the first statement of the body
// begins, so an exit in front of it counts one iteration less than an exit behind it; LLVM would
// fold the two (a loop's condition and a break at the head of its body) into one. A break at the
// end of the body it would fold with the condition, and leave a copy of that in front of the loop:
// lanes that run no iteration would be none of the loop's.
#ifndef DIVCOST_PASS_IR_LOOP_MARKS_H
#define DIVCOST_PASS_IR_LOOP_MARKS_H

#include "analysis/source.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class Instruction;
class Loop;
class Module;
} // namespace llvm

namespace divcost {

// Marks the bodies of the loop statements that Source knows of, in a module that no pass has seen:
// with a call that costs nothing, has the loop's location, and is neither removed nor duplicated.
// Where the condition stands in front of the body, the header has a mark, too.
void markLoops(llvm::Module &M, const dcp_source &Source);

bool isBodyMark(const llvm::Instruction &I);
bool isLoopMark(const llvm::Instruction &I); // of a body or a header

// The marks of a loop in which nothing else has an effect, taken out of it while this lives: they
// would keep it from being deleted. Those of which the block is left are put back then: a loop that
// is no loop any more may have others in it. O(instructions).
class TakenMarks {
public:
  explicit TakenMarks(llvm::Loop &L);
  TakenMarks(const TakenMarks &) = delete;
  TakenMarks &operator=(const TakenMarks &) = delete;
  ~TakenMarks();

private:
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::WeakVH>, 4> Marks;
};

} // namespace divcost

#endif
