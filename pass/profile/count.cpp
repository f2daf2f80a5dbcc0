// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters in the loops that have a mark. Each gets three variables of its function: set in front
// of the loop, counted up at the mark, handed over to the recorder at each exit. The optimiser
// makes registers of them. Loops that are entered or left in ways that no block can be put into
// (computed gotos) are left alone. Who leads is asked later (lead.cpp).
#include "ir/module_facts.h"
#include "profile/instrument.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <map>

using namespace llvm;
using namespace divcost;

namespace {

constexpr char MarkName[] = "__divcost_iteration", LeaveName[] = "__divcost_leave",
               EnterName[] = "__divcost_enter", CompareName[] = "__divcost_compare",
               AgreeName[] = "__divcost_agree";

std::vector<CallInst *> marksIn(Function &F, const Function *Mark) {
  std::vector<CallInst *> Marks;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction() == Mark)
      Marks.push_back(Call);
  return Marks;
}

// Whether the loop's metadata says that its statement begins where the mark claims to be.
bool isLoopOf(const Loop &L, const CallInst &Mark) {
  DILocation *Place = Mark.getDebugLoc().get();
  MDNode *Id = L.getLoopID();
  if (!Id) { // one of several latches may lack it
    SmallVector<BasicBlock *, 4> Latches;
    L.getLoopLatches(Latches);
    for (BasicBlock *Latch : Latches)
      if (MDNode *Here = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
        Id = Here;
  }
  for (unsigned K = 1; Place && Id && K < Id->getNumOperands(); ++K)
    if (auto *Start = dyn_cast_or_null<DILocation>(Id->getOperand(K).get()))
      return Start->getLine() == Place->getLine() && Start->getColumn() == Place->getColumn();
  return false;
}

class Counter {
public:
  Counter(Module &M, bool Check)
      : Leave(findRecorder(M, LeaveName)), Enter(Check ? findRecorder(M, EnterName) : nullptr),
        Compare(Check ? findRecorder(M, CompareName) : nullptr),
        Agree(Check ? findRecorder(M, AgreeName) : nullptr), Lead(leadMark(M)) {}
  bool count(Loop &L, CallInst &Mark, DominatorTree &Dominators, LoopInfo &Loops);

private:
  AllocaInst *variable(Function &F, const Twine &Name);
  void begin(BasicBlock &Before);
  bool findAround(const Loop &L);
  void iterate(CallInst &Mark);
  void leave(BasicBlock &After, const DebugLoc &Place);

  Function *Leave, *Enter, *Compare, *Agree;
  FunctionCallee Lead;
  AllocaInst *Trips, *Led, *Entered, *Entry, *Iterations;
  DenseMap<const Loop *, AllocaInst *> Counted; // the trips of each loop so far
  SmallVector<AllocaInst *, 8> Around;          // of the loops around, innermost first
  bool Named;                                   // whether an entry has the same name in all threads
};

AllocaInst *Counter::variable(Function &F, const Twine &Name) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().begin());
  return Builder.CreateAlloca(Builder.getInt32Ty(), nullptr, Name);
}

void Counter::begin(BasicBlock &Before) {
  IRBuilder<> Builder(Before.getTerminator());
  Builder.CreateStore(Builder.getInt32(0), Trips);
  Builder.CreateStore(Builder.getInt32(0), Led);
  Value *Mask = activeMask(Builder), *Hash = Builder.getInt32(1);
  Builder.CreateStore(Mask, Entered);
  if (!Enter)
    return;
  for (AllocaInst *Outer : Around)
    Hash = Builder.CreateAdd(Builder.CreateMul(Hash, Builder.getInt32(0x9e3779b1)),
                             Builder.CreateLoad(Builder.getInt32Ty(), Outer));
  Builder.CreateStore(Hash, Iterations);
  Builder.CreateStore(Builder.CreateCall(Enter, {Mask, Hash}), Entry);
}

// False where not all loops around are counted: then entries can't be told apart in the whole grid.
bool Counter::findAround(const Loop &L) {
  Around.clear();
  for (const Loop *Outer = L.getParentLoop(); Outer; Outer = Outer->getParentLoop()) {
    AllocaInst *Outside = Counted.lookup(Outer);
    if (!Outside)
      return false;
    Around.push_back(Outside);
  }
  return true;
}

void Counter::iterate(CallInst &Mark) {
  IRBuilder<> Builder(&Mark);
  auto Add = [&](AllocaInst *To, Value *More) {
    Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(Builder.getInt32Ty(), To), More), To);
  };
  Add(Trips, Builder.getInt32(1));
  Add(Led, Builder.CreateCall(Lead));
}

// Where the counters are isn't known before functions are inlined: 0 until the end of the pipeline.
void Counter::leave(BasicBlock &After, const DebugLoc &Place) {
  IRBuilder<> Builder(&After, After.getFirstInsertionPt());
  Type *Int = Builder.getInt32Ty();
  Builder.SetCurrentDebugLocation(Place);
  Value *Where = Builder.getInt64(0), *Copies = Builder.getInt32(0);
  Value *Count = Builder.CreateLoad(Int, Trips);
  Builder
      .CreateCall(Leave, {Where, Copies, Count, Builder.CreateLoad(Int, Led),
                          Builder.CreateLoad(Int, Entered), activeMask(Builder)})
      ->addFnAttr(Attribute::NoMerge);
  if (Compare)
    Builder.CreateCall(Compare, {Where, Copies, Count, Builder.CreateLoad(Int, Entry)})
        ->addFnAttr(Attribute::NoMerge);
  if (Named)
    Builder.CreateCall(Agree, {Where, Copies, Count, Builder.CreateLoad(Int, Iterations)})
        ->addFnAttr(Attribute::NoMerge);
}

bool Counter::count(Loop &L, CallInst &Mark, DominatorTree &Dominators, LoopInfo &Loops) {
  Function &F = *Mark.getFunction();
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = InsertPreheaderForLoop(&L, &Dominators, &Loops, nullptr, false);
  formDedicatedExitBlocks(&L, &Dominators, &Loops, nullptr, false);
  if (!Before || !L.hasDedicatedExits())
    return false;
  Trips = variable(F, "divcost.trips");
  Led = variable(F, "divcost.led");
  Entered = variable(F, "divcost.entered");
  Entry = Enter ? variable(F, "divcost.entry") : nullptr;
  Iterations = Enter ? variable(F, "divcost.iterations") : nullptr;
  Named = findAround(L) && Agree && divcost::isKernel(F);
  Counted[&L] = Trips;
  begin(*Before);
  iterate(Mark);
  for (BasicBlock *After : waysOut(L))
    leave(*After, Mark.getDebugLoc());
  return true;
}

} // namespace

bool divcost::isRecorder(const Function &F, StringRef Name) { return F.getName().contains(Name); }

Function *divcost::findRecorder(Module &M, StringRef Name) {
  for (Function &F : M)
    if (isRecorder(F, Name))
      return &F;
  return nullptr;
}

void divcost::removeMarks(Module &M) {
  Function *Mark = findRecorder(M, MarkName);
  if (!Mark)
    return;
  for (Function &F : M)
    for (CallInst *Call : marksIn(F, Mark)) {
      Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
      Call->eraseFromParent();
    }
  if (Mark->use_empty())
    Mark->eraseFromParent();
}

void divcost::countTrips(Module &M, bool Check,
                         function_ref<bool(const Function &, const DILocation &)> Wanted) {
  Function *Mark = findRecorder(M, MarkName);
  if (!Mark)
    return;
  Counter Counts(M, Check);
  for (Function &F : M) {
    std::vector<CallInst *> Marks = marksIn(F, Mark);
    if (Marks.empty())
      continue;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    std::multimap<unsigned, CallInst *> ByDepth; // outer loops first
    for (CallInst *Call : Marks)
      ByDepth.insert({Loops.getLoopDepth(Call->getParent()), Call});
    for (auto [Depth, Call] : ByDepth) {
      Loop *L = Loops.getLoopFor(Call->getParent());
      if (L && isLoopOf(*L, *Call) && Wanted(F, *Call->getDebugLoc()))
        Counts.count(*L, *Call, Dominators, Loops);
    }
  }
  removeMarks(M);
}
