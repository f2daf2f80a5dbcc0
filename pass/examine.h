// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang and opt have in common: from a private module to a unit with estimates and findings,
// LLVM's remarks, and the metadata of annotated loops.
#ifndef DIVCOST_PASS_EXAMINE_H
#define DIVCOST_PASS_EXAMINE_H

#include "annotations.h"
#include "divcost/unit.h"
#include "options.h"
#include "source.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class MDNode;
class DILocation;
class DIScope;
class Function;
class Module;
} // namespace llvm

namespace divcost {

// Whether the module is code for an NVIDIA GPU.
bool isDeviceModule(const llvm::Module &M);

// The number NN of "sm_NN", with or without a suffix; 0 for anything else.
unsigned smNumber(llvm::StringRef Cpu);

// Simplifies, analyses, applies the annotations that go by a loop's id, and estimates. Private is
// changed; IsRaw: no pass has seen it yet. The statements of Source are marked as compiled and as
// kept, the annotations as used. Measured may give distributions to the loops of the unit before
// they are priced. OnlyWarns: nobody asks for figures of kernels without a finding. False, with the
// error filled, where memory is out.
bool examine(llvm::Module &Private, bool IsRaw, bool OnlyWarns, const dcp_options &Options,
             dcp_source &Source, dcp_annotations &Annotations, unsigned Sm, const std::string &Path,
             llvm::function_ref<void(dc_unit &)> Measured, dc_unit &Unit, dc_error &Error);

// Calls Say for every loop that is not uniform and every finding, and at verbosity 2 for every
// divergent branch: Name is a rule, a class with "-loop", or "divergent-branch"; Location in
// the kernel or DC_NONE.
void forEachRemark(const dc_unit &Unit, const dcp_options &Options,
                   llvm::function_ref<void(const dc_unit_kernel &Kernel, llvm::StringRef Name,
                                           uint32_t Location, const std::string &Text)>
                       Say);

// The same as OptimizationRemarkAnalysis of pass "divcost", on the kernels of M; RecordOnly: to the
// optimisation record alone, since the caller knows better places for the terminal.
void emitRemarks(llvm::Module &M, const dc_unit &Unit, const dcp_options &Options, bool RecordOnly);

// Path of a scope's file, joined with its directory.
std::string pathOf(const llvm::DIScope &Scope);

// Calls Visit with the id and the start of each loop that the module's metadata names, and the
// function that it is in.
void forEachLoopId(llvm::Module &M,
                   llvm::function_ref<void(llvm::MDNode &Id, const llvm::DILocation &Start,
                                           const llvm::Function &F)>
                       Visit);

// Marks the loop statements that kernels of a module reach which nobody has simplified yet.
void markCompiled(llvm::Module &M, dcp_source &Source);

// The names of the hints in a loop's id that carry annotations.
constexpr char TripsMetadata[] = "divcost.trips", IgnoreMetadata[] = "divcost.ignore";

// Attaches the annotations of Source to the !llvm.loop ids of its loops, as docs/ir-metadata.md
// has them. True if anything changed.
bool attachAnnotations(llvm::Module &M, const dcp_source &Source);

} // namespace divcost

#endif
