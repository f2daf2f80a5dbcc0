// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/loop_marks.h"

#include "ir/module_facts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

static constexpr const char *BodyMark = "divcost.body", *HeaderMark = "divcost.header";

static bool isMark(const Instruction &I, const char *Mark) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::sideeffect && divcost::hasMark(I, Mark);
}

bool divcost::isBodyMark(const Instruction &I) { return isMark(I, BodyMark); }

bool divcost::isLoopMark(const Instruction &I) { return isBodyMark(I) || isMark(I, HeaderMark); }

divcost::TakenMarks::TakenMarks(Loop &L) {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (isLoopMark(I)) {
        Marks.emplace_back(&I, Block);
      } else if (I.mayHaveSideEffects()) {
        Marks.clear();
        return;
      }
    }
  for (auto &[Mark, Block] : Marks)
    Mark->removeFromParent();
}

divcost::TakenMarks::~TakenMarks() {
  for (auto &[Mark, Handle] : Marks) {
    Value *Block = Handle;
    if (Block)
      Mark->insertBefore(cast<BasicBlock>(Block)->getFirstInsertionPt());
    else
      Mark->deleteValue();
  }
}

// Where the statement begins: clang leaves that on the branches back to the header.
static DILocation *startInId(const Loop &L) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  for (BasicBlock *Latch : Latches)
    if (MDNode *Id = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
      for (const MDOperand &Operand : drop_begin(Id->operands()))
        if (auto *Start = dyn_cast_or_null<DILocation>(Operand))
          return Start;
  return nullptr;
}

static const dcp_loop_statement *statementAt(const dcp_source &Source, const DILocation *At) {
  return At ? dcp_source_find_loop(&Source, divcost::pathOf(*At->getScope()).c_str(), At->getLine(),
                                   At->getColumn())
            : nullptr;
}

// Likewise, but for a "continue" that leaves a variable's scope, behind which clang branches back
// without a word: then the header's own branch or the one that leads there is where the statement
// begins. A loop in it that is made by goto isn't the statement's, which has its own.
static DILocation *startOf(const Loop &L, const dcp_source &Source, const LoopInfo &LI) {
  if (DILocation *Start = startInId(L))
    return Start;
  SmallVector<BasicBlock *, 4> Blocks(predecessors(L.getHeader()));
  erase_if(Blocks, [&](BasicBlock *Block) { return L.contains(Block); });
  Blocks.push_back(L.getHeader());
  for (BasicBlock *Block : Blocks) {
    DILocation *Start = Block->getTerminator()->getDebugLoc().get();
    const dcp_loop_statement *S = statementAt(Source, Start);
    if (S && none_of(LI.getLoopsInPreorder(), [&](const Loop *Other) {
          return statementAt(Source, startInId(*Other)) == S;
        }))
      return Start;
  }
  return nullptr;
}

// clang computes a condition into one value, whatever it is made of, and branches on it: to the
// body first.
static BranchInst *conditionIn(BasicBlock *Block, const Loop &L) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  bool Leaves = Branch && Branch->isConditional() && L.contains(Branch->getSuccessor(0)) &&
                !L.contains(Branch->getSuccessor(1)) &&
                !isa<UnreachableInst>(Branch->getSuccessor(1)->getTerminator());
  return Leaves ? Branch : nullptr;
}

// The first such branch that every iteration comes to is the loop's own.
static BranchInst *conditionOf(const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  BranchInst *First = nullptr;
  for (BasicBlock *Block : L.blocks())
    if (BranchInst *Branch = conditionIn(Block, L))
      if (all_of(Latches, [&](BasicBlock *Latch) { return DT.dominates(Block, Latch); }) &&
          (!First || DT.dominates(Block, First->getParent())))
        First = Branch;
  return First;
}

// The instruction before which the body begins, or NULL.
static Instruction *beginOfBody(const Loop &L, const dcp_loop_statement &S, DominatorTree &DT,
                                LoopInfo &LI) {
  if (S.statement == DCP_DO || !(S.has_condition || S.statement == DCP_RANGE_FOR))
    return &*L.getHeader()->getFirstInsertionPt();
  BranchInst *Condition = conditionOf(L, DT);
  if (!Condition)
    return nullptr;
  BasicBlock *Body = Condition->getSuccessor(0);
  if (!Body->getSinglePredecessor())
    Body = SplitEdge(Condition->getParent(), Body, &DT, &LI);
  return Body ? &*Body->getFirstInsertionPt() : nullptr;
}

static void mark(Instruction *Where, DILocation *Start, const char *Mark) {
  IRBuilder<> Builder(Where);
  Builder.SetCurrentDebugLocation(Start);
  CallInst *Call =
      Builder.CreateIntrinsic(Builder.getVoidTy(), Intrinsic::sideeffect, ArrayRef<Value *>());
  Call->addFnAttr(Attribute::Convergent);
  Call->addAnnotationMetadata(Mark);
}

static void markLoop(const Loop &L, const dcp_source &Source, DominatorTree &DT, LoopInfo &LI) {
  DILocation *Start = startOf(L, Source, LI);
  const dcp_loop_statement *S = statementAt(Source, Start);
  if (!S || !S->parsed) // without a syntax tree nobody knows what the IR went through
    return;
  Instruction *Begin = beginOfBody(L, *S, DT, LI);
  if (!Begin)
    return;
  Instruction *Header = &*L.getHeader()->getFirstInsertionPt();
  if (Begin != Header)
    mark(Header, Start, HeaderMark);
  mark(Begin, Start, BodyMark);
}

void divcost::markLoops(Module &M, const dcp_source &Source) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree DT(F);
    LoopInfo LI(DT);
    for (const Loop *L : LI.getLoopsInPreorder())
      markLoop(*L, Source, DT, LI);
  }
}
