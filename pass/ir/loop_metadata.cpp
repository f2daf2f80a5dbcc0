// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is known by the debug location that its id starts with, so a loop without one is not
// annotated.
#include "ir/loop_metadata.h"

#include "ir/called_functions.h"
#include "ir/module_facts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using divcost::IgnoreMetadata;
using divcost::TripsMetadata;

static const DILocation *startOf(const MDNode &Id) {
  for (const MDOperand &Operand : drop_begin(Id.operands()))
    if (auto *Location = dyn_cast_or_null<DILocation>(Operand.get()))
      return Location;
  return nullptr;
}

void divcost::forEachLoopId(
    Module &M, function_ref<void(MDNode &, const DILocation &, const Function &)> Visit) {
  SmallPtrSet<const MDNode *, 16> Seen;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (Instruction *End = BB.getTerminator())
        if (MDNode *Id = End->getMetadata(LLVMContext::MD_loop))
          if (const DILocation *Start = startOf(*Id); Start && Seen.insert(Id).second)
            Visit(*Id, *Start, F);
}

static bool hasHint(const MDNode &Id, StringRef Name) {
  return any_of(drop_begin(Id.operands()), [&](const MDOperand &Operand) {
    auto *Hint = dyn_cast_or_null<MDNode>(Operand.get());
    auto *HintName =
        Hint && Hint->getNumOperands() ? dyn_cast_or_null<MDString>(Hint->getOperand(0)) : nullptr;
    return HintName && HintName->getString() == Name;
  });
}

// What the id says already stays.
static MDNode *withAnnotations(MDNode &Id, const dcp_loop_statement &Loop) {
  LLVMContext &Context = Id.getContext();
  SmallVector<Metadata *, 8> Operands = {nullptr};
  for (const MDOperand &Operand : drop_begin(Id.operands()))
    Operands.push_back(Operand.get());
  if (Loop.distribution && !hasHint(Id, TripsMetadata)) {
    SmallVector<Metadata *, 4> Trips = {MDString::get(Context, TripsMetadata),
                                        MDString::get(Context, Loop.distribution),
                                        MDString::get(Context, "annotated")};
    if (Loop.correlation > 0)
      Trips.push_back(
          ConstantAsMetadata::get(ConstantFP::get(Type::getDoubleTy(Context), Loop.correlation)));
    Operands.push_back(MDNode::get(Context, Trips));
  }
  if (Loop.ignored && !hasHint(Id, IgnoreMetadata))
    Operands.push_back(MDNode::get(
        Context, {MDString::get(Context, IgnoreMetadata), MDString::get(Context, Loop.ignored)}));
  MDNode *New = MDNode::getDistinct(Context, Operands);
  New->replaceOperandWith(0, New);
  return New;
}

static bool hasAnnotations(const dcp_source &Source) {
  return any_of(ArrayRef(Source.loops, Source.n_loops),
                [](const dcp_loop_statement &Loop) { return dcp_is_annotated(&Loop); });
}

bool divcost::attachAnnotations(Module &M, const dcp_source &Source) {
  if (!hasAnnotations(Source))
    return false;
  DenseMap<MDNode *, MDNode *> Replaced;
  forEachLoopId(M, [&](MDNode &Id, const DILocation &Start, const Function &) {
    const dcp_loop_statement *Loop = dcp_source_find_loop(
        &Source, pathOf(*Start.getScope()).c_str(), Start.getLine(), Start.getColumn());
    if (Loop && dcp_is_annotated(Loop))
      Replaced[&Id] = withAnnotations(Id, *Loop);
  });
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (Instruction *End = BB.getTerminator())
        if (MDNode *New = Replaced.lookup(End->getMetadata(LLVMContext::MD_loop)))
          End->setMetadata(LLVMContext::MD_loop, New);
  return !Replaced.empty();
}

void divcost::markCompiled(Module &M, dcp_source &Source) {
  DenseSet<const Function *> Reached;
  if (!hasAnnotations(Source)) // nobody asks
    return;
  PointerTargets Targets(M);
  for (Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      for (const Function *G : calledFunctions(F, Targets).Reached)
        Reached.insert(G);
  forEachLoopId(M, [&](MDNode &, const DILocation &Start, const Function &F) {
    const dcp_loop_statement *Loop = dcp_source_find_loop(
        &Source, pathOf(*Start.getScope()).c_str(), Start.getLine(), Start.getColumn());
    if (Loop && Reached.contains(&F))
      Source.loops[Loop - Source.loops].compiled = true;
  });
}
