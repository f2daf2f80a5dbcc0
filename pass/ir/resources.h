// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the IR tells of what a kernel takes of a multiprocessor.
#ifndef DIVCOST_PASS_IR_RESOURCES_H
#define DIVCOST_PASS_IR_RESOURCES_H

#include "divcost/kernel.h"

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace divcost {

using Functions = llvm::SmallSetVector<const llvm::Function *, 8>;

// Shared memory of these functions, the kernel first: the sizes of variables in the module's order,
// aligned, as ptxas lays them out but for the order; whether there is one whose size the launch
// gives; arrays of a thread; and launch bounds. O(instructions, shared variables and their uses).
void noteResources(const Functions &Of, dc_resources &To);

} // namespace divcost

#endif
