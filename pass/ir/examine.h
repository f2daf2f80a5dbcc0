// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang and opt have in common: from a private module to a unit with estimates and findings.
#ifndef DIVCOST_PASS_IR_EXAMINE_H
#define DIVCOST_PASS_IR_EXAMINE_H

#include "analysis/source.h"
#include "divcost/unit.h"
#include "findings/annotations.h"
#include "findings/options.h"
#include "ir/build_kernels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace llvm {
class Module;
}

namespace divcost {

// Simplifies, analyses, applies the annotations that go by a loop's id, and estimates. Private is
// changed; no pass has seen it yet. The statements of Source are marked as compiled and as
// kept, the annotations as used. Prepare may add what it knows to the kernels of the unit before
// they are priced. OnlyWarns: nobody asks for figures of kernels without a finding. False, with the
// error filled, where memory is out.
bool examine(llvm::Module &Private, bool OnlyWarns, const dcp_options &Options, dcp_source &Source,
             dcp_annotations &Annotations, unsigned Sm, const std::string &Path, PartBuilt Built,
             llvm::function_ref<void(dc_unit &)> Prepare, dc_unit &Unit, dc_error &Error);

} // namespace divcost

#endif
