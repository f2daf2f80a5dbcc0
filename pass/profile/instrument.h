// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumentation for profiles (docs/profile.md), in six steps:
// - the recorder's text comes before the source, on both sides (marks.cpp);
// - in the syntax tree, each loop's body begins with a mark (marks.cpp);
// - at the start of the device's pipeline, loops with a mark get counters, while they still have
//   the source's shape (count.cpp);
// - there, too, the blocks that the analysis asks for get marks, which become counters when
//   functions are inlined (visits.cpp);
// - when loops are simplified, how often warps are in them is counted where that isn't known behind
//   the loop (lead.cpp);
// - at its end, when functions are inlined, each call that hands counters over gets its place in
//   the unit's table, by kernel and call path (table.cpp). On the host, launches tell the
//   runtime library that there is something to collect (host.cpp).
#ifndef DIVCOST_PASS_PROFILE_INSTRUMENT_H
#define DIVCOST_PASS_PROFILE_INSTRUMENT_H

#include "profile/profile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"

#include <string>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang
namespace llvm {
class BasicBlock;
class DILocation;
class Function;
class FunctionCallee;
class IRBuilderBase;
class Loop;
class LoopInfo;
class Module;
class PostDominatorTree;
class Value;
} // namespace llvm

namespace divcost {

// What stands before the source; File: where the profile goes.
std::string recorderText(llvm::StringRef File, bool Check);

// Marks the bodies of loops in device code, of D and all that is in it. Marking twice does no harm.
void markLoops(clang::ASTContext &Context, clang::Decl *D);

// Takes the marks out again.
void removeMarks(llvm::Module &M);

// Replaces the marks by counters, in the loops for which Wanted says so: Function is the one around
// the loop, whose statement begins at Place. With Check, entries are compared too.
void countTrips(
    llvm::Module &M, bool Check,
    llvm::function_ref<bool(const llvm::Function &Function, const llvm::DILocation &Place)> Wanted);

// Marks the blocks, in functions as clang made them, for which Wanted says so: by a hash of the
// function's code, and the block's number in it (block_numbers.h).
void markVisits(
    llvm::Module &M,
    llvm::function_ref<bool(const llvm::Function &F, uint64_t Hash, uint32_t Number)> Wanted);

// Counters are registers in loops, and take time elsewhere: a kernel that needs more than these is
// slower by far. Of one with more, those of a block in all copies of its function are one.
inline constexpr size_t MostCounted = 128;

// Makes counters of these marks.
void settleVisits(llvm::Module &M,
                  llvm::function_ref<llvm::UniformityInfo &(llvm::Function &)> Uniformity);

// Where the lanes that leave a loop come by: its exit blocks, or the one block that they all lead
// to at once, so that lanes that leave in different ways are counted together.
llvm::SmallSetVector<llvm::BasicBlock *, 8> waysOut(const llvm::Loop &L);

// The block that they all come by before they may wait for others, and none that wasn't in the
// loop; or NULL.
llvm::BasicBlock *onlyWayOut(const llvm::Loop &L, const llvm::LoopInfo &Loops,
                             const llvm::PostDominatorTree &PostDominators);

// Whether lanes are in a loop together until they leave it: from each block one way stays in.
bool staysTogether(const llvm::Loop &L);

// Whether a lane may wait, in a block or a loop, for others than those that came with it.
bool mayWait(const llvm::BasicBlock &Block);
bool mayWait(const llvm::Loop &L);

// Where the ways out of a loop come to one place before lanes may wait for each other, they hand
// over there.
void joinWaysOut(llvm::Module &M);

// Whether a function is of the recorder, by a part of its symbol.
bool isRecorder(const llvm::Function &F, llvm::StringRef Name = "__divcost_");

// A function of the recorder by its name in the source, which is a part of the symbol; or NULL.
llvm::Function *findRecorder(llvm::Module &M, llvm::StringRef Name);

// The lanes that are here.
llvm::Value *activeMask(llvm::IRBuilderBase &Builder);

// The same mask, as what may be another one in each lane, for operations of the lanes in it. ptxas
// takes what `activemask` gave for the same in all lanes, and waits by the mask of one of them;
// those that the hardware has joined since then wait for each other forever.
llvm::Value *maskOfLane(llvm::IRBuilderBase &Builder, llvm::Value *Mask);

inline constexpr char LeadName[] = "__divcost_lead";

// What countTrips calls in each iteration: 1 where the lane is the lowest active one, else 0. A
// loop's calls of it and of __divcost_leave have the same location.
llvm::FunctionCallee leadMark(llvm::Module &M);

// Replaces these calls.
void settleLeads(llvm::Module &M);

// Whether lanes that leave a loop call a function to hand over what they counted.
bool isHandOver(const llvm::Function &F);

// Lets lanes that leave a loop as they did the last time only count that, in place of handing it
// over once more: where there is a loop around.
void rememberLast(llvm::Module &M);

// Gives all counters of the module their place, and describes them to the runtime library. Claims:
// the levels that the analysis claims; Planned: what was to be counted of each kernel
// (dcp_profile_planned). False where memory is out.
bool placeCounters(llvm::Module &M, const dcp_source &Source, const dc_profile &Claims,
                   const dc_profile &Planned);

// Tells the runtime library of launches.
void announceLaunches(llvm::Module &M);

} // namespace divcost

#endif
