// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address computations become sums and products. Loads learn here whether the memory behind them
// can change while the kernel runs: constant memory, ld.global.nc, and noalias parameters that the
// kernel never writes through can't.
#include "ir/lower_internal.h"

#include "analysis/limits.h"
#include "ir/address_spaces.h"
#include "ir/slow_paths.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace divcost {

// ---- facts -------------------------------------------------------------------------------------

bool MemoryFacts::isParameterField(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Parameter =
      Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand(), 32)) : nullptr;
  return Parameter && Parameter->hasByValAttr() && neverWritten(Parameter);
}

ssa_space MemoryFacts::spaceOf(const Value *Address, const Value **Root) const {
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
    else if ((Parameter || isParameterField(Object)) && IsKernel)
      One = SSA_GLOBAL; // no launch can pass the address of shared memory
    if (First)
      Space = One;
    else if (Space != One)
      return SSA_GENERIC;
    First = false;
  }
  return Space;
}

uint8_t MemoryFacts::objectOf(const Value *Root) {
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Root);
  if (!Variable || Variable->getAddressSpace() != SharedSpace)
    return 0;
  size_t Next = SharedObjects.size() + 1;
  auto Found = SharedObjects.try_emplace(Variable->isDeclaration() ? nullptr : Variable,
                                         Next <= dcp_limit->shared_variables ? Next : 0);
  return Found.first->second;
}

bool MemoryFacts::mayBePrivate(const Value *Address) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/32);
  return HasPrivate && any_of(Objects, [this](const Value *Object) {
           auto *Parameter = dyn_cast<Argument>(Object);
           if (Parameter && Parameter->hasByValAttr())
             return !neverWritten(Parameter);
           return !Parameter && !isa<Constant, LoadInst>(Object);
         });
}

bool MemoryFacts::neverWritten(const Value *Root) const {
  return !AnyWritten && !Written.contains(Root);
}

MemoryFacts::MemoryFacts(const Function &F, bool IsKernel) : IsKernel(IsKernel) {
  auto Note = [this](const Value *Address) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/32);
    Written.insert(Objects.begin(), Objects.end());
    AnyWritten |= any_of(Objects, [](const Value *Object) {
      return isa<GEPOperator, PHINode, SelectInst>(Object); // beyond the look-up's limit
    });
  };
  for (const Instruction &I : instructions(F)) {
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

// Whether it is known of each access which fields it is to.
static bool isAccessedByField(const Value &Address) {
  return all_of(Address.users(), [&Address](const User *U) {
    if (auto *Field = dyn_cast<GetElementPtrInst>(U))
      return Field->hasAllConstantIndices() && isAccessedByField(*Field);
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getValueOperand() != &Address;
    return isa<LoadInst, AnyMemIntrinsic>(U);
  });
}

bool copyWrittenParameters(Function &Kernel) {
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  MemoryFacts Memory(Kernel, /*IsKernel=*/true);
  bool Changed = false;
  for (Argument &Parameter : Kernel.args()) {
    if (!Parameter.hasByValAttr() || Memory.neverWritten(&Parameter) ||
        !isAccessedByField(Parameter))
      continue;
    Type *Structure = Parameter.getParamByValType();
    Align Alignment =
        std::max(Parameter.getParamAlign().valueOrOne(), Layout.getABITypeAlign(Structure));
    IRBuilder<> Builder(&*Kernel.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Copy = Builder.CreateAlloca(Structure, Layout.getAllocaAddrSpace());
    Copy->setAlignment(Alignment);
    Value *Own = Builder.CreateAddrSpaceCast(Copy, Parameter.getType());
    Parameter.replaceAllUsesWith(Own);
    Builder.CreateMemCpy(Own, Alignment, &Parameter, Parameter.getParamAlign(),
                         Layout.getTypeAllocSize(Structure).getFixedValue());
    Changed = true;
  }
  return Changed;
}

// ---- instructions ------------------------------------------------------------------------------

// Whether a function that is called may have an address, or what is made of it.
static bool isPassedOn(const Value &Address, SmallPtrSetImpl<const Value *> &Seen) {
  return Seen.insert(&Address).second && any_of(Address.users(), [&Seen](const User *U) {
           if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(U))
             return isPassedOn(*U, Seen);
           return isa<CallBase>(U) && !isa<IntrinsicInst>(U);
         });
}

// Where memory of a size that is not fixed lies depends on what the thread took before.
void Lowering::visitAllocaInst(AllocaInst &I) {
  SmallPtrSet<const Value *, 16> Seen;
  ssa_value &V = current(I);
  V.i = isPassedOn(I, Seen);
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

// What of memory an access touches, and its name; returns the root as spaceOf does.
const Value *Lowering::access(ssa_value &V, const Value *Address) {
  const Value *Root = nullptr;
  V.space = Memory.spaceOf(Address, &Root);
  V.object = Memory.objectOf(Root);
  V.text = text(nameOf(Root));
  return Root;
}

// Which memory lanes share at an address, as far as its object tells. None: they share none, or
// what is read there comes with the launch.
static std::optional<dc_space> sharedSpace(ssa_space Space, const Value *Root) {
  if (Space == SSA_SHARED)
    return DC_SPACE_SHARED;
  if (Space == SSA_PRIVATE || (Root && isa<Argument>(Root) && cast<Argument>(Root)->hasByValAttr()))
    return std::nullopt;
  unsigned AddressSpace = Root ? Root->getType()->getPointerAddressSpace() : 0;
  if (AddressSpace == ConstantSpace)
    return DC_SPACE_CONSTANT;
  if (AddressSpace == ParameterSpace)
    return std::nullopt;
  return Space == SSA_GENERIC ? DC_SPACE_GENERIC : DC_SPACE_GLOBAL;
}

// Where variables begin, as they are declared; one whose size the launch gives, at the least that
// any has.
static uint32_t alignmentOf(const GlobalVariable &Variable, const DataLayout &Layout) {
  constexpr uint32_t OfLaunched = 16;
  uint64_t Declared =
      Layout.getValueOrABITypeAlignment(Variable.getAlign(), Variable.getValueType()).value();
  bool Launched = Variable.isDeclaration() && Variable.getAddressSpace() == SharedSpace;
  return std::max(static_cast<uint32_t>(Declared), Launched ? OfLaunched : 1);
}

bool Lowering::isDisplaced(const Value *Root) const {
  auto *Parameter = dyn_cast<Argument>(Root);
  return Parameter && KernelSource && Parameter->getArgNo() < KernelSource->n_parameters &&
         KernelSource->parameters[Parameter->getArgNo()].displaced;
}

void Lowering::noteAccess(const Instruction &I, const Value *Address, Type *Accessed,
                          Align Alignment) {
  const Value *Root = nullptr;
  ssa_space Kind = Memory.spaceOf(Address, &Root);
  std::optional<dc_space> Space = sharedSpace(Kind, Root);
  uint64_t Bytes = Accessed->isSized() ? Layout.getTypeStoreSize(Accessed) : 0;
  if (!Space || Bytes == 0 || Bytes > 16 || !isPowerOf2_64(Bytes))
    return;
  ssa_access Access = {};
  Access.value = Ids.lookup(&I);
  Access.root = DC_NONE;
  Access.space = static_cast<uint8_t>(*Space);
  Access.bytes = static_cast<uint8_t>(Bytes);
  Access.aligned = static_cast<uint8_t>(std::min<uint64_t>(Alignment.value(), 16));
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Root);
  bool Launched = Out.IsKernel && Root && (isa<Argument>(Root) || Memory.isParameterField(Root));
  if (Variable || Launched)
    Access.root = use(Root);
  if (Variable)
    Access.alignment = alignmentOf(*Variable, Layout);
  else if (Launched && isDisplaced(Root)) // by elements
    Access.alignment = static_cast<uint32_t>(std::min<uint64_t>(Alignment.value(), Bytes));
  Out.Accesses.push_back(Access);
}

void Lowering::makeRead(Instruction &I, const Value *Address, bool NeverChanges) {
  uint32_t Operand = use(Address);
  ssa_value &V = current(I);
  const Value *Root = access(V, Address);
  auto Space = static_cast<ssa_space>(V.space);
  auto *Parameter = dyn_cast_or_null<Argument>(Root);
  if (Parameter && Out.IsKernel && Parameter->hasNoAliasAttr() && Memory.neverWritten(Parameter))
    NeverChanges = true;
  V.op = SSA_LOAD;
  V.space = NeverChanges                                           ? SSA_READONLY
            : Space == SSA_GENERIC && Memory.mayBePrivate(Address) ? SSA_PRIVATE
                                                                   : Space;
  static const dc_mix Mix[] = {DC_MIX_GLOBAL, DC_MIX_GLOBAL, DC_MIX_SHARED, DC_MIX_GLOBAL,
                               DC_MIX_LOCAL};
  V.mix = mixOf(Mix[V.space]);
  if (Space == SSA_READONLY)
    V.mix = mixOf(DC_MIX_CONSTANT);
  setOperands(Ids.lookup(&I), {Operand});
  auto *Load = dyn_cast<LoadInst>(&I);
  noteAccess(I, Address, I.getType(), Load ? Load->getAlign() : Align(1));
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
  noteAccess(I, I.getPointerOperand(), I.getValueOperand()->getType(), I.getAlign());
}

// Whether memory is after it as before: atomicAdd(&flag, 0), atomicCAS(&flag, 1, 1).
static bool onlyReads(const Instruction &I) {
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getCompareOperand() == Exchange->getNewValOperand();
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  auto *By = Update ? dyn_cast<ConstantInt>(Update->getValOperand()) : nullptr;
  if (!By)
    return false;
  switch (Update->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return By->isZero();
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return By->isMinusOne();
  default:
    return false;
  }
}

void Lowering::makeAtomic(Instruction &I, const Value *Address, Type *Accessed) {
  uint32_t Operand = use(Address);
  ssa_value &V = current(I);
  V.op = SSA_ATOMIC;
  V.i = onlyReads(I);
  V.mix = mixOf(DC_MIX_ATOMIC);
  access(V, Address);
  V.retries = isRetried(I);
  setOperands(Ids.lookup(&I), {Operand});
  noteAccess(I, Address, Accessed, Align(1));
}

bool Lowering::makeMemoryIntrinsic(CallBase &I) {
  StringRef Name = I.getCalledFunction() ? I.getCalledFunction()->getName() : "";
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    uint32_t Operand = use(Copy->getRawDest());
    auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    current(I).op = SSA_STORE;
    current(I).i = Length ? static_cast<int64_t>(Length->getLimitedValue(INT32_MAX)) : INT32_MAX;
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
    makeAtomic(I, I.getArgOperand(0), I.getArgOperand(I.arg_size() - 1)->getType());
    return true;
  }
  return false;
}

} // namespace divcost
