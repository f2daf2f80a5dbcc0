// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One visit per instruction: integer and pointer arithmetic keeps its meaning (address computations
// become additions and products), everything else is reduced to what divergence needs. Loads learn
// here whether the memory behind them can change while the kernel runs: constant memory,
// ld.global.nc, and noalias parameters that the kernel never writes through can't.
#include "lower.h"

#include "analysis_limits.h"
#include "device_library.h"
#include "examine.h"
#include "intrinsics.h"
#include "machine_count.h"
#include "module_facts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>

using namespace llvm;

namespace divcost {

// Scopes are far fewer than locations.
Locations::Names Locations::namesOf(const DILocalScope *Scope) {
  auto [Found, IsNew] = Scopes.try_emplace(Scope);
  if (IsNew) {
    const DISubprogram *Subprogram = Scope->getSubprogram();
    StringRef Function = Subprogram ? Subprogram->getName() : "";
    Found->second = {dc_kernel_add_text(&Kernel, pathOf(*Scope).c_str()),
                     dc_kernel_add_text(&Kernel, Function.str().c_str())};
  }
  return Found->second;
}

uint32_t Locations::of(const DILocation *Location) {
  if (!Location)
    return DC_NONE;
  auto Found = Known.find(Location);
  if (Found != Known.end())
    return Found->second;
  uint32_t InlinedAt = of(Location->getInlinedAt());
  uint32_t Index = dc_kernel_add_location(&Kernel);
  if (Index == DC_NONE)
    return DC_NONE;
  Names Texts = namesOf(Location->getScope());
  dc_location &Out = Kernel.locations[Index];
  Out.file = Texts.File;
  Out.function = Texts.Function;
  Out.line = Location->getLine();
  Out.column = Location->getColumn();
  Out.inlined_at = InlinedAt;
  Known[Location] = Index;
  return Index;
}

ssa_function Lowered::view() {
  ssa_function F = {};
  F.values = Values.data();
  F.n_values = static_cast<uint32_t>(Values.size());
  F.operands = Operands.data();
  F.incoming = Incoming.data();
  F.n_operands = static_cast<uint32_t>(Operands.size());
  F.block_values = BlockValues.data();
  F.blocks = Blocks.data();
  F.n_blocks = static_cast<uint32_t>(Blocks.size());
  F.edges = Edges.data();
  F.n_edges = static_cast<uint32_t>(Edges.size());
  F.in_order = InOrder.data();
  F.n_in_order = static_cast<uint32_t>(InOrder.size());
  F.loops = Loops.data();
  F.n_loops = static_cast<uint32_t>(Loops.size());
  F.loop_blocks = LoopBlocks.data();
  F.texts = Texts.data();
  F.n_texts = static_cast<uint32_t>(Texts.size());
  F.is_kernel = IsKernel;
  return F;
}

namespace {

constexpr unsigned SharedSpace = 3, ConstantSpace = 4, LocalSpace = 5, ParameterSpace = 101;

uint8_t mixOf(dc_mix Mix) { return static_cast<uint8_t>(Mix + 1); }

class Lowering : public InstVisitor<Lowering> {
public:
  Lowering(Function &F, const dcp_source &Source, Locations &Places, Lowered &Out)
      : F(F), Layout(F.getParent()->getDataLayout()), Places(Places), Out(Out), Source(Source),
        KernelSource(dcp_source_find_kernel(&Source, F.getName().str().c_str())) {
    Out.IsKernel = isKernel(F);
    Out.Texts.push_back("");
  }
  void run();

  void visitInstruction(Instruction &I) { makePure(I, mixOf(DC_MIX_INTEGER)); }
  void visitPHINode(PHINode &I);
  void visitBinaryOperator(BinaryOperator &I);
  void visitUnaryOperator(UnaryOperator &I) { makePure(I, floatMix(I)); }
  void visitICmpInst(ICmpInst &I);
  void visitFCmpInst(FCmpInst &I) { makePure(I, floatMix(*I.getOperand(0))); }
  void visitSelectInst(SelectInst &I);
  void visitCastInst(CastInst &I);
  void visitFreezeInst(FreezeInst &I) { makeCopy(I, I.getOperand(0)); }
  void visitGetElementPtrInst(GetElementPtrInst &I);
  void visitLoadInst(LoadInst &I);
  void visitStoreInst(StoreInst &I);
  void visitAtomicRMWInst(AtomicRMWInst &I) { makeAtomic(I, I.getPointerOperand()); }
  void visitAtomicCmpXchgInst(AtomicCmpXchgInst &I) { makeAtomic(I, I.getPointerOperand()); }
  void visitAllocaInst(AllocaInst &I);
  void visitFenceInst(FenceInst &I) { makeEffect(I, mixOf(DC_MIX_BARRIER)); }
  void visitCallBase(CallBase &I);
  void visitTerminator(Instruction &I) { makeEffect(I, mixOf(DC_MIX_CONTROL)); }
  void visitBranchInst(BranchInst &I) { visitTerminator(I); }
  void visitSwitchInst(SwitchInst &I) { visitTerminator(I); }
  void visitReturnInst(ReturnInst &I) { visitTerminator(I); }
  void visitUnreachableInst(UnreachableInst &I) { makeEffect(I, 0); }

private:
  unsigned bitsOf(const Type *T) const;
  uint8_t floatMix(const Value &V) const;
  uint32_t text(StringRef S);
  StringRef nameOf(const Value *V) const;
  uint32_t constant(unsigned Bits, int64_t Value);
  uint32_t use(const Value *V);
  uint32_t add(ssa_value Value, ArrayRef<uint32_t> Operands);
  uint32_t expression(dc_op Op, unsigned Bits, ArrayRef<uint32_t> Operands, uint8_t Mix,
                      uint8_t NoWrap = 0);
  ssa_value &current(const Instruction &I) { return Out.Values[Ids.lookup(&I)]; }
  void setOperands(uint32_t Id, ArrayRef<uint32_t> Operands);
  void makeExpression(Instruction &I, dc_op Op, ArrayRef<uint32_t> Operands);
  void makePure(Instruction &I, uint8_t Mix);
  void makeCopy(Instruction &I, const Value *Operand);
  void makeEffect(Instruction &I, uint8_t Mix) {
    current(I).op = SSA_EFFECT;
    current(I).mix = Mix;
  }
  void makeUnknown(Instruction &I, const Twine &Why);
  void makeAtomic(Instruction &I, const Value *Address);
  void makeIntrinsic(CallBase &I, const dcp_meaning &Meaning);
  bool visitIntegerIntrinsic(IntrinsicInst &I);
  bool visitMemoryIntrinsic(CallBase &I);
  void makeRead(Instruction &I, const Value *Address, bool NeverChanges);

  ssa_space spaceOf(const Value *Address, const Value **Root = nullptr) const;
  uint8_t objectOf(const Value *Root);
  const Value *access(ssa_value &V, const Value *Address);
  bool mayBePrivate(const Value *Address) const;
  bool neverWritten(const Value *Root) const;
  bool isParameterField(const Value *V) const;
  void findWrittenRoots();
  void numberValues();
  void lowerBlocks();
  void lowerEdges();
  void lowerLoops();
  void lowerLoop(const Cycle &C, uint32_t Parent);
  void readHint(const MDNode &Hint, ssa_loop &L);
  void describeLoop(const Cycle &C, ssa_loop &L);
  DILocation *placeOfStatement(const Cycle &C, const ssa_loop &L);

  Function &F;
  const DataLayout &Layout;
  Locations &Places;
  Lowered &Out;
  const dcp_source &Source;
  const dcp_kernel_source *KernelSource;
  DenseMap<const Value *, uint32_t> Ids;
  DenseMap<const BasicBlock *, uint32_t> BlockIds;
  DenseMap<std::pair<unsigned, int64_t>, uint32_t> Constants;
  DenseMap<const Value *, uint8_t> SharedObjects;
  SmallPtrSet<const Value *, 16> Written;
  bool AnyWritten = false;               // through an address that could not be followed
  bool HasPrivate = false;               // memory of the thread's own
  std::vector<uint32_t> *Into = nullptr; // values of the block being lowered
};

unsigned Lowering::bitsOf(const Type *T) const {
  if (T->isPointerTy())
    return 64;
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return T->getIntegerBitWidth();
  return 0;
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
  ssa_value Value = {};
  Value.op = SSA_CONSTANT;
  Value.bits = static_cast<uint8_t>(bitsOf(V->getType()));
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

uint32_t Lowering::expression(dc_op Op, unsigned Bits, ArrayRef<uint32_t> Operands, uint8_t Mix,
                              uint8_t NoWrap) {
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

void Lowering::makeExpression(Instruction &I, dc_op Op, ArrayRef<uint32_t> Operands) {
  ssa_value &V = current(I);
  V.op = SSA_EXPR;
  V.expr = Op;
  V.mix = mixOf(DC_MIX_INTEGER);
  if (auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I))
    V.no_wrap = (Wraps->hasNoSignedWrap() ? SSA_NO_SIGNED_WRAP : 0) |
                (Wraps->hasNoUnsignedWrap() ? SSA_NO_UNSIGNED_WRAP : 0);
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

void Lowering::makeUnknown(Instruction &I, const Twine &Why) {
  ssa_value &V = current(I);
  V.op = SSA_UNKNOWN;
  V.mix = mixOf(DC_MIX_CALL);
  V.changing = I.mayWriteToMemory();
  V.text = text(Why.str());
}

void Lowering::visitPHINode(PHINode &I) {
  SmallVector<uint32_t, 4> Operands;
  for (const Value *V : I.incoming_values())
    Operands.push_back(use(V));
  current(I).op = SSA_PHI;
  setOperands(Ids.lookup(&I), Operands);
  for (unsigned K = 0; K < I.getNumIncomingValues(); ++K)
    Out.Incoming[current(I).first_operand + K] = BlockIds.lookup(I.getIncomingBlock(K));
}

void Lowering::visitBinaryOperator(BinaryOperator &I) {
  static const struct {
    unsigned Opcode;
    dc_op Op;
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
      if (Entry.Opcode == I.getOpcode()) {
        // ~x is -1 - x: a sum.
        if (I.getOpcode() == Instruction::Xor && bitsOf(I.getType()) > 1 &&
            PatternMatch::match(I.getOperand(1), PatternMatch::m_AllOnes())) {
          makeExpression(I, DC_OP_SUB, {use(I.getOperand(1)), use(I.getOperand(0))});
          current(I).no_wrap = SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP;
          return;
        }
        // Two numbers without a common bit: instcombine writes their sum as "or".
        bool Sum = I.getOpcode() == Instruction::Or && cast<PossiblyDisjointInst>(I).isDisjoint();
        makeExpression(I, Sum ? DC_OP_ADD : Entry.Op, {use(I.getOperand(0)), use(I.getOperand(1))});
        if (Sum)
          current(I).no_wrap = SSA_NO_SIGNED_WRAP | SSA_NO_UNSIGNED_WRAP;
        bool Division = I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::SDiv ||
                        I.getOpcode() == Instruction::URem || I.getOpcode() == Instruction::SRem;
        if (Division && !isa<Constant>(I.getOperand(1)))
          current(I).mix = mixOf(DC_MIX_SPECIAL);
        return;
      }
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
  if (!bitsOf(I.getType()) || !bitsOf(I.getCondition()->getType()))
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
    break;
  }
  makePure(I, floatMix(I));
}

// Where memory of a size that is not fixed lies depends on what the thread took before.
void Lowering::visitAllocaInst(AllocaInst &I) {
  ssa_value &V = current(I);
  V.op = I.isStaticAlloca() ? SSA_LOCAL : SSA_SOURCE;
  V.level = DC_DIVERGENT;
  V.text = text("an address of the thread's own memory");
}

void Lowering::visitGetElementPtrInst(GetElementPtrInst &I) {
  if (!bitsOf(I.getType()))
    return makePure(I, mixOf(DC_MIX_INTEGER));
  uint32_t Address = use(I.getPointerOperand());
  uint8_t NoWrap = I.hasNoUnsignedSignedWrap() ? SSA_NO_SIGNED_WRAP : 0;
  int64_t Offset = 0;
  SmallVector<uint32_t, 4> Steps;
  for (auto At = gep_type_begin(I), End = gep_type_end(I); At != End; ++At) {
    const Value *Index = At.getOperand();
    if (StructType *Struct = At.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(Index)->getZExtValue();
      Offset += static_cast<int64_t>(
          Layout.getStructLayout(Struct)->getElementOffset(static_cast<unsigned>(Field)));
      continue;
    }
    TypeSize Size = At.getSequentialElementStride(Layout);
    if (Size.isScalable() || !bitsOf(Index->getType()))
      return makePure(I, mixOf(DC_MIX_INTEGER));
    int64_t Scale = static_cast<int64_t>(Size.getFixedValue());
    if (auto *C = dyn_cast<ConstantInt>(Index)) {
      Offset += C->getSExtValue() * Scale;
      continue;
    }
    uint32_t Step = use(Index);
    if (bitsOf(Index->getType()) < 64)
      Step = expression(DC_OP_SEXT, 64, {Step}, 0);
    if (Scale != 1)
      Step = expression(DC_OP_MUL, 64, {Step, constant(64, Scale)}, 0, NoWrap);
    Steps.push_back(Step);
  }
  // The last sum is the instruction itself.
  if (Offset != 0 || Steps.empty())
    Steps.push_back(constant(64, Offset));
  for (uint32_t Step : ArrayRef(Steps).drop_back())
    Address = expression(DC_OP_ADD, 64, {Address, Step}, mixOf(DC_MIX_INTEGER), NoWrap);
  makeExpression(I, DC_OP_ADD, {Address, Steps.back()});
  current(I).no_wrap = NoWrap;
  if (Offset != 0 || I.hasAllZeroIndices())
    current(I).mix = 0; // constant offsets are part of the access
}

// Whether a pointer was read from a structure that the launch passes by value.
bool Lowering::isParameterField(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Parameter =
      Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand(), 32)) : nullptr;
  return Parameter && Parameter->hasByValAttr() && neverWritten(Parameter);
}

// Where an address leads: the kind of memory, and the parameter, variable or alloca behind it where
// there is just one.
ssa_space Lowering::spaceOf(const Value *Address, const Value **Root) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/32);
  if (Root)
    *Root = Objects.size() == 1 ? Objects.front() : nullptr;
  bool First = true;
  ssa_space Space = SSA_GENERIC;
  for (const Value *Object : Objects) {
    ssa_space One = SSA_GENERIC;
    unsigned AddressSpace = Object->getType()->getPointerAddressSpace();
    auto *Parameter = dyn_cast<Argument>(Object);
    if (isa<AllocaInst>(Object) || AddressSpace == LocalSpace)
      One = SSA_PRIVATE;
    else if (AddressSpace == SharedSpace)
      One = SSA_SHARED;
    else if (AddressSpace == ConstantSpace || AddressSpace == ParameterSpace)
      One = SSA_READONLY;
    else if (auto *Variable = dyn_cast<GlobalVariable>(Object))
      One = Variable->isConstant() ? SSA_READONLY : SSA_GLOBAL;
    else if (Parameter && Parameter->hasByValAttr())
      One = neverWritten(Parameter) ? SSA_READONLY : SSA_PRIVATE;
    else if ((Parameter || isParameterField(Object)) && Out.IsKernel)
      One = SSA_GLOBAL; // no launch can pass the address of shared memory
    if (First)
      Space = One;
    else if (Space != One)
      return SSA_GENERIC;
    First = false;
  }
  return Space;
}

// Arrays whose size the launch gives all begin in the same place.
uint8_t Lowering::objectOf(const Value *Root) {
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Root);
  if (!Variable || Variable->getAddressSpace() != SharedSpace)
    return 0;
  size_t Next = SharedObjects.size() + 1;
  auto Found = SharedObjects.try_emplace(Variable->isDeclaration() ? nullptr : Variable,
                                         Next <= dcp_limit->shared_variables ? Next : 0);
  return Found.first->second;
}

// What of memory an access touches, and its name; returns the root as spaceOf does.
const Value *Lowering::access(ssa_value &V, const Value *Address) {
  const Value *Root = nullptr;
  V.space = spaceOf(Address, &Root);
  V.object = objectOf(Root);
  V.text = text(nameOf(Root));
  return Root;
}

// Whether memory of the thread's own is among what an address may lead to: then one address is
// another place for each lane.
bool Lowering::mayBePrivate(const Value *Address) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/32);
  return HasPrivate && any_of(Objects, [this](const Value *Object) {
           auto *Parameter = dyn_cast<Argument>(Object);
           if (Parameter && Parameter->hasByValAttr())
             return !neverWritten(Parameter);
           return !Parameter && !isa<Constant, LoadInst>(Object);
         });
}

bool Lowering::neverWritten(const Value *Root) const {
  return !AnyWritten && !Written.contains(Root);
}

void Lowering::findWrittenRoots() {
  auto Note = [this](const Value *Address) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/32);
    Written.insert(Objects.begin(), Objects.end());
    AnyWritten |= any_of(Objects, [](const Value *Object) {
      return isa<GEPOperator, PHINode, SelectInst>(Object); // beyond the look-up's limit
    });
  };
  for (Instruction &I : instructions(F)) {
    HasPrivate |= isa<AllocaInst>(I);
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      Note(Store->getPointerOperand());
      if (Store->getValueOperand()->getType()->isPointerTy())
        Note(Store->getValueOperand()); // whoever reads the pointer may write through it
    } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      Note(RMW->getPointerOperand());
    } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Note(Exchange->getPointerOperand());
    } else if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->mayWriteToMemory()) {
      for (const Use &U : Call->args())
        if (U->getType()->isPointerTy() && !Call->onlyReadsMemory(Call->getArgOperandNo(&U)))
          Note(U.get());
    } else if (auto *Cast = dyn_cast<PtrToIntInst>(&I)) {
      Note(Cast->getPointerOperand());
    }
  }
  for (const Argument &A : F.args())
    HasPrivate |= A.hasByValAttr() && !neverWritten(&A);
}

void Lowering::makeRead(Instruction &I, const Value *Address, bool NeverChanges) {
  uint32_t Operand = use(Address);
  ssa_value &V = current(I);
  const Value *Root = access(V, Address);
  auto Space = static_cast<ssa_space>(V.space);
  auto *Parameter = dyn_cast_or_null<Argument>(Root);
  if (Parameter && Out.IsKernel && Parameter->hasNoAliasAttr() && neverWritten(Parameter))
    NeverChanges = true;
  V.op = SSA_LOAD;
  V.space = NeverChanges                                    ? SSA_READONLY
            : Space == SSA_GENERIC && mayBePrivate(Address) ? SSA_PRIVATE
                                                            : Space;
  static const dc_mix Mix[] = {DC_MIX_GLOBAL, DC_MIX_GLOBAL, DC_MIX_SHARED, DC_MIX_GLOBAL,
                               DC_MIX_LOCAL};
  V.mix = mixOf(Mix[V.space]);
  if (Space == SSA_READONLY)
    V.mix = mixOf(DC_MIX_CONSTANT);
  setOperands(Ids.lookup(&I), {Operand});
}

void Lowering::visitLoadInst(LoadInst &I) {
  makeRead(I, I.getPointerOperand(), I.hasMetadata(LLVMContext::MD_invariant_load));
  current(I).changing = I.isVolatile() || I.isAtomic();
}

void Lowering::visitStoreInst(StoreInst &I) {
  uint32_t Operands[] = {use(I.getPointerOperand()), use(I.getValueOperand())};
  ssa_value &V = current(I);
  V.op = SSA_STORE;
  access(V, I.getPointerOperand());
  V.mix = mixOf(V.space == SSA_SHARED    ? DC_MIX_SHARED
                : V.space == SSA_PRIVATE ? DC_MIX_LOCAL
                                         : DC_MIX_GLOBAL);
  setOperands(Ids.lookup(&I), Operands);
}

void Lowering::makeAtomic(Instruction &I, const Value *Address) {
  uint32_t Operand = use(Address);
  ssa_value &V = current(I);
  V.op = SSA_ATOMIC;
  V.mix = mixOf(DC_MIX_ATOMIC);
  access(V, Address);
  setOperands(Ids.lookup(&I), {Operand});
}

bool Lowering::visitIntegerIntrinsic(IntrinsicInst &I) {
  dc_op Op;
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
    return false;
  }
  if (!bitsOf(I.getType()))
    return false;
  makeExpression(I, Op, {use(I.getArgOperand(0)), use(I.getArgOperand(1))});
  return true;
}

bool Lowering::visitMemoryIntrinsic(CallBase &I) {
  StringRef Name = I.getCalledFunction() ? I.getCalledFunction()->getName() : "";
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    uint32_t Operand = use(Copy->getRawDest());
    current(I).op = SSA_STORE;
    access(current(I), Copy->getRawDest());
    current(I).mix = mixOf(DC_MIX_GLOBAL);
    setOperands(Ids.lookup(&I), {Operand});
    return true;
  }
  if (Name.starts_with("llvm.nvvm.ldg.") || Name.starts_with("llvm.nvvm.ldu.")) {
    makeRead(I, I.getArgOperand(0), /*NeverChanges=*/true);
    return true;
  }
  if (Name.starts_with("llvm.nvvm.atomic.")) {
    makeAtomic(I, I.getArgOperand(0));
    return true;
  }
  return false;
}

void Lowering::makeIntrinsic(CallBase &I, const dcp_meaning &Meaning) {
  SmallVector<uint32_t, 3> Operands;
  if (Meaning.mask >= 0)
    Operands.push_back(use(I.getArgOperand(static_cast<unsigned>(Meaning.mask))));
  if (Meaning.op == SSA_PURE || Meaning.op == SSA_FETCH) {
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

void Lowering::visitCallBase(CallBase &I) {
  dcp_meaning Meaning;
  if (auto *Assembly = dyn_cast<InlineAsm>(I.getCalledOperand())) {
    dcp_inline_assembly(StringRef(Assembly->getAsmString()).str().c_str(), &Meaning);
    return makeIntrinsic(I, Meaning);
  }
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return makeUnknown(I, "a call through a pointer");
  if (auto *II = dyn_cast<IntrinsicInst>(&I); II && visitIntegerIntrinsic(*II))
    return;
  if (visitMemoryIntrinsic(I))
    return;
  std::string Name = Callee->getName().str();
  if (Callee->isIntrinsic() && dcp_intrinsic(Name.c_str(), &Meaning))
    return makeIntrinsic(I, Meaning);
  bool OnlyOperands = I.doesNotAccessMemory() && !I.isConvergent();
  if (Callee->isIntrinsic() && OnlyOperands) {
    bool Bits = I.getType()->isIntOrIntVectorTy();
    return makePure(I, Bits ? mixOf(DC_MIX_INTEGER) : mixOf(DC_MIX_SPECIAL));
  }
  // libdevice: mathematics, with results through pointers at most to private memory.
  if (isInDeviceLibrary(*Callee) && Callee->isDeclaration()) {
    uint8_t Arithmetic = mixOf(I.getType()->isDoubleTy() ? DC_MIX_FP64 : DC_MIX_FP32);
    makePure(I, constantPower(I) ? Arithmetic : mixOf(DC_MIX_SPECIAL));
    current(I).loops = hasLoop(I);
    if (isCounted(*Callee) && I.getType()->isFloatingPointTy())
      current(I).rest = Arithmetic;
    return;
  }
  if (OnlyOperands && Callee->isDeclaration())
    return makePure(I, mixOf(DC_MIX_CALL));
  if (Name == "malloc" || Name == "vprintf") {
    makeUnknown(I, Name == "malloc" ? "memory from malloc" : "the result of printf");
    current(I).op = SSA_SOURCE;
    current(I).level = DC_DIVERGENT;
    return;
  }
  makeUnknown(I, Callee->isDeclaration() ? "a call to '" + Name + "', which is defined elsewhere"
                                         : "a call to '" + Name + "', which is not inlined");
}

void Lowering::numberValues() {
  auto Number = [this](const Value &V, uint32_t Block) {
    ssa_value Value = {};
    Value.block = Block;
    Value.bits = static_cast<uint8_t>(bitsOf(V.getType()));
    Value.location = DC_NONE;
    Ids[&V] = static_cast<uint32_t>(Out.Values.size());
    Out.Values.push_back(Value);
  };
  for (const Argument &A : F.args()) {
    Number(A, DC_NONE);
    ssa_value &V = Out.Values.back();
    V.op = SSA_ARGUMENT;
    V.i = A.getArgNo();
    V.text = text(nameOf(&A));
  }
  for (const BasicBlock &BB : F) {
    uint32_t Block = static_cast<uint32_t>(BlockIds.size());
    BlockIds[&BB] = Block;
    for (const Instruction &I : BB)
      Number(I, Block);
  }
}

// Nothing but the way out of the kernel, maybe over blocks that are as empty.
bool justReturns(const BasicBlock &BB) {
  const BasicBlock *At = &BB;
  for (unsigned Steps = 0; At && Steps < 4; ++Steps) {
    const Instruction *End = At->getTerminator();
    bool Empty = all_of(*At, [End](const Instruction &I) {
      return &I == End || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd();
    });
    if (!Empty || isa<ReturnInst>(End))
      return Empty;
    At = At->getUniqueSuccessor();
  }
  return false;
}

void Lowering::lowerBlocks() {
  for (BasicBlock &BB : F) {
    ssa_block Block = {};
    Block.condition = Block.loop = Block.location = DC_NONE;
    Block.dominator = Block.post_dominator = DC_NONE;
    Block.first_value = static_cast<uint32_t>(Out.BlockValues.size());
    Out.Blocks.push_back(Block);
    std::vector<uint32_t> Values;
    Into = &Values;
    for (Instruction &I : BB) {
      if (I.isDebugOrPseudoInst())
        continue;
      visit(I);
      current(I).location = Places.of(I.getDebugLoc().get());
      current(I).machine = static_cast<uint16_t>(std::min(machineInstructions(I), 0xffffu));
      current(I).size = static_cast<uint8_t>(sizeForUnrolling(I));
      // Address arithmetic was added on the way; it stands before the instruction that needed it.
      for (uint32_t Id : Values)
        if (Out.Values[Id].location == DC_NONE)
          Out.Values[Id].location = current(I).location;
      Values.push_back(Ids.lookup(&I));
    }
    Out.BlockValues.insert(Out.BlockValues.end(), Values.begin(), Values.end());
    ssa_block &Done = Out.Blocks.back();
    Done.n_values = static_cast<uint32_t>(Values.size());
    Instruction *End = BB.getTerminator();
    Done.location = Places.of(End->getDebugLoc().get());
    Done.just_returns = justReturns(BB);
    Done.dead_end = isa<UnreachableInst>(End);
    if (auto *Branch = dyn_cast<BranchInst>(End); Branch && Branch->isConditional()) {
      Done.condition = use(Branch->getCondition());
    } else if (auto *Switch = dyn_cast<SwitchInst>(End)) {
      Done.condition = use(Switch->getCondition());
      Done.is_switch = 1;
    }
  }
}

void Lowering::lowerEdges() {
  DominatorTree DT(F);
  PostDominatorTree PDT(F);
  for (BasicBlock &BB : F) {
    ssa_block &Block = Out.Blocks[BlockIds.lookup(&BB)];
    Block.first_successor = static_cast<uint32_t>(Out.Edges.size());
    for (BasicBlock *Successor : successors(&BB))
      Out.Edges.push_back(BlockIds.lookup(Successor));
    Block.n_successors = static_cast<uint32_t>(Out.Edges.size()) - Block.first_successor;
    Block.first_predecessor = static_cast<uint32_t>(Out.Edges.size());
    for (BasicBlock *Predecessor : predecessors(&BB))
      Out.Edges.push_back(BlockIds.lookup(Predecessor));
    Block.n_predecessors = static_cast<uint32_t>(Out.Edges.size()) - Block.first_predecessor;
    auto *Node = PDT.getNode(&BB);
    auto *Up = Node ? Node->getIDom() : nullptr;
    if (Up && Up->getBlock())
      Block.post_dominator = BlockIds.lookup(Up->getBlock());
    Node = DT.getNode(&BB);
    if (Node && Node->getIDom())
      Block.dominator = BlockIds.lookup(Node->getIDom()->getBlock());
  }
}

// A loop whose metadata the simplification lost (it folds exits and back edges) is found by what
// stands in its header: the innermost loop statement around that, unless the loop around this one
// has it.
DILocation *Lowering::placeOfStatement(const Cycle &C, const ssa_loop &L) {
  for (Instruction &I : *C.getHeader())
    for (DILocation *At = I.getDebugLoc().get(); At; At = At->getInlinedAt()) {
      auto *S = dcp_source_enclosing_loop(&Source, pathOf(*At->getScope()).c_str(), At->getLine(),
                                          At->getColumn());
      if (!S)
        continue;
      DILocation *Place =
          DILocation::get(F.getContext(), S->line, S->column, At->getScope(), At->getInlinedAt());
      if (L.parent == DC_NONE || Out.Loops[L.parent].location != Places.of(Place))
        return Place;
    }
  return nullptr;
}

// What the id of the loop says of it, one hint of it.
void Lowering::readHint(const MDNode &Hint, ssa_loop &L) {
  auto *Name = Hint.getNumOperands() ? dyn_cast_or_null<MDString>(Hint.getOperand(0)) : nullptr;
  auto *Text = Hint.getNumOperands() > 1 ? dyn_cast_or_null<MDString>(Hint.getOperand(1)) : nullptr;
  if (!Name)
    return;
  if (Name->getString() == "llvm.loop.unroll.disable") {
    L.unroll = 1;
  } else if (Name->getString() == "llvm.loop.unroll.count" && Hint.getNumOperands() == 2) {
    if (auto *Count = mdconst::dyn_extract<ConstantInt>(Hint.getOperand(1)))
      L.unroll = static_cast<uint32_t>(Count->getZExtValue());
  } else if (Name->getString() == TripsMetadata && Text && Hint.getNumOperands() > 2) {
    L.distribution = Out.Texts[text(Text->getString())];
    L.distribution_at = "!llvm.loop";
    L.distribution_from = DC_FROM_ANNOTATED;
    auto *Given =
        Hint.getNumOperands() > 3 ? mdconst::dyn_extract<ConstantFP>(Hint.getOperand(3)) : nullptr;
    double Correlation =
        Given && Given->getType()->isDoubleTy() ? Given->getValueAPF().convertToDouble() : 0;
    L.correlation = Correlation >= 0 && Correlation <= 1 ? Correlation : 0;
  } else if (Name->getString() == IgnoreMetadata && Text) {
    L.ignored = Out.Texts[text(Text->getString())];
    L.ignored_at = "!llvm.loop";
  }
}

// The loop's own location and hints, from the metadata that clang leaves on its back edges.
void Lowering::describeLoop(const Cycle &C, ssa_loop &L) {
  MDNode *Id = nullptr;
  DebugLoc Backward;
  for (BasicBlock *Latch : predecessors(C.getHeader()))
    if (C.contains(Latch)) {
      Backward = Latch->getTerminator()->getDebugLoc();
      if (MDNode *Here = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
        Id = Here;
    }
  DILocation *Place = nullptr;
  for (unsigned K = 1; Id && K < Id->getNumOperands(); ++K) {
    Metadata *Operand = Id->getOperand(K);
    if (auto *Location = dyn_cast_or_null<DILocation>(Operand); Location && !Place)
      Place = Location;
    if (auto *Hint = dyn_cast_or_null<MDNode>(Operand))
      readHint(*Hint, L);
  }
  if (!Place)
    Place = placeOfStatement(C, L);
  for (Instruction &I : *C.getHeader())
    if (!Place && !isa<PHINode>(I))
      Place = I.getDebugLoc().get();
  if (!Place)
    Place = Backward.get();
  L.location = Places.of(Place);
  L.tests_first = 1;
  if (!Place)
    return;
  if (auto *S = dcp_source_find_loop(&Source, pathOf(*Place->getScope()).c_str(), Place->getLine(),
                                     Place->getColumn())) {
    L.tests_first = S->statement != DCP_DO && (S->has_condition || S->statement == DCP_RANGE_FOR);
    L.text = S->text;
    L.body_line = S->body_line;
    L.body_column = S->body_column;
    if (S->distribution && !L.distribution) {
      L.distribution = S->distribution;
      L.distribution_at = S->distribution_at;
      L.distribution_from = DC_FROM_ANNOTATED;
      L.correlation = S->correlation;
    }
    if (S->ignored && !L.ignored) {
      L.ignored = S->ignored;
      L.ignored_at = S->ignored_at;
    }
  }
}

void Lowering::lowerLoop(const Cycle &C, uint32_t Parent) {
  ssa_loop L = {};
  L.header = BlockIds.lookup(C.getHeader());
  L.parent = Parent;
  L.depth = C.getDepth();
  L.location = DC_NONE;
  L.irreducible = !C.isReducible();
  L.first_block = static_cast<uint32_t>(Out.LoopBlocks.size());
  uint32_t Index = static_cast<uint32_t>(Out.Loops.size());
  for (BasicBlock *BB : C.blocks()) {
    Out.LoopBlocks.push_back(BlockIds.lookup(BB));
    Out.Blocks[BlockIds.lookup(BB)].loop = Index; // inner loops come later and overwrite
  }
  L.n_blocks = static_cast<uint32_t>(Out.LoopBlocks.size()) - L.first_block;
  describeLoop(C, L);
  Out.Loops.push_back(L);
  for (const Cycle *Child : C.children())
    lowerLoop(*Child, Index);
}

void Lowering::lowerLoops() {
  CycleInfo CI;
  CI.compute(F);
  for (const Cycle *C : CI.toplevel_cycles())
    lowerLoop(*C, DC_NONE);
}

void Lowering::run() {
  findWrittenRoots();
  numberValues();
  lowerBlocks();
  lowerEdges();
  lowerLoops();
  Out.InOrder.resize(Out.Blocks.size());
  ssa_function View = Out.view();
  if (!ssa_order_blocks(&View))
    View.n_in_order = 0; // the analysis will run out of memory too, and say so
  Out.InOrder.resize(View.n_in_order);
}

} // namespace

void lower(Function &F, const dcp_source &Source, Locations &Places, Lowered &Out) {
  Lowering(F, Source, Places, Out).run();
}

} // namespace divcost
