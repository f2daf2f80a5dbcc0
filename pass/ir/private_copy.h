// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_IR_PRIVATE_COPY_H
#define DIVCOST_PASS_IR_PRIVATE_COPY_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

// A copy of the module for an analysis of which only warnings are wanted: the kernels that can get
// one, with what they need, and a few instances of each template. IsInLibrary: of a function
// nothing is said, since it is none of the user's. HasPartWarps: a kernel is launched with warps
// that aren't full.
std::unique_ptr<llvm::Module>
copyKernelsThatMayWarn(const llvm::Module &M,
                       llvm::function_ref<bool(const llvm::Function &F)> IsInLibrary,
                       llvm::function_ref<bool(const llvm::Function &F)> HasPartWarps);

// A copy with a few instances of each template, whether or not they can get a warning; null where
// these are more than half of the kernels: then it isn't worth while.
std::unique_ptr<llvm::Module>
copyFewInstances(const llvm::Module &M,
                 llvm::function_ref<bool(const llvm::Function &F)> IsInLibrary);

} // namespace divcost

#endif
