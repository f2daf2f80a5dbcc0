// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where reads and comparisons are written. LLVM forgets that of what it moves out of a loop, lest a
// debugger stops there; here people are told.
#ifndef DIVCOST_PASS_IR_KEPT_PLACES_H
#define DIVCOST_PASS_IR_KEPT_PLACES_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/ValueHandle.h"

#include <utility>
#include <vector>

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace divcost {

class KeptPlaces {
public:
  // Those of what is in loops. O(instructions in loops).
  explicit KeptPlaces(const llvm::LoopInfo &Loops);
  // Gives those that are still there, and without a place by now, theirs. O(kept).
  void restore() const;

private:
  std::vector<std::pair<llvm::WeakVH, llvm::DebugLoc>> Places;
};

} // namespace divcost

#endif
