// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operands take the slow path, and how many instructions it has, was found on an H200, in
// what clang 22, nvcc 13.0 and ptxas make of divisions and functions: docs/lab/recorder.md.
#include "ir/slow_paths.h"

#include "ir/address_spaces.h"
#include "ir/device_library.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include <limits>

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

// What asks for the slow path of a function.
enum class Slow {
  Quotient,  // dividing the lesser argument by the greater one
  Root,      // zero, and what is tiny, infinite or negative
  Zeros,     // all arguments are zero
  Magnitude, // above 105615, for which pi has too few digits, but for infinity
};

struct SlowFunction {
  const char *Name;
  Slow By;
  unsigned Clang, Nvcc, Instead; // instructions; none: an approximation without such a path
};

constexpr SlowFunction SlowFunctions[] = {
    {"sqrtf", Slow::Root, 0, 11, 5},        {"sqrt", Slow::Root, 15, 15, 1},
    {"hypotf", Slow::Zeros, 0, 11, 5},      {"norm3df", Slow::Zeros, 0, 11, 5},
    {"atan2f", Slow::Quotient, 35, 35, 1},  {"atan2", Slow::Quotient, 64, 64, 1},
    {"sinf", Slow::Magnitude, 201, 229, 1}, {"cosf", Slow::Magnitude, 201, 229, 1},
    {"tanf", Slow::Magnitude, 201, 229, 1}, {"sincosf", Slow::Magnitude, 202, 229, 1},
};

// As CUDA's headers call it; nothing: it is no exact function of the device library.
std::string calledFunction(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  bool Writes = Callee && divcost::isInDeviceLibrary(*Callee) && // its results are no number
                divcost::nameInLibrary(*Callee) == "sincosf";
  if (Writes)
    return "sincosf";
  if (!Callee || !isa<FPMathOperator>(I) || I.hasApproxFunc())
    return "";
  if (Callee->getIntrinsicID() == Intrinsic::sqrt && !I.hasMetadata(LLVMContext::MD_fpmath))
    return I.getType()->isFloatTy() ? "sqrtf" : I.getType()->isDoubleTy() ? "sqrt" : "";
  return divcost::isInDeviceLibrary(*Callee) ? divcost::nameInLibrary(*Callee) : "";
}

const SlowFunction *find(StringRef Name) {
  auto *Found = find_if(SlowFunctions, [&](const SlowFunction &F) { return Name == F.Name; });
  return Found == std::end(SlowFunctions) ? nullptr : Found;
}

const SlowFunction *slowFunction(const Instruction &I) { return find(calledFunction(I)); }

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

// Both ends are in it.
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

Value *bitsOf(IRBuilder<> &Builder, Value *Real) {
  bool IsFloat = Real->getType()->isFloatTy();
  return Builder.CreateBitCast(Real, IsFloat ? Builder.getInt32Ty() : Builder.getInt64Ty());
}

int bitsOf(float Real) { return static_cast<int>(APFloat(Real).bitcastToAPInt().getZExtValue()); }

// Without the sign.
Value *magnitudeOf(IRBuilder<> &Builder, Value *Real) {
  Value *Bits = bitsOf(Builder, Real);
  return Builder.CreateAnd(
      Bits, ConstantInt::get(Bits->getType(),
                             APInt::getSignedMaxValue(Bits->getType()->getIntegerBitWidth())));
}

// Of the bits of two numbers.
Value *isSlowQuotient(IRBuilder<> &Builder, Value *Numerator, Value *Divisor) {
  bool IsFloat = Numerator->getType()->isIntegerTy(32);
  const FastExponents &Fast = IsFloat ? OfFloat : OfDouble;
  unsigned Shift = IsFloat ? 23 : 52, Mask = IsFloat ? 0xff : 0x7ff;
  auto ExponentOf = [&](Value *Bits) {
    Value *Exponent = Builder.CreateLShr(Bits, Shift);
    return Builder.CreateAnd(Builder.CreateTrunc(Exponent, Builder.getInt32Ty()), Mask);
  };
  Value *Above = ExponentOf(Numerator), *Below = ExponentOf(Divisor);
  Value *Both = Builder.CreateAnd(isWithin(Builder, Above, Fast.Numerator),
                                  isWithin(Builder, Below, Fast.Divisor));
  Value *Near = isWithin(Builder, Builder.CreateSub(Below, Above), Fast.Difference);
  return Builder.CreateNot(Builder.CreateAnd(Both, Near));
}

// Of a float all bits decide, of a double the upper half.
Value *isSlowRoot(IRBuilder<> &Builder, Value *Of) {
  Value *Bits = bitsOf(Builder, Of);
  bool IsFloat = Of->getType()->isFloatTy();
  if (!IsFloat)
    Bits = Builder.CreateTrunc(Builder.CreateLShr(Bits, 32), Builder.getInt32Ty());
  Value *Above = Builder.CreateSub(Bits, Builder.getInt32(IsFloat ? 0x0d000000 : 0x03500000));
  return Builder.CreateICmpUGE(Above, Builder.getInt32(IsFloat ? 0x72800000 : 0x7ca00000));
}

Value *areZeros(IRBuilder<> &Builder, CallInst &Call) {
  Value *Any = magnitudeOf(Builder, Call.getArgOperand(0));
  for (unsigned A = 1; A < Call.arg_size(); ++A)
    Any = Builder.CreateOr(Any, magnitudeOf(Builder, Call.getArgOperand(A)));
  return Builder.CreateIsNull(Any);
}

Value *takesSlowPathOf(IRBuilder<> &Builder, CallInst &Call, Slow By) {
  Value *First = Call.getArgOperand(0);
  switch (By) {
  case Slow::Root:
    return isSlowRoot(Builder, First);
  case Slow::Zeros:
    return areZeros(Builder, Call);
  case Slow::Magnitude:
    return isWithin(Builder, magnitudeOf(Builder, First),
                    {bitsOf(105615.0f) + 1, bitsOf(std::numeric_limits<float>::infinity()) - 1});
  case Slow::Quotient:
    break;
  }
  Value *A = magnitudeOf(Builder, First), *B = magnitudeOf(Builder, Call.getArgOperand(1));
  return isSlowQuotient(Builder, Builder.CreateBinaryIntrinsic(Intrinsic::umin, A, B),
                        Builder.CreateBinaryIntrinsic(Intrinsic::umax, A, B));
}

} // namespace

bool divcost::hasSlowPath(const Instruction &I) {
  return (isExactReal(I) || isLongInteger(I)) && !isProduct(I);
}

// Of 1 / x hardly any x takes it.
bool divcost::asksForSlowPath(const Instruction &I) {
  return hasSlowPath(I) ? !isa<Constant>(I.getOperand(0)) : slowFunction(I) || isRetried(I);
}

bool divcost::isRetried(const Instruction &I) {
  constexpr unsigned Steps = 32;
  SmallVector<const Value *, 4> Objects;
  if (!mayBeRetried(I))
    return false;
  getUnderlyingObjects(cast<AtomicRMWInst>(I).getPointerOperand(), Objects, nullptr, Steps);
  return all_of(Objects, [](const Value *Object) {
    return Object->getType()->getPointerAddressSpace() == SharedSpace;
  });
}

bool divcost::mayBeRetried(const Instruction &I) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  unsigned Space = Update ? Update->getPointerAddressSpace() : GlobalSpace;
  return Update && Update->isFloatingPointOperation() &&
         (Space == GenericSpace || Space == SharedSpace);
}

bool divcost::asksForSlowPath(const Function &F) {
  return isInDeviceLibrary(F) && find(nameInLibrary(F));
}

dc_slow_path divcost::slowPathOf(const Instruction &I, dcp_compiler By) {
  if (const SlowFunction *Of = slowFunction(I)) {
    unsigned Count = By == DCP_NVCC ? Of->Nvcc : Of->Clang;
    return instructions(Count, Count ? Of->Instead : 0);
  }
  if (isRetried(I)) {
    dc_slow_path Path = instructions(0, 0);
    Path.tried = true;
    return Path;
  }
  if (isLongInteger(I))
    return ofIntegers(I);
  return dividesFloats(I) ? instructions(35, 1) : instructions(64, 1);
}

void divcost::narrowQuotients(Function &F) {
  for (Instruction *Division : slowPathsIn(F)) {
    if (Division->getOpcode() != Instruction::FDiv || !Division->getType()->isDoubleTy() ||
        !dividesFloats(*Division))
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
  SmallVector<Instruction *, 4> Found, Calls, Atomics;
  for (Instruction &I : instructions(F))
    if (mayBeRetried(I))
      Atomics.push_back(&I);
    else if (asksForSlowPath(I))
      (isa<CallInst>(I) ? Calls : Found).push_back(&I);
  Found.append(Calls);
  Found.append(Atomics);
  return Found;
}

Value *divcost::takesSlowPath(IRBuilder<> &Builder, Instruction &Of) {
  if (auto *Call = dyn_cast<CallInst>(&Of))
    return takesSlowPathOf(Builder, *Call, slowFunction(Of)->By);
  if (isLongInteger(Of)) {
    Value *Both = Builder.CreateOr(Of.getOperand(0), Of.getOperand(1));
    return Builder.CreateICmpNE(Builder.CreateLShr(Both, 32), ConstantInt::get(Both->getType(), 0));
  }
  auto [Numerator, Divisor] = operandsOf(Of);
  return isSlowQuotient(Builder, bitsOf(Builder, Numerator), bitsOf(Builder, Divisor));
}

// That of a float which isn't normal has to be scaled first.
Value *divcost::takesLongPath(IRBuilder<> &Builder, Instruction &Of) {
  if (!isExactReal(Of) || !dividesFloats(Of))
    return nullptr;
  auto [Numerator, Divisor] = operandsOf(Of);
  auto IsTiny = [&](Value *Operand) {
    return isWithin(Builder, magnitudeOf(Builder, Operand), {1, 0x7fffff});
  };
  return Builder.CreateOr(IsTiny(Numerator), IsTiny(Divisor));
}
