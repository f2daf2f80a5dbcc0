// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel calls beside what is inlined into it: functions by their names, functions through
// pointers, functions of other units.
#ifndef DIVCOST_PASS_IR_CALLED_FUNCTIONS_H
#define DIVCOST_PASS_IR_CALLED_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
} // namespace llvm

namespace divcost {

// What a pointer to a function may lead to: the functions with a body whose address the module
// takes, in code, in tables or in those of virtual functions. O(functions and their uses).
class PointerTargets {
public:
  explicit PointerTargets(const llvm::Module &M);
  // Those of the call's type, in the module's order. None: nothing is known of what it calls.
  llvm::ArrayRef<const llvm::Function *> of(const llvm::CallBase &Call) const;

private:
  llvm::DenseMap<const llvm::FunctionType *, llvm::SmallVector<const llvm::Function *, 4>> OfType;
};

// Whether a call takes its target from a pointer.
bool isThroughPointer(const llvm::CallBase &Call);

// Whether another unit defines a function: it has no body and is no intrinsic, and neither the
// device library nor CUDA's runtime (malloc, printf ...) has it.
bool isOfAnotherUnit(const llvm::Function &F);

struct CalledFunctions {
  llvm::SmallSetVector<const llvm::Function *, 8> Reached; // with a body; the kernel is the first
  llvm::SmallPtrSet<const llvm::Function *, 8>
      ByName; // of these: called by name, not by themselves alone
  llvm::SmallSetVector<const llvm::Function *, 4> Elsewhere;
  bool Others = false; // through pointers, beyond the limit or of which nothing is known
};

// What a kernel reaches by calls that stayed, or whose address it takes.
CalledFunctions calledFunctions(const llvm::Function &Kernel, const PointerTargets &Targets);

} // namespace divcost

#endif
