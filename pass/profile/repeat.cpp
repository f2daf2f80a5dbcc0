// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that come to a loop again and again often leave it as they did the last time: nobody was
// in, or each did what it does in each round of the loop around. Then a counter in a register goes
// up. What it counted is added when it changes, or the function is left.
//
// What was handed over last, and is compared, is in registers, too: trips, how many of them the
// lane led, and which lanes there were; only of entries that are left by all who came.
#include "profile/instrument.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <functional>
#include <map>

using namespace llvm;
using namespace divcost;

namespace {

constexpr uint32_t NoRepeat = UINT32_MAX; // __DIVCOST_NO_REPEAT in the recorder's text
constexpr size_t MostCalls = 4;           // of a function: each takes five registers

// Arguments of the calls that hand over.
enum { Counters, Copies, Trips, Led, Entered, Here, RejoinEntered = 3 };

class Repeats {
public:
  Repeats(Function &F, Function *Repeat)
      : F(F), Repeat(Repeat), Int(Type::getInt32Ty(F.getContext())) {}
  void add(CallInst &Call);
  void promote() {
    DominatorTree Dominators(F);
    PromoteMemToReg(Variables, Dominators);
  }

private:
  struct State {
    AllocaInst *Trips, *Led, *Here, *Spread, *Times; // Led: NULL where the first lane led all
  };
  AllocaInst *newVariable(const Twine &Name);
  Value *load(IRBuilder<> &Builder, AllocaInst *From) { return Builder.CreateLoad(Int, From); }
  Value *isAgain(IRBuilder<> &Builder, CallInst &Call, const State &Last, Value *All, Value *Mask);
  void addRepeats(Instruction *Before, CallInst &Call, const State &Last);

  Function &F;
  Function *Repeat;
  Type *Int;
  std::vector<AllocaInst *> Variables;
};

AllocaInst *Repeats::newVariable(const Twine &Name) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Variable = Builder.CreateAlloca(Int, nullptr, Name);
  Builder.CreateStore(Builder.getInt32(0), Variable);
  Variables.push_back(Variable);
  return Variable;
}

// Whether all lanes that entered are here, the same ones as the last time, and left as they did
// then.
Value *Repeats::isAgain(IRBuilder<> &Builder, CallInst &Call, const State &Last, Value *All,
                        Value *Mask) {
  Value *Same = Builder.CreateAnd(Builder.CreateICmpEQ(Mask, load(Builder, Last.Here)),
                                  Builder.CreateICmpEQ(Mask, All));
  Same = Builder.CreateAnd(
      Same, Builder.CreateICmpEQ(Call.getArgOperand(Trips), load(Builder, Last.Trips)));
  if (Last.Led)
    Same = Builder.CreateAnd(
        Same, Builder.CreateICmpEQ(Call.getArgOperand(Led), load(Builder, Last.Led)));
  return Builder.CreateIntrinsic(Builder.getInt1Ty(), Intrinsic::nvvm_vote_all_sync,
                                 {maskOfLane(Builder, Mask), Same});
}

void Repeats::addRepeats(Instruction *Before, CallInst &Call, const State &Last) {
  IRBuilder<> Builder(Before);
  Value *Times = load(Builder, Last.Times);
  Instruction *Then =
      SplitBlockAndInsertIfThen(Builder.CreateICmpNE(Times, Builder.getInt32(0)), Before, false);
  Builder.SetInsertPoint(Then);
  Value *Mask = load(Builder, Last.Here), *Trips = load(Builder, Last.Trips), *Led = nullptr;
  if (Last.Led) {
    Led = load(Builder, Last.Led);
  } else {
    Value *Lower = Builder.CreateAnd(
        Mask, Builder.CreateIntrinsic(Int, Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {}));
    Led = Builder.CreateSelect(Builder.CreateICmpEQ(Lower, Builder.getInt32(0)), Trips,
                               Builder.getInt32(0));
  }
  Builder.SetCurrentDebugLocation(Call.getDebugLoc());
  Builder
      .CreateCall(Repeat, {Call.getArgOperand(Counters), Call.getArgOperand(Copies), Trips, Led,
                           Mask, load(Builder, Last.Spread), Times, activeMask(Builder)})
      ->addFnAttr(Attribute::NoMerge);
}

void Repeats::add(CallInst &Call) {
  bool Rejoins = Call.arg_size() == RejoinEntered + 1, HasHere = Call.arg_size() > Here;
  State Last = {newVariable("divcost.last.trips"),
                Rejoins ? nullptr : newVariable("divcost.last.led"),
                newVariable("divcost.last.here"), newVariable("divcost.last.spread"),
                newVariable("divcost.times")};
  std::vector<Instruction *> Returns;
  for (BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Block.getTerminator());
  IRBuilder<> Builder(&Call);
  Value *All = Call.getArgOperand(Rejoins ? unsigned(RejoinEntered) : unsigned(Entered));
  Value *Mask = HasHere ? Call.getArgOperand(Here) : activeMask(Builder);
  Instruction *Again = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(isAgain(Builder, Call, Last, All, Mask), &Call, &Again, &Else);
  Builder.SetInsertPoint(Again);
  Builder.CreateStore(Builder.CreateAdd(load(Builder, Last.Times), Builder.getInt32(1)),
                      Last.Times);
  Call.moveBefore(*Else->getParent(), Else->getIterator());
  Builder.SetInsertPoint(Else);
  Value *Whole = Builder.CreateICmpNE(&Call, Builder.getInt32(NoRepeat));
  Builder.CreateStore(Builder.CreateSelect(Whole, All, Builder.getInt32(0)), Last.Here);
  Builder.CreateStore(Call.getArgOperand(Trips), Last.Trips);
  if (Last.Led)
    Builder.CreateStore(Call.getArgOperand(Led), Last.Led);
  Builder.CreateStore(&Call, Last.Spread);
  Builder.CreateStore(Builder.getInt32(0), Last.Times);
  addRepeats(&Call, Call, Last);
  for (Instruction *Return : Returns)
    addRepeats(Return, Call, Last);
}

// Whether lanes may end without a return: then nobody would add what they repeated.
bool mayExit(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit)
      return true;
    auto *Text = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    return Text && StringRef(Text->getAsmString()).contains("exit");
  });
}

} // namespace

bool divcost::isHandOver(const Function &F) {
  return isRecorder(F, "__divcost_leave") || isRecorder(F, "__divcost_meet") ||
         isRecorder(F, "__divcost_rejoin");
}

void divcost::rememberLast(Module &M) {
  Function *Repeat = findRecorder(M, "__divcost_repeat");
  if (!Repeat || any_of(M, mayExit)) // in a function that is called, too
    return;
  for (Function &F : M) {
    if (F.isDeclaration() || isRecorder(F))
      continue;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    std::multimap<unsigned, CallInst *, std::greater<>>
        ByDepth; // the innermost are left most often
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *To = Call->getCalledFunction(); To && isHandOver(*To))
          if (unsigned Depth = Loops.getLoopDepth(Call->getParent()))
            ByDepth.insert({Depth, Call});
    Repeats Of(F, Repeat);
    size_t Left = MostCalls;
    for (auto At = ByDepth.begin(); At != ByDepth.end() && Left; ++At, --Left)
      Of.add(*At->second);
    if (!ByDepth.empty())
      Of.promote();
  }
}
