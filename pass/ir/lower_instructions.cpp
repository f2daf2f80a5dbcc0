// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and pointer arithmetic keeps its meaning; of everything else stays which operands it
// follows and what it costs.
#include "ir/lower_internal.h"
#include "ir/own_sums.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace divcost {

unsigned Lowering::bitsOf(const Type *T) const {
  if (T->isPointerTy())
    return 64;
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return T->getIntegerBitWidth();
  return 0;
}

unsigned Lowering::widthOf(const Type *T) const {
  return T->isFloatTy() ? 32 : T->isDoubleTy() ? 64 : bitsOf(T);
}

uint8_t Lowering::floatMix(const Value &V) const {
  const Type *T = V.getType()->getScalarType();
  if (T->isDoubleTy())
    return mixOf(DC_MIX_FP64);
  return mixOf(T->isFloatingPointTy() ? DC_MIX_FP32 : DC_MIX_INTEGER);
}

uint32_t Lowering::text(StringRef S) {
  if (S.empty())
    return 0;
  Out.TextStorage.push_back(S.str());
  Out.Texts.push_back(Out.TextStorage.back().c_str());
  return static_cast<uint32_t>(Out.Texts.size() - 1);
}

// The name that the source has for a parameter or global variable; empty: none is known.
StringRef Lowering::nameOf(const Value *V) const {
  if (auto *A = dyn_cast_or_null<Argument>(V)) {
    if (KernelSource && A->getArgNo() < KernelSource->n_parameters)
      return KernelSource->parameters[A->getArgNo()].name;
    return A->getName();
  }
  if (auto *G = dyn_cast_or_null<GlobalVariable>(V)) {
    // Variables inside a function are called "function.variable", mangled ones end in length and
    // name.
    StringRef Name = G->getName();
    size_t Dot = Name.rfind('.');
    if (!Name.starts_with("_Z"))
      return Dot == StringRef::npos || Name.starts_with(".") ? Name : Name.substr(Dot + 1);
    size_t End = Name.size();
    for (size_t Length = 1; Length < End; ++Length) {
      std::string Prefix = std::to_string(Length);
      StringRef Tail = Name.take_back(Length);
      if (Name.drop_back(Length).ends_with(Prefix) && !isDigit(Tail.front()) &&
          !Name.drop_back(Length + Prefix.size()).ends_with("0"))
        return Tail;
    }
  }
  return "";
}

uint32_t Lowering::constant(unsigned Bits, int64_t Value) {
  auto [At, New] = Constants.try_emplace({Bits, Value}, 0);
  if (New) {
    ssa_value V = {};
    V.op = SSA_CONST;
    V.bits = static_cast<uint8_t>(Bits);
    V.i = Value;
    V.block = V.location = DC_NONE;
    Out.Values.push_back(V);
    At->second = static_cast<uint32_t>(Out.Values.size() - 1);
  }
  return At->second;
}

uint32_t Lowering::use(const Value *V) {
  auto Found = Ids.find(V);
  if (Found != Ids.end())
    return Found->second;
  if (auto *C = dyn_cast<ConstantInt>(V); C && C->getBitWidth() <= 64)
    return constant(C->getBitWidth(), C->getSExtValue());
  if (isa<ConstantPointerNull>(V))
    return constant(64, 0);
  if (auto *C = dyn_cast<ConstantFP>(V); C && widthOf(C->getType()))
    return constant(widthOf(C->getType()), C->getValueAPF().bitcastToAPInt().getSExtValue());
  ssa_value Value = {};
  Value.op = SSA_CONSTANT;
  Value.bits = static_cast<uint8_t>(widthOf(V->getType()));
  Value.block = Value.location = DC_NONE;
  Value.text = text(nameOf(V));
  Out.Values.push_back(Value);
  return Ids[V] = static_cast<uint32_t>(Out.Values.size() - 1);
}

void Lowering::setOperands(uint32_t Id, ArrayRef<uint32_t> Operands) {
  Out.Values[Id].first_operand = static_cast<uint32_t>(Out.Operands.size());
  Out.Values[Id].n_operands = static_cast<uint32_t>(Operands.size());
  Out.Operands.insert(Out.Operands.end(), Operands.begin(), Operands.end());
  Out.Incoming.resize(Out.Operands.size(), DC_NONE);
}

// A value that LLVM has no instruction for, such as one step of an address computation.
uint32_t Lowering::add(ssa_value Value, ArrayRef<uint32_t> Operands) {
  Out.Values.push_back(Value);
  uint32_t Id = static_cast<uint32_t>(Out.Values.size() - 1);
  setOperands(Id, Operands);
  Into->push_back(Id);
  return Id;
}

uint32_t Lowering::expression(dc_expr_op Op, unsigned Bits, ArrayRef<uint32_t> Operands,
                              uint8_t Mix, uint8_t NoWrap) {
  ssa_value V = {};
  V.no_wrap = NoWrap;
  V.op = SSA_EXPR;
  V.expr = Op;
  V.bits = static_cast<uint8_t>(Bits);
  V.mix = Mix;
  V.block = static_cast<uint32_t>(Out.Blocks.size() - 1);
  V.location = DC_NONE;
  return add(V, Operands);
}

void Lowering::makeExpression(Instruction &I, dc_expr_op Op, ArrayRef<uint32_t> Operands) {
  ssa_value &V = current(I);
  V.op = SSA_EXPR;
  V.expr = Op;
  V.mix = mixOf(DC_MIX_INTEGER);
  if (auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I))
    V.no_wrap = (Wraps->hasNoSignedWrap() ? SSA_NO_SIGNED_WRAP : 0) |
                (Wraps->hasNoUnsignedWrap() ? SSA_NO_UNSIGNED_WRAP : 0);
  V.sum = static_cast<uint8_t>(ownSum(I));
  setOperands(Ids.lookup(&I), Operands);
}

void Lowering::makePure(Instruction &I, uint8_t Mix) {
  SmallVector<uint32_t, 4> Operands;
  for (const Use &U : I.operands())
    if (!isa<BasicBlock, MetadataAsValue>(U.get()) && !isa<Function>(U.get()))
      Operands.push_back(use(U.get()));
  current(I).op = SSA_PURE;
  current(I).mix = Mix;
  setOperands(Ids.lookup(&I), Operands);
}

void Lowering::makeCopy(Instruction &I, const Value *Operand) {
  if (!bitsOf(I.getType()) || bitsOf(I.getType()) != bitsOf(Operand->getType()))
    return makePure(I, 0);
  makeExpression(I, DC_OP_ZEXT, {use(Operand)});
  current(I).mix = 0;
}

void Lowering::makeEffect(Instruction &I, uint8_t Mix) {
  current(I).op = SSA_EFFECT;
  current(I).mix = Mix;
}

void Lowering::makeUnknown(Instruction &I, const Twine &Why) {
  ssa_value &V = current(I);
  V.op = SSA_UNKNOWN;
  V.mix = mixOf(DC_MIX_CALL);
  V.changing = I.mayWriteToMemory();
  V.text = text(Why.str());
}

// The power of two of which an amount to shift by is the logarithm; null: there is none. LLVM makes
// x >> cttz(d) of x / d.
static const Value *powerFor(const Value &Amount, const DataLayout &Layout) {
  const Value *Power;
  bool IsLogarithm = PatternMatch::match(
      &Amount, PatternMatch::m_Intrinsic<Intrinsic::cttz>(PatternMatch::m_Value(Power)));
  return IsLogarithm && isKnownToBeAPowerOfTwo(Power, Layout, /*OrZero=*/true) ? Power : nullptr;
}

void Lowering::makeOperator(BinaryOperator &I, dc_expr_op Op) {
  const Value *Power =
      Op == DC_OP_LSHR || Op == DC_OP_SHL ? powerFor(*I.getOperand(1), F.getDataLayout()) : nullptr;
  if (Power)
    return makeExpression(I, Op == DC_OP_SHL ? DC_OP_MUL : DC_OP_UDIV,
                          {use(I.getOperand(0)), use(Power)});
  // ~x is -1 - x: a sum.
  if (Op == DC_OP_XOR && bitsOf(I.getType()) > 1 &&
      PatternMatch::match(I.getOperand(1), PatternMatch::m_AllOnes())) {
    makeExpression(I, DC_OP_SUB, {use(I.getOperand(1)), use(I.getOperand(0))});
    current(I).no_wrap = SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP;
    return;
  }
  // Two numbers without a common bit: instcombine writes their sum as "or".
  bool Sum = Op == DC_OP_OR && cast<PossiblyDisjointInst>(I).isDisjoint();
  makeExpression(I, Sum ? DC_OP_ADD : Op, {use(I.getOperand(0)), use(I.getOperand(1))});
  if (Sum)
    current(I).no_wrap = SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP;
  bool Division = Op == DC_OP_UDIV || Op == DC_OP_SDIV || Op == DC_OP_UREM || Op == DC_OP_SREM;
  if (Division && !isa<Constant>(I.getOperand(1)))
    current(I).mix = mixOf(DC_MIX_SPECIAL);
}

void Lowering::visitBinaryOperator(BinaryOperator &I) {
  static const struct {
    unsigned Opcode;
    dc_expr_op Op;
  } Table[] = {
      {Instruction::Add, DC_OP_ADD},   {Instruction::Sub, DC_OP_SUB},
      {Instruction::Mul, DC_OP_MUL},   {Instruction::UDiv, DC_OP_UDIV},
      {Instruction::SDiv, DC_OP_SDIV}, {Instruction::URem, DC_OP_UREM},
      {Instruction::SRem, DC_OP_SREM}, {Instruction::Shl, DC_OP_SHL},
      {Instruction::LShr, DC_OP_LSHR}, {Instruction::AShr, DC_OP_ASHR},
      {Instruction::And, DC_OP_AND},   {Instruction::Or, DC_OP_OR},
      {Instruction::Xor, DC_OP_XOR},
  };
  if (bitsOf(I.getType()))
    for (auto &Entry : Table)
      if (Entry.Opcode == I.getOpcode())
        return makeOperator(I, Entry.Op);
  if (makeRealOperator(I))
    return;
  bool Special = I.getOpcode() == Instruction::FDiv || I.getOpcode() == Instruction::FRem;
  makePure(I, Special ? mixOf(DC_MIX_SPECIAL) : floatMix(I));
}

void Lowering::visitICmpInst(ICmpInst &I) {
  if (!bitsOf(I.getOperand(0)->getType()) || !bitsOf(I.getType()))
    return makePure(I, mixOf(DC_MIX_INTEGER));
  uint32_t A = use(I.getOperand(0)), B = use(I.getOperand(1));
  // Addresses are below 2^63, so that their order is that of numbers with a sign, in which what is
  // added to an address doesn't wrap.
  bool Addresses = I.getOperand(0)->getType()->isPointerTy();
  switch (Addresses ? ICmpInst::getSignedPredicate(I.getPredicate()) : I.getPredicate()) {
  case CmpInst::ICMP_EQ:
    return makeExpression(I, DC_OP_EQ, {A, B});
  case CmpInst::ICMP_NE:
    return makeExpression(I, DC_OP_NE, {A, B});
  case CmpInst::ICMP_ULT:
    return makeExpression(I, DC_OP_ULT, {A, B});
  case CmpInst::ICMP_ULE:
    return makeExpression(I, DC_OP_ULE, {A, B});
  case CmpInst::ICMP_UGT:
    return makeExpression(I, DC_OP_ULT, {B, A});
  case CmpInst::ICMP_UGE:
    return makeExpression(I, DC_OP_ULE, {B, A});
  case CmpInst::ICMP_SLT:
    return makeExpression(I, DC_OP_SLT, {A, B});
  case CmpInst::ICMP_SLE:
    return makeExpression(I, DC_OP_SLE, {A, B});
  case CmpInst::ICMP_SGT:
    return makeExpression(I, DC_OP_SLT, {B, A});
  case CmpInst::ICMP_SGE:
    return makeExpression(I, DC_OP_SLE, {B, A});
  default:
    return makePure(I, mixOf(DC_MIX_INTEGER));
  }
}

void Lowering::visitSelectInst(SelectInst &I) {
  if (!widthOf(I.getType()) || !bitsOf(I.getCondition()->getType()))
    return makePure(I, mixOf(DC_MIX_INTEGER));
  makeExpression(I, DC_OP_SELECT,
                 {use(I.getCondition()), use(I.getTrueValue()), use(I.getFalseValue())});
}

void Lowering::visitCastInst(CastInst &I) {
  const Value *From = I.getOperand(0);
  unsigned To = bitsOf(I.getType());
  switch (I.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    if (!To || !bitsOf(From->getType()))
      break;
    makeExpression(I,
                   I.getOpcode() == Instruction::ZExt   ? DC_OP_ZEXT
                   : I.getOpcode() == Instruction::SExt ? DC_OP_SEXT
                                                        : DC_OP_TRUNC,
                   {use(From)});
    return;
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return makeCopy(I, From);
  default:
    if (makeRealCast(I))
      return;
    break;
  }
  makePure(I, floatMix(I));
}

} // namespace divcost
