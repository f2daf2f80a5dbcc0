// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point arithmetic whose result follows from IEEE's rules, but for what compilers may do:
// a product that is a summand may be fused with the sum. Whether it is depends on options of the
// code generator and of ptxas, so flags of instructions aren't asked. What may be computed in
// another order, or is approximated, is only a function of its operands.
#include "ir/lower_internal.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace divcost {

static bool mayBeReordered(const Instruction &I) {
  return isa<FPMathOperator>(I) && I.hasAllowReassoc();
}

static bool mayBeApproximated(const Instruction &I) {
  return I.hasAllowReciprocal() || I.hasApproxFunc() || I.hasMetadata(LLVMContext::MD_fpmath);
}

uint32_t Lowering::real(dc_expr_op Op, unsigned Bits, ArrayRef<uint32_t> Operands) {
  uint32_t Id = expression(Op, Bits, Operands, 0);
  Out.Values[Id].real = dc_expr_op_is_real(Op);
  return Id;
}

void Lowering::makeReal(Instruction &I, dc_expr_op Op, ArrayRef<uint32_t> Operands) {
  makeExpression(I, Op, Operands);
  current(I).mix = floatMix(isa<FCmpInst>(I) ? *I.getOperand(0) : I);
}

// An operand of a sum: as a product that isn't rounded yet, if it may be.
uint32_t Lowering::summand(const Value *V, bool &Negated) {
  Value *A, *B, *Inner;
  Negated = PatternMatch::match(V, PatternMatch::m_FNeg(PatternMatch::m_Value(Inner)));
  const Value *Product = Negated ? Inner : V;
  if (PatternMatch::match(Product,
                          PatternMatch::m_FMul(PatternMatch::m_Value(A), PatternMatch::m_Value(B))))
    if (!mayBeReordered(*cast<Instruction>(Product)))
      return real(DC_OP_FPRODUCT, widthOf(V->getType()), {use(A), use(B)});
  Negated = false;
  return use(V);
}

bool Lowering::makeSum(Instruction &I, bool Subtracts) {
  bool NegatedA, NegatedB;
  unsigned Bits = widthOf(I.getType());
  uint32_t A = summand(I.getOperand(0), NegatedA), B = summand(I.getOperand(1), NegatedB);
  if (NegatedA)
    A = real(DC_OP_FNEG, Bits, {A});
  makeReal(I, Subtracts != NegatedB ? DC_OP_FSUB : DC_OP_FADD, {A, B});
  return true;
}

bool Lowering::makeRealOperator(BinaryOperator &I) {
  if (!I.getType()->isFloatingPointTy() || !widthOf(I.getType()) || mayBeReordered(I))
    return false;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return makeSum(I, I.getOpcode() == Instruction::FSub);
  case Instruction::FMul:
    makeReal(I, DC_OP_FMUL, {use(I.getOperand(0)), use(I.getOperand(1))});
    return true;
  case Instruction::FDiv:
    if (mayBeApproximated(I))
      return false;
    makeReal(I, DC_OP_FDIV, {use(I.getOperand(0)), use(I.getOperand(1))});
    current(I).mix = mixOf(DC_MIX_SPECIAL);
    return true;
  default:
    return false;
  }
}

void Lowering::visitUnaryOperator(UnaryOperator &I) {
  if (I.getOpcode() != Instruction::FNeg || !widthOf(I.getType()))
    return makePure(I, floatMix(I));
  makeReal(I, DC_OP_FNEG, {use(I.getOperand(0))});
}

// Comparisons are ordered, or the opposite of one that is.
void Lowering::visitFCmpInst(FCmpInst &I) {
  FCmpInst::Predicate Predicate = I.getPredicate();
  bool Unordered = FCmpInst::isUnordered(Predicate);
  if (!widthOf(I.getOperand(0)->getType()) || !bitsOf(I.getType()))
    return makePure(I, floatMix(*I.getOperand(0)));
  uint32_t A = use(I.getOperand(0)), B = use(I.getOperand(1));
  auto Make = [&](dc_expr_op Op, ArrayRef<uint32_t> Operands) {
    if (Unordered)
      makeReal(I, DC_OP_XOR, {real(Op, 1, Operands), constant(1, -1)});
    else
      makeReal(I, Op, Operands);
  };
  switch (Unordered ? FCmpInst::getInversePredicate(Predicate) : Predicate) {
  case FCmpInst::FCMP_OEQ:
    return Make(DC_OP_FEQ, {A, B});
  case FCmpInst::FCMP_OLT:
    return Make(DC_OP_FLT, {A, B});
  case FCmpInst::FCMP_OLE:
    return Make(DC_OP_FLE, {A, B});
  case FCmpInst::FCMP_OGT:
    return Make(DC_OP_FLT, {B, A});
  case FCmpInst::FCMP_OGE:
    return Make(DC_OP_FLE, {B, A});
  case FCmpInst::FCMP_ONE:
    return Make(DC_OP_OR, {real(DC_OP_FLT, 1, {A, B}), real(DC_OP_FLT, 1, {B, A})});
  case FCmpInst::FCMP_ORD:
    return Make(DC_OP_AND, {real(DC_OP_FEQ, 1, {A, A}), real(DC_OP_FEQ, 1, {B, B})});
  default:
    return makePure(I, floatMix(*I.getOperand(0)));
  }
}

bool Lowering::makeRealCast(CastInst &I) {
  dc_expr_op Op;
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
    Op = DC_OP_SITOFP;
    break;
  case Instruction::UIToFP:
    Op = DC_OP_UITOFP;
    break;
  case Instruction::FPToSI:
    Op = DC_OP_FPTOSI;
    break;
  case Instruction::FPToUI:
    Op = DC_OP_FPTOUI;
    break;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    Op = DC_OP_FCAST;
    break;
  default:
    return false;
  }
  if (!widthOf(I.getType()) || !widthOf(I.getOperand(0)->getType()))
    return false;
  makeReal(I, Op, {use(I.getOperand(0))});
  return true;
}

// "f2i.rn", "d2ull.rz", "f2ui.rm.ftz": rounded as the name says, then cut. Out of range the
// hardware takes the nearest integer, which an expression doesn't say.
bool Lowering::makeConversion(CallBase &I, StringRef Name) {
  if ((!Name.consume_front("f2") && !Name.consume_front("d2")) || !bitsOf(I.getType()))
    return false;
  bool Unsigned = Name.consume_front("u");
  if (!Name.consume_front("i.") && !Name.consume_front("ll."))
    return false;
  Name.consume_back(".ftz");
  int Rounding = StringSwitch<int>(Name)
                     .Case("rn", DC_OP_FRINT)
                     .Case("rm", DC_OP_FFLOOR)
                     .Case("rp", DC_OP_FCEIL)
                     .Case("rz", DC_OP_FTRUNC)
                     .Default(-1);
  if (Rounding < 0)
    return false;
  const Value *From = I.getArgOperand(0);
  uint32_t Whole = real(static_cast<dc_expr_op>(Rounding), widthOf(From->getType()), {use(From)});
  makeReal(I, Unsigned ? DC_OP_FPTOUI : DC_OP_FPTOSI, {Whole});
  return true;
}

// |x| is the larger of x and -x; a product that is added to is as good as fused with the sum.
bool Lowering::makeRealFunction(CallBase &I, StringRef Name) {
  unsigned Bits = widthOf(I.getType());
  uint32_t A = use(I.getArgOperand(0));
  if (Name.starts_with("fabs.")) {
    makeReal(I, DC_OP_FMAX, {A, real(DC_OP_FNEG, Bits, {A})});
    return true;
  }
  if (Name.starts_with("fma.rn.") || Name.starts_with("fma.f") || Name.starts_with("fmuladd.")) {
    uint32_t Product = real(DC_OP_FPRODUCT, Bits, {A, use(I.getArgOperand(1))});
    makeReal(I, DC_OP_FADD, {Product, use(I.getArgOperand(2))});
    return true;
  }
  static const struct {
    StringRef Prefix;
    dc_expr_op Op;
  } Table[] = {
      {"add.rn.", DC_OP_FADD},     {"ceil.", DC_OP_FCEIL},  {"floor.", DC_OP_FFLOOR},
      {"fmax.", DC_OP_FMAX},       {"fmin.", DC_OP_FMIN},   {"maximum.", DC_OP_FMAX},
      {"maximumnum.", DC_OP_FMAX}, {"maxnum.", DC_OP_FMAX}, {"minimum.", DC_OP_FMIN},
      {"minimumnum.", DC_OP_FMIN}, {"minnum.", DC_OP_FMIN}, {"mul.rn.", DC_OP_FMUL},
      {"nearbyint.", DC_OP_FRINT}, {"rint.", DC_OP_FRINT},  {"roundeven.", DC_OP_FRINT},
      {"trunc.", DC_OP_FTRUNC},
  };
  for (auto &Entry : Table) {
    if (!Name.starts_with(Entry.Prefix))
      continue;
    if (dc_expr_op_operands(Entry.Op) == 2)
      makeReal(I, Entry.Op, {A, use(I.getArgOperand(1))});
    else
      makeReal(I, Entry.Op, {A});
    return true;
  }
  return false;
}

bool Lowering::makeRealIntrinsic(CallBase &I) {
  const Function *Callee = I.getCalledFunction();
  if (!Callee->isIntrinsic() || I.arg_empty() || !widthOf(I.getType()) || mayBeReordered(I) ||
      !I.getArgOperand(0)->getType()->isFloatingPointTy() ||
      !widthOf(I.getArgOperand(0)->getType()))
    return false;
  StringRef Name = Callee->getName();
  Name.consume_front("llvm.");
  bool Found = false;
  if (Name.starts_with("fptosi.sat.") || Name.starts_with("fptoui.sat.")) {
    makeReal(I, Name.starts_with("fptosi") ? DC_OP_FPTOSI : DC_OP_FPTOUI,
             {use(I.getArgOperand(0))});
    Found = true;
  } else if (!Name.contains(".sat") && !Name.contains(".xorsign")) {
    Name.consume_front("nvvm.");
    Found = I.getType()->isFloatingPointTy() ? makeRealFunction(I, Name) : makeConversion(I, Name);
  }
  if (Found)
    current(I).mix = mixOfIntrinsic(I);
  return Found;
}

} // namespace divcost
