// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ids of loops (!llvm.loop) say: where each begins, and, as docs/internals/ir-metadata.md
// has them, annotations.
#ifndef DIVCOST_PASS_IR_LOOP_METADATA_H
#define DIVCOST_PASS_IR_LOOP_METADATA_H

#include "analysis/source.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DILocation;
class Function;
class MDNode;
class Module;
} // namespace llvm

namespace divcost {

// The names of the hints in a loop's id that carry annotations.
constexpr char TripsMetadata[] = "divcost.trips", IgnoreMetadata[] = "divcost.ignore";

// Calls Visit with the id and the start of each loop that the module's metadata names, and the
// function that it is in.
void forEachLoopId(llvm::Module &M,
                   llvm::function_ref<void(llvm::MDNode &Id, const llvm::DILocation &Start,
                                           const llvm::Function &F)>
                       Visit);

// Marks the loop statements that kernels of a module reach which nobody has simplified yet.
void markCompiled(llvm::Module &M, dcp_source &Source);

// Attaches the annotations of Source to the ids of its loops. True if anything changed.
bool attachAnnotations(llvm::Module &M, const dcp_source &Source);

} // namespace divcost

#endif
