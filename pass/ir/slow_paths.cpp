// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which exponents take the slow path, and how many instructions it has, was found on an H200, in
// what clang 22 and ptxas 13.0 make of divisions: docs/lab/recorder.md.
#include "ir/slow_paths.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

dc_slow_path instructions(unsigned Slow, unsigned Instead) {
  dc_slow_path Path = {};
  Path.instructions = Slow;
  Path.instead = Instead;
  return Path;
}

// What is divided by a constant can be a product: an integer always, x / 2 of reals.
bool isProduct(const Instruction &Division) {
  auto *Real = dyn_cast<ConstantFP>(Division.getOperand(1));
  return Real ? Real->getValueAPF().getExactInverse(nullptr)
              : isa<Constant>(Division.getOperand(1));
}

bool isExactReal(const Instruction &I) {
  const Type *Of = I.getType();
  return I.getOpcode() == Instruction::FDiv && (Of->isFloatTy() || Of->isDoubleTy()) &&
         !I.hasApproxFunc() && !I.getMetadata(LLVMContext::MD_fpmath);
}

bool isLongInteger(const Instruction &I) { return I.isIntDivRem() && I.getType()->isIntegerTy(64); }

// LLVM's, which divides by 32 bits where both operands have no more (BypassSlowDivision).
dc_slow_path ofIntegers(const Instruction &Division) {
  switch (Division.getOpcode()) {
  case Instruction::UDiv:
    return instructions(70, 22);
  case Instruction::SDiv:
    return instructions(86, 22);
  case Instruction::URem:
    return instructions(66, 20);
  case Instruction::SRem:
    return instructions(80, 20);
  default:
    return instructions(0, 0);
  }
}

// A real number that is a float, as such; or none.
Value *asFloat(Value *V) {
  Value *Of;
  if (match(V, m_FSub(m_Value(Of), m_PosZeroFP())))
    V = Of;
  if (auto *Extended = dyn_cast<FPExtInst>(V))
    return Extended->getSrcTy()->isFloatTy() ? Extended->getOperand(0) : nullptr;
  auto *Number = dyn_cast<ConstantFP>(V);
  if (!Number)
    return nullptr;
  bool Loses = false;
  APFloat Narrow = Number->getValueAPF();
  Narrow.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
  return Loses ? nullptr : ConstantFP::get(V->getContext(), Narrow);
}

// What is divided, and by what. A quotient of doubles that were floats and becomes one, as that of
// `float y = x / 100.0`, LLVM computes as a float.
std::pair<Value *, Value *> operandsOf(const Instruction &Division) {
  Value *Numerator = Division.getOperand(0), *Divisor = Division.getOperand(1);
  auto *Cut = Division.hasOneUse() ? dyn_cast<FPTruncInst>(*Division.user_begin()) : nullptr;
  Value *A = asFloat(Numerator), *B = asFloat(Divisor);
  if (Division.getType()->isDoubleTy() && Cut && Cut->getType()->isFloatTy() && A && B)
    return {A, B};
  return {Numerator, Divisor};
}

bool dividesFloats(const Instruction &Division) {
  return operandsOf(Division).first->getType()->isFloatTy();
}

struct Range {
  int Least, Most;
};

// Biased exponents of operands that take the fast path: those of zero and infinity aren't in it.
struct FastExponents {
  Range Numerator, Divisor, Difference; // of the divisor's less the numerator's
};

constexpr FastExponents OfFloat = {{25, 254}, {2, 251}, {-126, 124}},
                        OfDouble = {{54, 2046}, {2, 2038}, {-1016, 1020}};

Value *isWithin(IRBuilder<> &Builder, Value *Of, Range Wanted) {
  Value *Above = Builder.CreateSub(Of, Builder.getInt32(Wanted.Least));
  return Builder.CreateICmpULE(Above, Builder.getInt32(Wanted.Most - Wanted.Least));
}

// The biased exponents of the operands, as 32 bits.
std::pair<Value *, Value *> exponentsOf(IRBuilder<> &Builder, const Instruction &Division) {
  auto [Numerator, Divisor] = operandsOf(Division);
  bool IsFloat = Numerator->getType()->isFloatTy();
  Type *Bits = IsFloat ? Builder.getInt32Ty() : Builder.getInt64Ty();
  unsigned Shift = IsFloat ? 23 : 52, Mask = IsFloat ? 0xff : 0x7ff;
  auto Of = [&](Value *Operand) {
    Value *Exponent = Builder.CreateLShr(Builder.CreateBitCast(Operand, Bits), Shift);
    return Builder.CreateAnd(Builder.CreateTrunc(Exponent, Builder.getInt32Ty()), Mask);
  };
  return {Of(Numerator), Of(Divisor)};
}

} // namespace

bool divcost::hasSlowPath(const Instruction &I) {
  return (isExactReal(I) || isLongInteger(I)) && !isProduct(I);
}

// Of 1 / x hardly any x takes it.
dc_slow_path divcost::slowPathOf(const Instruction &I) {
  if (!hasSlowPath(I) || isa<Constant>(I.getOperand(0)))
    return instructions(0, 0);
  if (isLongInteger(I))
    return ofIntegers(I);
  return dividesFloats(I) ? instructions(35, 1) : instructions(64, 1);
}

void divcost::narrowQuotients(Function &F) {
  for (Instruction *Division : slowPathsIn(F)) {
    if (Division->getType()->isFloatTy() || !dividesFloats(*Division))
      continue;
    auto *Cut = cast<Instruction>(*Division->user_begin());
    auto [Numerator, Divisor] = operandsOf(*Division);
    auto *Narrow = BinaryOperator::CreateFDiv(Numerator, Divisor, "", Division->getIterator());
    Narrow->copyMetadata(*Division);
    Narrow->copyFastMathFlags(Division);
    Cut->replaceAllUsesWith(Narrow);
    Cut->eraseFromParent();
    Division->eraseFromParent();
  }
}

SmallVector<Instruction *, 4> divcost::slowPathsIn(Function &F) {
  SmallVector<Instruction *, 4> Found;
  for (Instruction &I : instructions(F))
    if (slowPathOf(I).instructions > 0)
      Found.push_back(&I);
  return Found;
}

Value *divcost::takesSlowPath(IRBuilder<> &Builder, Instruction &Division) {
  if (isLongInteger(Division)) {
    Value *Both = Builder.CreateOr(Division.getOperand(0), Division.getOperand(1));
    return Builder.CreateICmpNE(Builder.CreateLShr(Both, 32), ConstantInt::get(Both->getType(), 0));
  }
  const FastExponents &Fast = dividesFloats(Division) ? OfFloat : OfDouble;
  auto [Numerator, Divisor] = exponentsOf(Builder, Division);
  Value *Difference = Builder.CreateSub(Divisor, Numerator);
  Value *Both = Builder.CreateAnd(isWithin(Builder, Numerator, Fast.Numerator),
                                  isWithin(Builder, Divisor, Fast.Divisor));
  return Builder.CreateNot(Builder.CreateAnd(Both, isWithin(Builder, Difference, Fast.Difference)));
}
