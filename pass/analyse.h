// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from an LLVM module to kernel skeletons: simplify (simplify.cpp), lower to plain C
// (lower.cpp), analyse (divergence.c, trips.c, ...).
#ifndef DIVCOST_PASS_ANALYSE_H
#define DIVCOST_PASS_ANALYSE_H

#include "divcost/unit.h"
#include "options.h"
#include "source.h"

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

// Brings an NVPTX module into the form that the analysis reads: inlined along the call paths, in
// SSA form, loops as the source has them (neither rotated nor unrolled nor vectorised). `module` is
// the caller's to throw away; `is_raw`: no pass has seen it yet.
void simplify(llvm::Module &module, bool is_raw);

// A kernel, and the functions that it reaches by calls that stayed or whose address it takes.
llvm::SmallSetVector<llvm::Function *, 8> reachedFrom(llvm::Function &Kernel);

// Adds a skeleton for every kernel of a simplified module to the unit (estimates and findings are
// left to the caller, apart from findings of rules barrier and gave-up). Returns false when memory
// is out.
bool analyse(const llvm::Module &module, const dcp_options &options, const dcp_source &source,
             dc_unit &unit);

} // namespace divcost

#endif
