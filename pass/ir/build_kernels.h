// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a simplified module to kernel skeletons: each function is lowered to plain C (lower.h) and
// analysed (analysis/analysis.h).
#ifndef DIVCOST_PASS_IR_BUILD_KERNELS_H
#define DIVCOST_PASS_IR_BUILD_KERNELS_H

#include "analysis/source.h"
#include "findings/options.h"

#include "divcost/unit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

struct ssa_function;

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

// Told of each function that has become a part of a kernel: the kernel's number in the unit, the
// function, and what it was lowered to, whose blocks and loops are the kernel's last ones.
using PartBuilt = llvm::function_ref<void(uint32_t Kernel, const llvm::Function &Part,
                                          const ssa_function &Lowered)>;

// Adds a skeleton for every kernel of the module to the unit. OnlyWarns: nobody asks for conditions
// of classes. Estimates and findings are left to
// the caller, but for a finding of each function whose analysis has stopped at a limit. Returns
// false when memory is out.
bool buildKernels(const llvm::Module &M, bool OnlyWarns, const dcp_options &Options,
                  const dcp_source &Source, PartBuilt Built, dc_unit &Unit);

} // namespace divcost

#endif
