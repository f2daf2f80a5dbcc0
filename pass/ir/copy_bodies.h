// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_COPY_BODIES_H
#define DIVCOST_PASS_IR_COPY_BODIES_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

// A copy of the module, of the same context, with the bodies of these functions alone; the others
// are declared. Metadata, places of code among them, is shared, not copied: nothing may be changed
// in place there. What describes variables to a debugger, and how long they live, is left out.
std::unique_ptr<llvm::Module>
copyWithBodies(const llvm::Module &M, llvm::function_ref<bool(const llvm::Function &F)> IsWanted);

} // namespace divcost

#endif
