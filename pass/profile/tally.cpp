// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that come to a loop again and again don't hand over each time what they counted in it: they
// keep a tally in registers, which is added when it is full or no longer fits, or the function is
// left.
#include "profile/instrument.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <functional>
#include <map>

using namespace llvm;
using namespace divcost;

namespace {

constexpr size_t MostTallies = 4;   // of a function: each takes five registers
constexpr uint32_t TimesMask = 127; // __DIVCOST_TIMES in the recorder's text

// What lanes call to hand over, and what they call where they keep a tally.
constexpr struct {
  const char *HandOver, *Tally;
} Names[] = {{"__divcost_leave", "__divcost_tally_leave"},
             {"__divcost_meet", "__divcost_tally_meet"},
             {"__divcost_rejoin", "__divcost_tally_rejoin"}};

Function *tallyFor(Module &M, const Function &HandOver) {
  for (auto &Name : Names)
    if (isRecorder(HandOver, Name.HandOver))
      return findRecorder(M, Name.Tally);
  return nullptr;
}

class Tallies {
public:
  Tallies(Function &F, Function *AddTally) : F(F), AddTally(AddTally) {}
  void add(CallInst &HandOver, Function *To);
  // Without the optimiser, what was inlined keeps their addresses in memory.
  void promote() {
    erase_if(Variables, [](AllocaInst *Variable) { return !isAllocaPromotable(Variable); });
    DominatorTree Dominators(F);
    PromoteMemToReg(Variables, Dominators);
  }

private:
  struct Tally { // as the last arguments of the functions that keep one
    AllocaInst *Bins, *State, *Sums, *Spread;
  };
  AllocaInst *newVariable(IntegerType *Type, const Twine &Name);
  void addAtReturn(Instruction *Return, CallInst &HandOver, const Tally &Of);

  Function &F;
  Function *AddTally;
  std::vector<AllocaInst *> Variables;
};

AllocaInst *Tallies::newVariable(IntegerType *Type, const Twine &Name) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Variable = Builder.CreateAlloca(Type, nullptr, Name);
  Builder.CreateStore(ConstantInt::get(Type, 0), Variable);
  Variables.push_back(Variable);
  return Variable;
}

void Tallies::addAtReturn(Instruction *Return, CallInst &HandOver, const Tally &Of) {
  IRBuilder<> Builder(Return);
  auto Load = [&](AllocaInst *From) { return Builder.CreateLoad(From->getAllocatedType(), From); };
  Value *Times = Builder.CreateAnd(Load(Of.State), TimesMask);
  Builder.SetInsertPoint(SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Times), Return, false));
  Value *Here = Builder.CreateIntrinsic(Builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
  Builder.SetCurrentDebugLocation(HandOver.getDebugLoc());
  Builder
      .CreateCall(AddTally, {HandOver.getArgOperand(0), HandOver.getArgOperand(1), Here,
                             Load(Of.Bins), Load(Of.State), Load(Of.Sums), Load(Of.Spread)})
      ->addFnAttr(Attribute::NoMerge);
}

void Tallies::add(CallInst &HandOver, Function *To) {
  IntegerType *Int = Type::getInt32Ty(F.getContext()), *Long = Type::getInt64Ty(F.getContext());
  Tally Of = {newVariable(Long, "divcost.bins"), newVariable(Int, "divcost.state"),
              newVariable(Int, "divcost.sums"), newVariable(Int, "divcost.spread")};
  std::vector<Instruction *> Returns;
  for (BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Block.getTerminator());
  for (Instruction *Return : Returns)
    addAtReturn(Return, HandOver, Of);
  SmallVector<Value *, 10> Arguments(HandOver.args());
  Arguments.append({Of.Bins, Of.State, Of.Sums, Of.Spread});
  CallInst *Keeps = IRBuilder<>(&HandOver).CreateCall(To, Arguments);
  HandOver.eraseFromParent();
  InlineFunctionInfo Info;
  InlineFunction(*Keeps, Info);
}

// Whether lanes may end without a return: then nobody would add their tallies.
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
  return any_of(Names, [&](auto &Name) { return isRecorder(F, Name.HandOver); });
}

void divcost::keepTallies(Module &M) {
  Function *AddTally = findRecorder(M, "__divcost_add_tallies");
  if (!AddTally || any_of(M, mayExit))
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
    Tallies Of(F, AddTally);
    size_t Left = MostTallies;
    for (auto At = ByDepth.begin(); At != ByDepth.end() && Left; ++At, --Left)
      Of.add(*At->second, tallyFor(M, *At->second->getCalledFunction()));
    if (!ByDepth.empty())
      Of.promote();
  }
}
