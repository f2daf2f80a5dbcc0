// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings and loops as LLVM's optimisation remarks.
#ifndef DIVCOST_PASS_IR_REMARKS_H
#define DIVCOST_PASS_IR_REMARKS_H

#include "findings/options.h"

#include "divcost/unit.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
}

namespace divcost {

// Calls Say for every loop that is not uniform, every finding, and every kernel whose figures leave
// out calls, and at verbosity 2 for every divergent branch: Name is a rule, a class with "-loop",
// "calls" or "divergent-branch"; Location in the kernel or DC_NONE.
void forEachRemark(const dc_unit &Unit, const dcp_options &Options,
                   llvm::function_ref<void(const dc_unit_kernel &Kernel, llvm::StringRef Name,
                                           uint32_t Location, const std::string &Text)>
                       Say);

// The same as OptimizationRemarkAnalysis of pass "divcost", on the kernels of M; RecordOnly: to the
// optimisation record alone, since the caller knows better places for the terminal.
void emitRemarks(llvm::Module &M, const dc_unit &Unit, const dcp_options &Options, bool RecordOnly);

} // namespace divcost

#endif
