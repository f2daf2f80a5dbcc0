// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions of trip counts as loop metadata; see docs/ir-metadata.md. A loop is known by the
// debug location that its id starts with, so a loop without one is not annotated.
#include "examine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

static constexpr char Name[] = "divcost.trips";

std::string divcost::pathOf(const DIScope &Scope) {
  SmallString<256> Path(Scope.getFilename());
  if (!sys::path::is_absolute(Path)) {
    Path = Scope.getDirectory();
    sys::path::append(Path, Scope.getFilename());
  }
  return Path.str().str();
}

static const DILocation *startOf(const MDNode &Id) {
  for (const MDOperand &Operand : drop_begin(Id.operands()))
    if (auto *Location = dyn_cast_or_null<DILocation>(Operand.get()))
      return Location;
  return nullptr;
}

void divcost::forEachLoopId(Module &M,
                            function_ref<void(MDNode &, const DILocation &, StringRef)> Visit) {
  SmallPtrSet<const MDNode *, 16> Seen;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (Instruction *End = BB.getTerminator())
        if (MDNode *Id = End->getMetadata(LLVMContext::MD_loop))
          if (const DILocation *Start = startOf(*Id); Start && Seen.insert(Id).second)
            Visit(*Id, *Start, F.getName());
}

static MDNode *withDistribution(MDNode &Id, StringRef Distribution) {
  LLVMContext &Context = Id.getContext();
  SmallVector<Metadata *, 8> Operands = {nullptr};
  for (const MDOperand &Operand : drop_begin(Id.operands())) {
    auto *Hint = dyn_cast_or_null<MDNode>(Operand.get());
    auto *HintName =
        Hint && Hint->getNumOperands() ? dyn_cast_or_null<MDString>(Hint->getOperand(0)) : nullptr;
    if (!HintName || HintName->getString() != Name)
      Operands.push_back(Operand.get());
  }
  Operands.push_back(
      MDNode::get(Context, {MDString::get(Context, Name), MDString::get(Context, Distribution),
                            MDString::get(Context, "annotated")}));
  MDNode *New = MDNode::getDistinct(Context, Operands);
  New->replaceOperandWith(0, New);
  return New;
}

bool divcost::attachDistributions(Module &M, const dcp_source &Source) {
  if (none_of(ArrayRef(Source.loops, Source.n_loops),
              [](const dcp_loop_statement &Loop) { return Loop.distribution != nullptr; }))
    return false;
  DenseMap<MDNode *, MDNode *> Replaced;
  forEachLoopId(M, [&](MDNode &Id, const DILocation &Start, StringRef) {
    const dcp_loop_statement *Loop = dcp_source_find_loop(
        &Source, pathOf(*Start.getScope()).c_str(), Start.getLine(), Start.getColumn());
    if (Loop && Loop->distribution)
      Replaced[&Id] = withDistribution(Id, Loop->distribution);
  });
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (Instruction *End = BB.getTerminator())
        if (MDNode *New = Replaced.lookup(End->getMetadata(LLVMContext::MD_loop)))
          End->setMetadata(LLVMContext::MD_loop, New);
  return !Replaced.empty();
}
