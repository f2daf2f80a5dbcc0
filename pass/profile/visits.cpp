// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often blocks are executed. At the start of the pipeline a block gets a mark, which costs
// nothing and keeps the block what it is. When functions are inlined and loops are simple, marks
// become counters: outside of loops a call of the recorder; in a loop two variables, which the
// optimiser makes registers of, handed over where the outermost loop is left.
//
// One of the variables counts what the lane executes, the other what it executes as the first lane
// of those that are there. Who that is has to be asked only where lanes may have parted since it
// was asked last: in front of a loop whose lanes stay together, not in each round of it; there, one
// variable is enough. Of a loop that lanes leave one by one, and are together in until then, it
// isn't asked at all: a block of it is executed as often as by the lane that executes it most,
// which is known behind the loop.
#include "ir/address_spaces.h"
#include "ir/module_facts.h"
#include "ir/reconvergence.h"
#include "ir/slow_paths.h"
#include "profile/block_numbers.h"
#include "profile/instrument.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace divcost;

namespace {

bool isMark(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::sideeffect && I.hasMetadata(BlockNameKind);
}

// In front of an atomic that may be tried in vain.
bool isTurn(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *To = Call ? Call->getCalledFunction() : nullptr;
  return To && I.hasMetadata(BlockNameKind) && isRecorder(*To, "__divcost_turn");
}

// Whether a pointer that may be generic points to shared memory, or may.
bool maybeShared(const Value *Pointer, const Function &F) {
  constexpr unsigned Steps = 32;
  const Value *Root = getUnderlyingObject(Pointer, Steps);
  unsigned Space = Root->getType()->getPointerAddressSpace();
  bool IsOwn = isa<AllocaInst>(Root) || (isa<Argument>(Root) && isKernel(F));
  return Space == SharedSpace || (Space == GenericSpace && !IsOwn);
}

// ---- who counts for a warp ----------------------------------------------------------------------

class Together {
public:
  Together(Function &F, UniformityInfo &Uniformity, const DominatorTree &Dominators,
           const LoopInfo &Loops)
      : Uniformity(Uniformity), Dominators(Dominators), PostDominators(F),
        Meeting(F, PostDominators), Loops(Loops) {
    Cycles.compute(F);
  }

  // The block before this one, or itself, whose lanes come to this one together if any does.
  BasicBlock *since(BasicBlock *Block) {
    auto [Known, IsNew] = Since.try_emplace(Block, Block);
    BasicBlock *Before = IsNew ? stayedFrom(Block) : nullptr;
    if (!Before)
      return Known->second;
    BasicBlock *First = since(Before);
    return Since[Block] = First;
  }

  // The one block by which lanes leave a loop, or NULL.
  BasicBlock *wayOut(const Loop &L) const { return onlyWayOut(L, Loops, PostDominators); }

private:
  bool parts(const BasicBlock *Block) const { return Uniformity.hasDivergentTerminator(*Block); }

  BasicBlock *dominatorOf(const BasicBlock *Block) const {
    auto *Node = Dominators.getNode(Block);
    auto *Up = Node ? Node->getIDom() : nullptr;
    return Up ? Up->getBlock() : nullptr;
  }

  // The nearest dominator that is in no cycle without this block: of such a cycle lanes may be in
  // different rounds.
  BasicBlock *lastBefore(const BasicBlock *Block) const {
    BasicBlock *Before = dominatorOf(Block);
    while (const Cycle *C = Before ? Cycles.getCycle(Before) : nullptr) {
      if (C->contains(const_cast<BasicBlock *>(Block)))
        break;
      Before = dominatorOf(C->getHeader());
    }
    return Before;
  }

  // That block, if lanes that are there together are so here; else NULL.
  BasicBlock *stayedFrom(BasicBlock *Block) {
    BasicBlock *Before = lastBefore(Block);
    if (!Before || isLeftOneByOne(Block))
      return nullptr;
    // A block that is come to again, and is no loop's header, is in a cycle of another kind.
    auto Meets = [&](const BasicBlock *At) {
      bool Again = At == Block && !Loops.isLoopHeader(Block);
      return !parts(At) ||
             (!Again && PostDominators.dominates(Block, At) && !Meeting.keepsApart(*At));
    };
    SmallPtrSet<BasicBlock *, 16> Seen{Before};
    SmallVector<BasicBlock *, 16> Waiting(predecessors(Block));
    while (!Waiting.empty()) {
      BasicBlock *At = Waiting.pop_back_val();
      if (Seen.insert(At).second) {
        if (!Meets(At))
          return nullptr;
        Waiting.append(pred_begin(At), pred_end(At));
      }
    }
    return Meets(Before) ? Before : nullptr;
  }

  // Whether a block is the header of a loop that lanes leave one by one.
  bool isLeftOneByOne(const BasicBlock *Block) const {
    const Loop *L = Loops.getLoopFor(Block);
    SmallVector<BasicBlock *, 4> Exiting;
    if (!L || L->getHeader() != Block)
      return false;
    L->getExitingBlocks(Exiting);
    return any_of(Exiting, [&](const BasicBlock *At) { return parts(At); });
  }

  UniformityInfo &Uniformity;
  const DominatorTree &Dominators;
  PostDominatorTree PostDominators;
  Reconvergence Meeting;
  const LoopInfo &Loops;
  CycleInfo Cycles;
  DenseMap<BasicBlock *, BasicBlock *> Since;
};

// ---- counters -----------------------------------------------------------------------------------

BasicBlock::iterator beginOf(BasicBlock &Block) {
  return Block.isEntryBlock() ? Block.getFirstNonPHIOrDbgOrAlloca() : Block.getFirstInsertionPt();
}

// What a block of the source is counted in, in one outermost loop. Led: NULL where all lanes that
// were in one block in front of the loop come by equally often; Share: what each has in those.
struct Counter {
  AllocaInst *Visits, *Led;
  Value *Share;
  MDNode *Name;
  DebugLoc Place;
};

class Visits {
public:
  Visits(Function &F, UniformityInfo &Uniformity)
      : F(F), Dominators(F), Loops(Dominators), With(F, Uniformity, Dominators, Loops),
        Visit(find("__divcost_come_by")), VisitAlike(find("__divcost_alike")),
        HandOver(find("__divcost_visits")), Last(find("__divcost_last")),
        Most(find("__divcost_most")), Leave(find("__divcost_leave")) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> Builder(&Entry, beginOf(Entry));
    Before = cast<Instruction>(Builder.CreateIntrinsic(
        Builder.getInt32Ty(), Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {}));
  }
  void count();

private:
  struct Mark {
    CallInst *Call;
    BasicBlock *Since;
    Loop *Around;         // outermost
    Loop *Chain;          // innermost, where lanes are together until they leave; else NULL
    BasicBlock *ChainEnd; // by which they leave it
  };
  // Copies of a block are counted together, where the same block in front of the loop asks who
  // leads, or each for itself.
  using Key = std::tuple<Loop *, MDNode *, DILocation *, BasicBlock *>;

  Function *find(StringRef Name) { return findRecorder(*F.getParent(), Name); }
  AllocaInst *newVariable(const Twine &Name);
  Value *lanesIn(BasicBlock *Block);
  Value *leadOf(IRBuilder<> &Builder, Value *Lanes);
  Value *leadIn(BasicBlock *Block);
  Value *shareIn(BasicBlock *Block);
  BasicBlock *endOfChain(const Loop &L) const;
  Value *enteredInto(Loop &L);
  void add(IRBuilder<> &Builder, AllocaInst *To, Value *More);
  void addMost(IRBuilder<> &Builder, const Counter &C, Function &Tells, Value *Count, Value *Lanes);
  bool mayMeetIn(const BasicBlock &Block) const;
  void countNow(const Mark &M);
  void countInChain(const Mark &M, const Counter &C);
  Counter newCounter(const Mark &M, BasicBlock *Outside);
  Counter &counterOf(const Mark &M, BasicBlock *Outside);
  void countLater(const Mark &M);
  void countTries(const Mark &M);
  void countTogether();
  std::vector<Mark> findMarks();
  bool isOurs(const Instruction &I) const;
  BasicBlock::iterator behindRecorder(BasicBlock &Block) const;
  BasicBlock *meetingPlace(BasicBlock *After) const;
  void handOver(Loop &L, ArrayRef<const Counter *> Of, BasicBlock *Behind);
  void handOverAlike(BasicBlock &After, const Counter &C);
  void handOver(IRBuilder<> &Builder, ArrayRef<const Counter *> Of);
  void handOver(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here, Value *Any);
  void handOverAtOnce(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here);
  void handOverEach(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here);
  Value *anyOf(IRBuilder<> &Builder, ArrayRef<const Counter *> Of);
  void handOverAtEnd(ArrayRef<const Counter *> Of);

  Function &F;
  DominatorTree Dominators;
  LoopInfo Loops;
  Together With;
  Function *Visit, *VisitAlike, *HandOver, *Last, *Most, *Leave;
  DenseMap<Loop *, Value *> Entered;
  Instruction *Before; // the lanes before this one
  DenseMap<BasicBlock *, Value *> Leads, Begin, Shares;
  std::map<std::tuple<BasicBlock *, MDNode *, DILocation *>, CallInst *> Calls;
  MapVector<Key, Counter> Counters;
  std::vector<AllocaInst *> Variables;
};

AllocaInst *Visits::newVariable(const Twine &Name) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().begin());
  Variables.push_back(Builder.CreateAlloca(Builder.getInt32Ty(), nullptr, Name));
  Builder.SetInsertPoint(Before);
  Builder.CreateStore(Builder.getInt32(0), Variables.back());
  return Variables.back();
}

// The lanes that are in the block where it begins.
Value *Visits::lanesIn(BasicBlock *Block) {
  Value *&Lanes = Begin[Block];
  if (!Lanes) {
    IRBuilder<> Builder(Block, beginOf(*Block));
    if (Block->isEntryBlock())
      Builder.SetInsertPoint(Before->getNextNode());
    Lanes = activeMask(Builder);
  }
  return Lanes;
}

// True in the first of these lanes.
Value *Visits::leadOf(IRBuilder<> &Builder, Value *Lanes) {
  return Builder.CreateICmpEQ(Builder.CreateAnd(Lanes, Before), Builder.getInt32(0));
}

// 1 in the first of the lanes that are in the block, else 0.
Value *Visits::leadIn(BasicBlock *Block) {
  Value *&Lead = Leads[Block];
  if (Lead)
    return Lead;
  Value *Lanes = lanesIn(Block);
  IRBuilder<> Builder(cast<Instruction>(Lanes)->getNextNode());
  return Lead = Builder.CreateZExt(leadOf(Builder, Lanes), Builder.getInt32Ty(), "divcost.lead");
}

// What a lane counts of those that are in the block: the first one the warp, as 1, the second one
// the other lanes, as 1 - lanes, and the rest nothing, 0. (Not who they are: ptxas takes that for
// the same in all lanes that are together later.)
Value *Visits::shareIn(BasicBlock *Block) {
  Value *&Share = Shares[Block];
  if (Share)
    return Share;
  Value *Lanes = lanesIn(Block);
  IRBuilder<> Builder(cast<Instruction>(Lanes)->getNextNode());
  auto Count = [&](Value *Mask) { return Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask); };
  Value *One = Builder.getInt32(1), *Rank = Count(Builder.CreateAnd(Lanes, Before)),
        *Others = Builder.CreateSub(One, Count(Lanes));
  Others = Builder.CreateSelect(Builder.CreateICmpEQ(Rank, One), Others, Builder.getInt32(0));
  return Share = Builder.CreateSelect(Builder.CreateIsNull(Rank), One, Others, "divcost.share");
}

void keepName(CallInst *Call, MDNode *Name, const DebugLoc &Place) {
  Call->setMetadata(BlockNameKind, Name);
  Call->setDebugLoc(Place);
  Call->addFnAttr(Attribute::NoMerge);
}

void Visits::add(IRBuilder<> &Builder, AllocaInst *To, Value *More) {
  Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(Builder.getInt32Ty(), To), More), To);
}

// Whether lanes that leave a loop may meet in a block, behind its begin.
bool Visits::mayMeetIn(const BasicBlock &Block) const {
  return any_of(Block, [&](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->getCalledFunction() == Leave;
  });
}

// Lanes don't part within a block; copies of a mark in it, of a loop that is unrolled, say, are
// counted together.
void Visits::countNow(const Mark &M) {
  BasicBlock *Block = M.Call->getParent();
  MDNode *Name = M.Call->getMetadata(BlockNameKind);
  CallInst *&Call = Calls[{Block, Name, M.Call->getDebugLoc().get()}];
  if (Call) {
    auto *Times = cast<ConstantInt>(Call->getArgOperand(3));
    Call->setArgOperand(3, ConstantInt::get(Times->getType(), Times->getZExtValue() + 1));
    return;
  }
  IRBuilder<> Builder(M.Call);
  Value *Here = mayMeetIn(*Block) ? activeMask(Builder) : lanesIn(Block);
  Call = Builder.CreateCall(Visit,
                            {Builder.getInt64(0), Builder.getInt32(0), Here, Builder.getInt32(1)});
  keepName(Call, Name, M.Call->getDebugLoc());
}

Counter Visits::newCounter(const Mark &M, BasicBlock *Outside) {
  return {newVariable("divcost.visits"), Outside ? nullptr : newVariable("divcost.led"),
          Outside ? shareIn(Outside) : nullptr, M.Call->getMetadata(BlockNameKind),
          M.Call->getDebugLoc()};
}

Counter &Visits::counterOf(const Mark &M, BasicBlock *Outside) {
  Counter &C = Counters[{M.Around, M.Call->getMetadata(BlockNameKind), M.Call->getDebugLoc().get(),
                         Outside}];
  if (!C.Visits)
    C = newCounter(M, Outside);
  return C;
}

void Visits::countLater(const Mark &M) {
  BasicBlock *Outside = !M.Around || M.Around->contains(M.Since) ? nullptr : M.Since;
  Counter &C = counterOf(M, Outside);
  IRBuilder<> Builder(M.Call);
  if (C.Led && M.Chain) {
    countInChain(M, C);
    return;
  }
  add(Builder, C.Visits, Builder.getInt32(1));
  if (C.Led)
    add(Builder, C.Led, leadIn(M.Since));
}

// Adds what each of these lanes counts, and for their warp, in the first of them, the most of that,
// which a function of the recorder tells.
void Visits::addMost(IRBuilder<> &Builder, const Counter &C, Function &Tells, Value *Count,
                     Value *Lanes) {
  CallInst *OfWarp = Builder.CreateCall(&Tells, {Count, Lanes});
  OfWarp->addFnAttr(Attribute::NoMerge);
  add(Builder, C.Visits, Count);
  add(Builder, C.Led, Builder.CreateSelect(leadOf(Builder, Lanes), OfWarp, Builder.getInt32(0)));
}

// A lane tries in vain once for each lane before it of its address, and the warp as often as the
// last of them.
void Visits::countTries(const Mark &M) {
  const Counter &C = counterOf(M, nullptr);
  Value *Here = M.Call->getArgOperand(0);
  IRBuilder<> Builder(M.Call->getNextNode());
  addMost(Builder, C, *Most, M.Call, Here);
  M.Call->setMetadata(BlockNameKind, nullptr);
}

// Whether those that enter a loop together can meet behind it, and how often a warp executed a
// block of it is known then: the block where they do; else NULL.
BasicBlock *Visits::endOfChain(const Loop &L) const {
  bool IsChain = Last && staysTogether(L) && !mayWait(L) && L.getLoopPreheader();
  return IsChain ? With.wayOut(L) : nullptr;
}

Value *Visits::enteredInto(Loop &L) {
  Value *&Mask = Entered[&L];
  if (!Mask) {
    IRBuilder<> Builder(L.getLoopPreheader()->getTerminator());
    Mask = activeMask(Builder);
  }
  return Mask;
}

void Visits::countInChain(const Mark &M, const Counter &C) {
  AllocaInst *Here = newVariable("divcost.entry");
  IRBuilder<> Builder(M.Chain->getLoopPreheader()->getTerminator());
  Value *Mask = enteredInto(*M.Chain);
  Builder.CreateStore(Builder.getInt32(0), Here);
  Builder.SetInsertPoint(M.Call);
  add(Builder, Here, Builder.getInt32(1));
  Builder.SetInsertPoint(M.ChainEnd, behindRecorder(*M.ChainEnd));
  Value *Count = Builder.CreateLoad(Builder.getInt32Ty(), Here);
  addMost(Builder, C, *Last, Count, Mask);
}

bool Visits::isOurs(const Instruction &I) const {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return is_contained(Variables, Store->getPointerOperand());
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *To = Call ? Call->getCalledFunction() : nullptr;
  return To && (To->getIntrinsicID() == Intrinsic::nvvm_activemask || isRecorder(*To));
}

// Behind what a block begins with of the recorder, where lanes may meet; but in front of all in the
// program that lanes may wait for each other by.
BasicBlock::iterator Visits::behindRecorder(BasicBlock &Block) const {
  BasicBlock::iterator At = Block.getFirstInsertionPt();
  for (Instruction &I : make_range(At, Block.end())) {
    if (isOurs(I))
      At = std::next(I.getIterator());
    else if (I.mayHaveSideEffects() || I.isTerminator())
      break;
  }
  return At;
}

// Where lanes that have left a loop hand over what they counted in it: where its own recorder has
// them meet, which may be behind blocks that the loop has got since, else at once.
BasicBlock *Visits::meetingPlace(BasicBlock *After) const {
  constexpr unsigned Steps = 3;
  BasicBlock *At = After;
  for (unsigned K = 0; K < Steps && At && !Loops.getLoopFor(At); ++K) {
    if (mayMeetIn(*At))
      return At;
    At = At->getSingleSuccessor();
  }
  return After;
}

// Lanes that never were in the loop may come by, too. What was handed over is gone. Behind: where
// all come by, if something is counted only there; else NULL.
void Visits::handOver(Loop &L, ArrayRef<const Counter *> Of, BasicBlock *Behind) {
  formDedicatedExitBlocks(&L, &Dominators, &Loops, nullptr, false);
  SmallVector<const Counter *, 8> Parted;
  copy_if(Of, std::back_inserter(Parted), [](const Counter *C) { return C->Led; });
  SmallSetVector<BasicBlock *, 4> Places;
  for (BasicBlock *After : waysOut(L)) {
    Places.insert(Behind ? Behind : meetingPlace(After));
    for (const Counter *C : Of)
      if (C->Share)
        handOverAlike(*After, *C);
  }
  for (BasicBlock *Place : Places) {
    IRBuilder<> Builder(Place, behindRecorder(*Place));
    handOver(Builder, Parted);
  }
}

void Visits::handOverAlike(BasicBlock &After, const Counter &C) {
  IRBuilder<> Builder(&After, behindRecorder(After));
  Value *Count = Builder.CreateLoad(Builder.getInt32Ty(), C.Visits);
  CallInst *Call =
      Builder.CreateCall(VisitAlike, {Builder.getInt64(0), Builder.getInt32(0), C.Share, Count});
  keepName(Call, C.Name, C.Place);
  Builder.CreateStore(Builder.getInt32(0), C.Visits);
}

// Of many blocks most aren't executed in a short loop: those of which none was are told together.
void Visits::handOver(IRBuilder<> &Builder, ArrayRef<const Counter *> Of) {
  constexpr size_t Many = 8;
  if (Of.empty())
    return;
  Value *Here = activeMask(Builder);
  if (Of.size() <= Many)
    return handOver(Builder, Of, Here, anyOf(Builder, Of));
  Instruction *End = &*Builder.GetInsertPoint();
  for (ArrayRef<const Counter *> Rest = Of; !Rest.empty();
       Rest = Rest.drop_front(std::min(Many, Rest.size()))) {
    ArrayRef<const Counter *> Some = Rest.take_front(Many);
    Builder.SetInsertPoint(End);
    Value *Any = anyOf(Builder, Some);
    Value *None = Builder.CreateIntrinsic(Builder.getInt1Ty(), Intrinsic::nvvm_vote_all_sync,
                                          {Here, Builder.CreateIsNull(Any)});
    Builder.SetInsertPoint(
        SplitBlockAndInsertIfThen(Builder.CreateNot(None), End->getIterator(), false));
    handOver(Builder, Some, Here, Any);
  }
}

// All bits of what is counted.
Value *Visits::anyOf(IRBuilder<> &Builder, ArrayRef<const Counter *> Of) {
  Value *Any = Builder.getInt32(0);
  for (const Counter *C : Of)
    for (AllocaInst *Variable : {C->Visits, C->Led}) // a lane may lead what others try
      Any = Builder.CreateOr(Any, Builder.CreateLoad(Builder.getInt32Ty(), Variable));
  return Any;
}

// At once where lanes are enough and counts small, else a call for each. Any: all bits of these.
void Visits::handOver(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here, Value *Any) {
  if (Of.size() == 1) {
    handOverEach(Builder, Of, Here);
  } else {
    Value *Fits = Builder.CreateCall(
        find("__divcost_fits"), {Here, Any, Builder.getInt32(static_cast<uint32_t>(Of.size()))});
    Instruction *AtOnce, *Else, *End = &*Builder.GetInsertPoint();
    SplitBlockAndInsertIfThenElse(Builder.CreateIsNotNull(Fits), End, &AtOnce, &Else);
    Builder.SetInsertPoint(AtOnce);
    handOverAtOnce(Builder, Of, Here);
    Builder.SetInsertPoint(Else);
    handOverEach(Builder, Of, Here);
    Builder.SetInsertPoint(End);
  }
  for (const Counter *C : Of)
    for (AllocaInst *Variable : {C->Visits, C->Led})
      Builder.CreateStore(Builder.getInt32(0), Variable);
}

// Each two lanes add what all counted of a block.
void Visits::handOverAtOnce(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here) {
  Function *Pack = find("__divcost_pack"), *Place = find("__divcost_place"),
           *Unpack = find("__divcost_unpack");
  Type *Int = Builder.getInt32Ty();
  Value *Rank = Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, Builder.CreateAnd(Here, Before)),
        *Pair = Builder.CreateLShr(Rank, 1), *Both = Builder.getInt32(0),
        *Counters = Builder.getInt64(0);
  for (auto [K, C] : enumerate(Of)) {
    CallInst *Sums = Builder.CreateCall(
        Pack, {Here, Builder.CreateLoad(Int, C->Visits), Builder.CreateLoad(Int, C->Led)});
    Sums->addFnAttr(Attribute::NoMerge);
    CallInst *Address = Builder.CreateCall(Place, {Builder.getInt64(0), Builder.getInt32(0)});
    keepName(Address, C->Name, C->Place);
    Value *IsMine = Builder.CreateICmpEQ(Pair, Builder.getInt32(static_cast<uint32_t>(K)));
    Both = Builder.CreateSelect(IsMine, Sums, Both);
    Counters = Builder.CreateSelect(IsMine, Address, Counters);
  }
  Builder.CreateCall(Unpack, {Counters, Both, Rank});
}

void Visits::handOverEach(IRBuilder<> &Builder, ArrayRef<const Counter *> Of, Value *Here) {
  Type *Int = Builder.getInt32Ty();
  for (const Counter *C : Of) {
    Value *Count = Builder.CreateLoad(Int, C->Visits), *Led = Builder.CreateLoad(Int, C->Led);
    CallInst *Call =
        Builder.CreateCall(HandOver, {Builder.getInt64(0), Builder.getInt32(0), Count, Led, Here});
    keepName(Call, C->Name, C->Place);
  }
}

// What is in no loop, where the function is left.
void Visits::handOverAtEnd(ArrayRef<const Counter *> Of) {
  SmallVector<Instruction *, 4> Returns;
  for (BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Block.getTerminator());
  for (Instruction *Return : Returns) {
    IRBuilder<> Builder(Return);
    handOver(Builder, Of);
  }
}

// Where a loop is left in ways that no block can be put into, what is in it is counted at once.
bool hasWaysOut(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return none_of(Exiting, [](BasicBlock *From) {
    return isa<IndirectBrInst, CallBrInst>(From->getTerminator());
  });
}

// Where there are too many, a block in all copies of its function is one: its place is the function
// that they are all in.
void Visits::countTogether() {
  std::set<std::pair<MDNode *, DILocation *>> Names;
  for (const Instruction &I : instructions(F))
    if (isMark(I) || isTurn(I))
      Names.emplace(I.getMetadata(BlockNameKind), I.getDebugLoc().get());
  if (Names.size() <= MostCounted || !F.getSubprogram())
    return;
  DILocation *Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
  for (Instruction &I : instructions(F))
    if (isMark(I) || isTurn(I))
      I.setDebugLoc(Place);
}

std::vector<Visits::Mark> Visits::findMarks() {
  std::vector<Mark> Marks;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isTurn(I) && !maybeShared(cast<CallInst>(I).getArgOperand(1), F)) {
      I.eraseFromParent(); // nobody tries it in vain
    } else if (isMark(I) || isTurn(I)) {
      BasicBlock *Block = I.getParent();
      Loop *Inner = Loops.getLoopFor(Block), *Around = Inner ? Inner->getOutermostLoop() : nullptr;
      bool Later = Around && hasWaysOut(*Around);
      BasicBlock *End = Later ? endOfChain(*Inner) : nullptr;
      Marks.push_back({cast<CallInst>(&I), With.since(Block), Later ? Around : nullptr,
                       End ? Inner : nullptr, End});
    }
  }
  return Marks;
}

void Visits::count() {
  countTogether();
  std::vector<Mark> Marks = findMarks();
  // Copies in several blocks, of a loop that is unrolled, are handed over once.
  std::map<std::pair<MDNode *, DILocation *>, SmallPtrSet<BasicBlock *, 2>> Copies;
  auto BlocksOf = [&](const Mark &M) -> SmallPtrSet<BasicBlock *, 2> & {
    return Copies[{M.Call->getMetadata(BlockNameKind), M.Call->getDebugLoc().get()}];
  };
  for (const Mark &M : Marks)
    if (!M.Around)
      BlocksOf(M).insert(M.Call->getParent());
  for (const Mark &M : Marks) {
    if (isTurn(*M.Call)) {
      countTries(M);
      continue;
    }
    bool InLoop = Loops.getLoopFor(M.Call->getParent());
    M.Around || (!InLoop && BlocksOf(M).size() > 1) ? countLater(M) : countNow(M);
    M.Call->eraseFromParent();
  }
  MapVector<Loop *, SmallVector<const Counter *, 8>> ByLoop;
  for (auto &[Of, C] : Counters)
    ByLoop[std::get<0>(Of)].push_back(&C);
  DenseMap<Loop *, BasicBlock *> Behind;
  for (const Mark &M : Marks)
    if (M.Chain && M.Chain == M.Around)
      Behind[M.Around] = M.ChainEnd;
  for (auto &[L, Of] : ByLoop)
    L ? handOver(*L, Of, Behind.lookup(L)) : handOverAtEnd(Of);
  Dominators.recalculate(F);
  PromoteMemToReg(Variables, Dominators);
}

} // namespace

static void mark(Instruction &At, Function &F, uint64_t Hash, uint32_t Number) {
  IRBuilder<> Builder(&At);
  CallInst *Call =
      Builder.CreateIntrinsic(Builder.getVoidTy(), Intrinsic::sideeffect, ArrayRef<Value *>());
  keepName(Call, blockName(F, Hash, Number),
           DILocation::get(F.getContext(), 0, 0, F.getSubprogram()));
}

// A long path counts as three.
static void markSlowPath(Instruction &Slow, function_ref<void(Instruction &At)> Mark) {
  IRBuilder<> Builder(&Slow);
  Instruction *End =
      SplitBlockAndInsertIfThen(takesSlowPath(Builder, Slow), Slow.getIterator(), false);
  Mark(*End);
  Builder.SetInsertPoint(End);
  if (Value *IsLong = takesLongPath(Builder, Slow)) {
    Instruction *Rest = SplitBlockAndInsertIfThen(IsLong, End->getIterator(), false);
    Mark(*Rest);
    Mark(*Rest);
  }
}

// In front of an atomic that may be tried in vain, its mark is a question that stands for it.
static void markTries(Instruction &Atomic, Function &Turn, MDNode *Name) {
  IRBuilder<> Builder(&Atomic);
  Value *Address = cast<AtomicRMWInst>(Atomic).getPointerOperand();
  CallInst *Call = Builder.CreateCall(
      &Turn, {activeMask(Builder),
              Builder.CreatePointerBitCastOrAddrSpaceCast(Address, Builder.getPtrTy())});
  keepName(Call, Name, Atomic.getDebugLoc());
}

void divcost::markVisits(
    Module &M, function_ref<bool(const Function &F, uint64_t Hash, uint32_t Number)> Wanted) {
  Function *Turn = findRecorder(M, "__divcost_turn");
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getSubprogram())
      continue;
    uint64_t Hash = hashOfCode(F);
    uint32_t Number = 0;
    for (BasicBlock &BB : F) {
      if (Wanted(F, Hash, Number))
        mark(*beginOf(BB), F, Hash, Number);
      ++Number;
    }
    for (Instruction *Slow : slowPathsIn(F)) {
      if (Wanted(F, Hash, Number) && mayBeRetried(*Slow))
        markTries(*Slow, *Turn, blockName(F, Hash, Number));
      else if (Wanted(F, Hash, Number))
        markSlowPath(*Slow, [&](Instruction &At) { mark(At, F, Hash, Number); });
      ++Number;
    }
  }
}

void divcost::settleVisits(Module &M, function_ref<UniformityInfo &(Function &)> Uniformity) {
  for (Function &F : M)
    if (any_of(instructions(F), [](const Instruction &I) { return isMark(I) || isTurn(I); }))
      Visits(F, Uniformity(F)).count();
}
