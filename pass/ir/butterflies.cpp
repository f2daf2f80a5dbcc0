// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/butterflies.h"

#include "ir/device_library.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned AllBits = 31, MostSteps = 64, MostNested = 6;

// What lanes exchange, and with whom.
struct Exchange {
  Value *Of = nullptr, *Mask = nullptr;
};

// One step of a reduction.
struct Step {
  Instruction *Result;
  Value *Before, *Mask;
};

Value *withoutBitcasts(Value *V) {
  while (auto *Cast = dyn_cast<BitCastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

// A shuffle of all lanes with those whose number differs from theirs in the bits of a mask.
Exchange exchangeOfWord(Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm.shfl.sync.bfly.") ||
      !match(Call->getArgOperand(0), m_AllOnes()) ||
      !match(Call->getArgOperand(3), m_SpecificInt(AllBits)))
    return {};
  return {withoutBitcasts(Call->getArgOperand(1)), Call->getArgOperand(2)};
}

// Numbers of 64 bits are exchanged in two halves.
Exchange exchangeOf(Value *V) {
  V = withoutBitcasts(V);
  Value *High, *Low, *Of, *Same;
  if (!match(V, m_c_Or(m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(32)), m_ZExt(m_Value(Low)))))
    return exchangeOfWord(V);
  Exchange Upper = exchangeOfWord(High), Lower = exchangeOfWord(Low);
  if (!Upper.Of || !Lower.Of || Upper.Mask != Lower.Mask ||
      !match(Upper.Of, m_Trunc(m_LShr(m_Value(Of), m_SpecificInt(32)))) ||
      !match(Lower.Of, m_Trunc(m_Value(Same))) || Of != Same)
    return {};
  return {withoutBitcasts(Of), Upper.Mask};
}

// Whether it gives the same, to the bit, for two numbers in either order. (Of floating-point
// numbers, a comparison and a selection doesn't: one of them may be none.)
bool isCommutative(const Instruction &I) {
  if (isa<BinaryOperator>(I))
    return I.isCommutative();
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Call->arg_size() != 2)
    return false;
  if (divcost::isInDeviceLibrary(*Callee))
    return is_contained({"fmaxf", "fminf", "fmax", "fmin"}, divcost::nameInLibrary(*Callee));
  StringRef Name = Callee->getName();
  return Name.consume_front("llvm.") &&
         (is_contained({Intrinsic::smax, Intrinsic::smin, Intrinsic::umax, Intrinsic::umin,
                        Intrinsic::maxnum, Intrinsic::minnum, Intrinsic::maximum,
                        Intrinsic::minimum},
                       Callee->getIntrinsicID()) ||
          Name.starts_with("nvvm.fmax.") || Name.starts_with("nvvm.fmin."));
}

bool findStep(Instruction &I, Step &Found) {
  if (!isCommutative(I))
    return false;
  for (unsigned K = 0; K < 2; ++K) {
    Value *Own = I.getOperand(K);
    Exchange Other = exchangeOf(I.getOperand(1 - K));
    if (Other.Of && Other.Of == withoutBitcasts(Own)) {
      Found = {&I, Own, Other.Mask};
      return true;
    }
  }
  return false;
}

// What V is where a counter of the loop is `At`; NULL: that isn't known.
Constant *valueAt(Value *V, const PHINode &Counter, Constant *At, unsigned Nested = 0) {
  const DataLayout &Layout = Counter.getModule()->getDataLayout();
  if (V == &Counter)
    return At;
  if (auto *Known = dyn_cast<Constant>(V))
    return Known;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Nested == MostNested)
    return nullptr;
  if (auto *Call = dyn_cast<CallInst>(I)) {
    bool IsWarpSize = Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_warpsize;
    return IsWarpSize ? ConstantInt::get(I->getType(), 32) : nullptr;
  }
  SmallVector<Constant *, 2> Operands;
  for (Value *Operand : I->operands())
    if (Constant *Known = valueAt(Operand, Counter, At, Nested + 1))
      Operands.push_back(Known);
  if (Operands.size() != I->getNumOperands())
    return nullptr;
  if (auto *Compare = dyn_cast<ICmpInst>(I))
    return ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1],
                                           Layout);
  if (I->isBinaryOp())
    return ConstantFoldBinaryOpOperands(I->getOpcode(), Operands[0], Operands[1], Layout);
  return I->isCast() ? ConstantFoldCastOperand(I->getOpcode(), Operands[0], I->getType(), Layout)
                     : nullptr;
}

// The bit of a lane's number by which a step exchanges; 0: there is none.
unsigned bitOf(const Constant *Mask) {
  auto *Number = dyn_cast_or_null<ConstantInt>(Mask);
  bool IsBit = Number && Number->getValue().isPowerOf2() && Number->getValue().ule(AllBits);
  return IsBit ? static_cast<unsigned>(Number->getZExtValue()) : 0;
}

// A loop that makes a step in each iteration, and is left by one condition.
struct Butterfly {
  const Loop &L;
  Step One;
  bool TestsFirst;
  BranchInst *Exit;

  // The bits by which it exchanges, as a counter has it; 0: not known.
  unsigned bitsBy(PHINode &Counter) const {
    BasicBlock *Latch = L.getLoopLatch();
    auto *At = dyn_cast<Constant>(Counter.getIncomingValueForBlock(L.getLoopPreheader()));
    unsigned Bits = 0;
    for (unsigned K = 0; At && K < MostSteps; ++K) {
      auto *Holds = dyn_cast_or_null<ConstantInt>(valueAt(Exit->getCondition(), Counter, At));
      bool Stays = Holds && L.contains(Exit->getSuccessor(Holds->isZero()));
      if (!Holds || (TestsFirst && !Stays))
        return Holds ? Bits : 0;
      unsigned Bit = bitOf(valueAt(One.Mask, Counter, At));
      if (!Bit)
        return 0;
      Bits |= Bit;
      if (!Stays)
        return Bits;
      At = valueAt(Counter.getIncomingValueForBlock(Latch), Counter, At);
    }
    return 0;
  }
};

class Marking {
public:
  Marking(const LoopInfo &Loops, const DominatorTree &Dominators)
      : Loops(Loops), Dominators(Dominators) {}

  void visit(Instruction &I) {
    Step Found;
    if (!findStep(I, Found))
      return;
    if (isa<Constant>(Found.Mask))
      visitChain(Found);
    else if (const Loop *Around = Loops.getLoopFor(I.getParent()))
      visitLoop(*Around, Found);
  }

  // Behind everything that was found, which it would hide.
  bool mark() const {
    for (Instruction *I : Results) {
      IRBuilder<> Builder(I->getParent(), isa<PHINode>(I) ? I->getParent()->getFirstInsertionPt()
                                                          : std::next(I->getIterator()));
      CallInst *Call = Builder.CreateIntrinsic(Intrinsic::ssa_copy, {I->getType()}, {I});
      I->replaceUsesWithIf(Call, [&](const Use &U) { return U.getUser() != Call; });
    }
    return !Results.empty();
  }

private:
  const LoopInfo &Loops;
  const DominatorTree &Dominators;
  SmallVector<Instruction *, 4> Results;

  void visitChain(Step Last) {
    Instruction *Result = Last.Result;
    unsigned Bits = 0;
    for (unsigned K = 0; K < MostSteps; ++K) {
      unsigned Bit = bitOf(dyn_cast<Constant>(Last.Mask));
      auto *Before = dyn_cast<Instruction>(Last.Before);
      Bits |= Bit;
      if (!Bit || Bits == AllBits || !Before || !findStep(*Before, Last))
        break;
    }
    if (Bits == AllBits)
      Results.push_back(Result);
  }

  void visitLoop(const Loop &L, const Step &One) {
    BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(), *From = L.getExitingBlock(),
               *To = L.getExitBlock(), *At = One.Result->getParent();
    auto *Carried = dyn_cast<PHINode>(One.Before);
    if (!Latch || !From || !To || !L.getLoopPreheader() || !Carried ||
        Carried->getParent() != Header || Carried->getIncomingValueForBlock(Latch) != One.Result ||
        !Dominators.dominates(At, Latch))
      return;
    auto *Exit = dyn_cast<BranchInst>(From->getTerminator());
    bool TestsFirst = From != Latch;
    if (!Exit || (TestsFirst && (From != Header || At == Header)))
      return;
    Butterfly Of{L, One, TestsFirst, Exit};
    if (none_of(Header->phis(), [&](PHINode &Counter) { return Of.bitsBy(Counter) == AllBits; }))
      return;
    const Value *Left = TestsFirst ? static_cast<Value *>(Carried) : One.Result;
    for (PHINode &Phi : To->phis())
      if (Phi.getNumIncomingValues() == 1 && Phi.getIncomingValue(0) == Left)
        Results.push_back(&Phi);
  }
};

} // namespace

PreservedAnalyses divcost::MarkButterflies::run(Function &F, FunctionAnalysisManager &FAM) {
  Marking Found(FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F));
  for (Instruction &I : instructions(F))
    Found.visit(I);
  if (!Found.mark())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}
