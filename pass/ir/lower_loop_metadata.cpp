// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/loop_marks.h"
#include "ir/loop_metadata.h"
#include "ir/lower_internal.h"
#include "ir/module_facts.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace divcost {

// Whether the loop has the body of a statement in it: one made by goto doesn't.
static bool hasBody(const Cycle &C, const dcp_loop_statement &S) {
  if (!S.parsed)
    return true; // nothing was marked
  for (BasicBlock *Block : C.blocks())
    for (Instruction &I : *Block)
      if (DILocation *At = isBodyMark(I) ? I.getDebugLoc().get() : nullptr;
          At && At->getLine() == S.line && At->getColumn() == S.column)
        return true;
  return false;
}

// A loop whose metadata the simplification lost (it folds exits and back edges) is found by what
// stands in its header: the innermost loop statement around that, unless the loop around this one
// has it.
DILocation *Lowering::locationOfStatement(const Cycle &C, const ssa_loop &L) {
  for (Instruction &I : *C.getHeader())
    for (DILocation *At = I.getDebugLoc().get(); At; At = At->getInlinedAt()) {
      auto *S = dcp_source_enclosing_loop(&Source, pathOf(*At->getScope()).c_str(), At->getLine(),
                                          At->getColumn());
      if (!S || !hasBody(C, *S))
        continue;
      DILocation *Location =
          DILocation::get(F.getContext(), S->line, S->column, At->getScope(), At->getInlinedAt());
      if (L.parent == DC_NONE || Out.Loops[L.parent].location != Locations.of(Location))
        return Location;
    }
  return nullptr;
}

// What the id of the loop says of it, one hint of it.
void Lowering::readHint(const MDNode &Hint, ssa_loop &L) {
  auto *Name = Hint.getNumOperands() ? dyn_cast_or_null<MDString>(Hint.getOperand(0)) : nullptr;
  auto *Text = Hint.getNumOperands() > 1 ? dyn_cast_or_null<MDString>(Hint.getOperand(1)) : nullptr;
  if (!Name)
    return;
  if (Name->getString() == "llvm.loop.unroll.disable") {
    L.unroll = 1;
  } else if (Name->getString() == "llvm.loop.unroll.count" && Hint.getNumOperands() == 2) {
    if (auto *Count = mdconst::dyn_extract<ConstantInt>(Hint.getOperand(1)))
      L.unroll = static_cast<uint32_t>(Count->getZExtValue());
  } else if (Name->getString() == TripsMetadata && Text && Hint.getNumOperands() > 2) {
    L.distribution = Out.Texts[text(Text->getString())];
    L.distribution_at = "!llvm.loop";
    L.distribution_from = DC_FROM_ANNOTATED;
    auto *Given =
        Hint.getNumOperands() > 3 ? mdconst::dyn_extract<ConstantFP>(Hint.getOperand(3)) : nullptr;
    double Correlation =
        Given && Given->getType()->isDoubleTy() ? Given->getValueAPF().convertToDouble() : 0;
    L.correlation = Correlation >= 0 && Correlation <= 1 ? Correlation : 0;
  } else if (Name->getString() == IgnoreMetadata && Text) {
    L.ignored = Out.Texts[text(Text->getString())];
    L.ignored_at = "!llvm.loop";
  }
}

// The loop's id: of several back edges that have one, the last one's.
static MDNode *idOf(const Cycle &C) {
  MDNode *Id = nullptr;
  for (BasicBlock *Latch : predecessors(C.getHeader()))
    if (C.contains(Latch))
      if (MDNode *Here = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
        Id = Here;
  return Id;
}

// The call in which a location is, from the inside out, that another location is in, too.
static DILocation *inCallOf(DILocation *At, DILocation *Other) {
  for (; At; At = At->getInlinedAt())
    for (DILocation *O = Other; O; O = O->getInlinedAt())
      if (O->getInlinedAt() == At->getInlinedAt())
        return At;
  return nullptr;
}

// A loop without a statement (clang makes one of `tile t[8];`, which calls a constructor eight
// times): where the header's first instruction is, but in the code that the loop goes back in, not
// in a function that was inlined into it.
static DILocation *locationInCode(const Cycle &C) {
  DILocation *Backward = nullptr;
  for (BasicBlock *Latch : predecessors(C.getHeader()))
    if (C.contains(Latch))
      Backward = Latch->getTerminator()->getDebugLoc().get();
  for (Instruction &I : *C.getHeader())
    if (DILocation *At = isa<PHINode>(I) ? nullptr : I.getDebugLoc().get())
      return Backward ? inCallOf(At, Backward) : At;
  return Backward;
}

// What the source says of the loop statement at a location.
void Lowering::describeStatement(const DILocation &Location, ssa_loop &L) {
  auto *S = dcp_source_find_loop(&Source, pathOf(*Location.getScope()).c_str(), Location.getLine(),
                                 Location.getColumn());
  if (!S)
    return;
  L.tests_first = S->statement != DCP_DO && (S->has_condition || S->statement == DCP_RANGE_FOR);
  L.text = S->text;
  if (S->distribution && !L.distribution) {
    L.distribution = S->distribution;
    L.distribution_at = S->distribution_at;
    L.distribution_from = DC_FROM_ANNOTATED;
    L.correlation = S->correlation;
  }
  if (S->ignored && !L.ignored) {
    L.ignored = S->ignored;
    L.ignored_at = S->ignored_at;
  }
}

// The loop's own location and hints, from the metadata that clang leaves on its back edges.
void Lowering::describeLoop(const Cycle &C, ssa_loop &L) {
  MDNode *Id = idOf(C);
  DILocation *Start = nullptr;
  for (unsigned K = 1; Id && K < Id->getNumOperands(); ++K) {
    Metadata *Operand = Id->getOperand(K);
    if (auto *Location = dyn_cast_or_null<DILocation>(Operand); Location && !Start)
      Start = Location;
    if (auto *Hint = dyn_cast_or_null<MDNode>(Operand))
      readHint(*Hint, L);
  }
  if (!Start)
    Start = locationOfStatement(C, L);
  if (!Start)
    Start = locationInCode(C);
  L.location = Locations.of(Start);
  L.tests_first = 1;
  if (Start)
    describeStatement(*Start, L);
}

} // namespace divcost
