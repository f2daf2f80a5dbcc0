// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/device_library.h"
#include "ir/lower_internal.h"

#include "divcost/hash.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace divcost {

// max(a, b) - b without a sign, as "a > b ? a - b : 0" comes out; |a| as max(a, -a).
bool Lowering::makeSumIntrinsic(IntrinsicInst &I) {
  bool Saturates = I.getIntrinsicID() == Intrinsic::usub_sat;
  unsigned Bits = bitsOf(I.getType());
  if (!Bits || (!Saturates && I.getIntrinsicID() != Intrinsic::abs))
    return false;
  uint32_t A = use(I.getArgOperand(0));
  if (Saturates) {
    uint32_t B = use(I.getArgOperand(1));
    makeExpression(I, DC_OP_SUB, {expression(DC_OP_UMAX, Bits, {A, B}, 0), B});
    current(I).no_wrap = SSA_NO_UNSIGNED_WRAP;
  } else {
    makeExpression(I, DC_OP_SMAX, {A, expression(DC_OP_SUB, Bits, {constant(Bits, 0), A}, 0)});
  }
  return true;
}

bool Lowering::makeIntegerIntrinsic(IntrinsicInst &I) {
  dc_expr_op Op;
  switch (I.getIntrinsicID()) {
  case Intrinsic::smin:
    Op = DC_OP_SMIN;
    break;
  case Intrinsic::smax:
    Op = DC_OP_SMAX;
    break;
  case Intrinsic::umin:
    Op = DC_OP_UMIN;
    break;
  case Intrinsic::umax:
    Op = DC_OP_UMAX;
    break;
  default:
    return makeSumIntrinsic(I);
  }
  if (!bitsOf(I.getType()))
    return false;
  makeExpression(I, Op, {use(I.getArgOperand(0)), use(I.getArgOperand(1))});
  return true;
}

void Lowering::makeIntrinsic(CallBase &I, const dcp_meaning &Meaning) {
  SmallVector<uint32_t, 3> Operands;
  if (Meaning.mask >= 0)
    Operands.push_back(use(I.getArgOperand(static_cast<unsigned>(Meaning.mask))));
  if (Meaning.op == SSA_VOTE && Meaning.mask >= 0)
    Operands.push_back(use(I.getArgOperand(Meaning.mask == 0 ? 1 : 0)));
  if (Meaning.op == SSA_PURE || Meaning.op == SSA_FETCH || Meaning.op == SSA_ALIKE) {
    makePure(I, Meaning.mix);
    current(I).op = Meaning.op;
    return;
  }
  if (Meaning.op == SSA_SHUFFLE) { // mask, value, source lane, clamp
    Operands.push_back(use(I.getArgOperand(1)));
    Operands.push_back(use(I.getArgOperand(2)));
    auto *Clamp = dyn_cast<ConstantInt>(I.getArgOperand(3));
    bool Broadcast = I.getCalledFunction()->getName().contains(".idx.") && Clamp &&
                     Clamp->getZExtValue() == 0x1f;
    current(I).i = Broadcast;
  } else {
    current(I).i = Meaning.i;
  }
  ssa_value &V = current(I);
  V.op = Meaning.op;
  V.expr = Meaning.expr;
  V.level = Meaning.level;
  V.mix = Meaning.mix;
  if (Meaning.text)
    V.text = text(Meaning.text);
  V.changing = Meaning.op == SSA_UNKNOWN && I.mayWriteToMemory();
  setOperands(Ids.lookup(&I), Operands);
}

// libdevice: mathematics, with results through pointers at most to private memory.
bool Lowering::makeLibraryCall(CallBase &I, const Function &Callee) {
  if (!isInDeviceLibrary(Callee) || !Callee.isDeclaration())
    return false;
  uint8_t Arithmetic = mixOf(I.getType()->isDoubleTy() ? DC_MIX_FP64 : DC_MIX_FP32);
  makePure(I, constantPower(I) || isArithmetic(Callee) ? Arithmetic : mixOf(DC_MIX_SPECIAL));
  current(I).i = static_cast<int64_t>(dc_hash_text(DC_HASH_BEGIN, Callee.getName().str().c_str()));
  current(I).loops = hasLoop(I);
  current(I).expanded_late = !constantPower(I) && isArithmetic(Callee);
  if (isCounted(Callee) && I.getType()->isFloatingPointTy())
    current(I).rest = Arithmetic;
  return true;
}

// Of an intrinsic: integers, sums and products of numbers and what is as cheap, or other functions.
uint8_t Lowering::mixOfIntrinsic(const CallBase &I) const {
  if (I.getType()->isIntOrIntVectorTy())
    return mixOf(DC_MIX_INTEGER);
  static constexpr StringRef Arithmetic[] = {"fma.",    "fmuladd.", "fabs.",    "copysign.",
                                             "minnum.", "maxnum.",  "minimum.", "maximum.",
                                             "add.",    "mul.",     "fmin.",    "fmax."};
  StringRef Base = I.getCalledFunction()->getName();
  Base.consume_front("llvm.");
  Base.consume_front("nvvm.");
  return any_of(Arithmetic, [Base](StringRef One) { return Base.starts_with(One); })
             ? floatMix(I)
             : mixOf(DC_MIX_SPECIAL);
}

void Lowering::visitCallBase(CallBase &I) {
  dcp_meaning Meaning;
  if (auto *Assembly = dyn_cast<InlineAsm>(I.getCalledOperand())) {
    dcp_inline_assembly(StringRef(Assembly->getAsmString()).str().c_str(), &Meaning);
    return makeIntrinsic(I, Meaning);
  }
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return makeUnknown(I, "a call through a pointer");
  if (auto *II = dyn_cast<IntrinsicInst>(&I); II && makeIntegerIntrinsic(*II))
    return;
  if (makeRealIntrinsic(I) || makeMemoryIntrinsic(I))
    return;
  std::string Name = Callee->getName().str();
  uint8_t ByType = mixOfIntrinsic(I);
  if (Callee->isIntrinsic() && dcp_intrinsic(Name.c_str(), &Meaning)) {
    if (Meaning.op == SSA_PURE)
      Meaning.mix = ByType;
    return makeIntrinsic(I, Meaning);
  }
  bool OnlyOperands = I.doesNotAccessMemory() && !I.isConvergent();
  if (Callee->isIntrinsic() && OnlyOperands) {
    if (!StringRef(Name).starts_with("llvm.nvvm."))
      return makePure(I, ByType);
    makeUnknown(I, "the intrinsic '" + Name + "'");
    current(I).mix = ByType;
    return;
  }
  if (makeLibraryCall(I, *Callee))
    return;
  if (OnlyOperands && Callee->isDeclaration())
    return makePure(I, mixOf(DC_MIX_CALL));
  if (Name == "malloc" || Name == "vprintf") {
    makeUnknown(I, Name == "malloc" ? "memory from malloc" : "the result of printf");
    current(I).op = SSA_SOURCE;
    current(I).level = DC_DIVERGENT;
    return;
  }
  makeUnknown(I, "a call to '" + demangle(Name) + "', which " +
                     (Callee->isDeclaration() ? "another unit defines" : "is not inlined"));
}

} // namespace divcost
