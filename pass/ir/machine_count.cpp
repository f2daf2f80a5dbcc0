// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of single operations are the architecture's (cost-models/data/*.machine.json). What is
// folded was seen in machine code of sm_90: a product into the sum that alone uses it
// (IMAD, FFMA), of three summands or three bitwise operands two operations into one (IADD3, LOP3),
// a sign and a widening of an index into the address (IMAD.WIDE), constant offsets into loads and
// stores, wherever in an index they are added, two halves into a pair of registers, negation and
// absolute value into what uses them.
#include "ir/machine_count.h"

#include "ir/address_spaces.h"
#include "ir/device_library.h"
#include "ir/module_facts.h"
#include "ir/slow_paths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace {

constexpr unsigned WidestAccess = 16;
// Instructions of an atomic addition of a constant to one place, whose result is used or not: what
// ptxas of CUDA 13.0 makes of bench/kernels/work_queue.cu; and of that, what has to do with the
// sum. The same of 64 bits.
constexpr unsigned FromOnePlace = 11, ToOnePlace = 7, FromOnePlaceWide = 20, ToOnePlaceWide = 13;
constexpr unsigned UnknownFunction = 20; // of libdevice, not in the table: about the median of it

unsigned lookUp(const dc_machine_code &Code, StringRef Name, unsigned Otherwise) {
  return dc_machine_code_count(&Code, Name.str().c_str(), Otherwise);
}

unsigned bitsOf(const Value &V) {
  const Type *T = V.getType()->getScalarType();
  return T->isPointerTy() ? 64 : T->isIntegerTy() ? T->getIntegerBitWidth() : 32;
}

// Registers of 32 bits that a value takes.
unsigned words(const Value &V) { return bitsOf(V) > 32 ? 2 : 1; }

unsigned lanesOf(const Value &V) {
  auto *Vector = dyn_cast<FixedVectorType>(V.getType());
  return Vector ? Vector->getNumElements() : 1;
}

const Instruction *onlyUser(const Instruction &I) {
  return I.hasOneUse() ? dyn_cast<Instruction>(*I.user_begin()) : nullptr;
}

bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::Add || I.getOpcode() == Instruction::Sub;
}

bool isBitwise(const Instruction &I) { return I.isBitwiseLogicOp() && bitsOf(I) > 1; }

// Whether I is the first of two operations of a kind that are one instruction. Of a chain, every
// other one is.
bool joinsUser(const Instruction &I, bool (*Kind)(const Instruction &)) {
  constexpr unsigned ChainMax = 8;
  unsigned Length = 0;
  for (const Instruction *At = &I; Length < ChainMax; ++Length) {
    const Instruction *User = onlyUser(*At);
    if (!User || !Kind(*User) || User->getParent() != I.getParent())
      break;
    At = User;
  }
  return Length % 2 == 1;
}

bool onlyAddresses(const Instruction &I) {
  return all_of(I.users(), [&I](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    return isa<GetElementPtrInst>(U) || isa<LoadInst>(U) ||
           (Store && Store->getPointerOperand() == &I);
  });
}

// Whether ptxas takes a sum for one that doesn't wrap before it is widened as Index is: signed ones
// even where the IR doesn't tell.
bool fits(const BinaryOperator &Sum, const Value &Index) {
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(&Sum))
    return Or->isDisjoint();
  if (Sum.getOpcode() != Instruction::Add)
    return false;
  return !isa<ZExtInst>(Index) || Sum.hasNoUnsignedWrap();
}

const Value *narrowOf(const Value *Index) {
  bool Widened = isa<SExtInst>(Index) || isa<ZExtInst>(Index);
  return Widened ? cast<CastInst>(Index)->getOperand(0) : Index;
}

// A constant that is added to an index goes into the access.
const Value *withoutOffset(const Value *Index) {
  const Value *Narrow = narrowOf(Index);
  auto *Sum = dyn_cast<BinaryOperator>(Narrow);
  return Sum && isa<ConstantInt>(Sum->getOperand(1)) && fits(*Sum, *Index) ? Sum->getOperand(0)
                                                                           : Narrow;
}

using Summands = SmallVector<const Value *, 4>;

// Those of an index but for constants, wherever these are added.
Summands summandsOf(const Value &Index) {
  constexpr unsigned Most = 8;
  SmallVector<const Value *, 4> Open = {narrowOf(&Index)};
  Summands Found;
  while (!Open.empty()) {
    const Value *V = Open.pop_back_val();
    auto *Sum = dyn_cast<BinaryOperator>(V);
    if (Sum && fits(*Sum, Index) && Found.size() + Open.size() < Most)
      Open.append({Sum->getOperand(0), Sum->getOperand(1)});
    else if (!isa<ConstantInt>(V))
      Found.push_back(V);
  }
  sort(Found); // for equality alone
  return Found;
}

bool goesIntoAccesses(const Instruction &Sum) {
  return all_of(Sum.users(), [&Sum](const User *U) {
    bool Widens = isa<SExtInst>(U) || isa<ZExtInst>(U);
    const Value *Index = Widens ? static_cast<const Value *>(U) : &Sum;
    if (withoutOffset(Index) == &Sum)
      return false;
    return Widens ? onlyAddresses(*cast<Instruction>(U)) : isa<GetElementPtrInst>(U);
  });
}

// Whether an address was computed before in its block but for a constant.
bool isNearAnother(const GetElementPtrInst &I) {
  constexpr unsigned Nearby = 64;
  unsigned Steps = 0;
  if (I.getNumIndices() != 1)
    return false;
  Summands Own = summandsOf(*I.getOperand(1));
  for (const Instruction *At = I.getPrevNode(); At && Steps < Nearby;
       At = At->getPrevNode(), ++Steps) {
    auto *Other = dyn_cast<GetElementPtrInst>(At);
    if (Other && Other->getNumIndices() == 1 && Other->getOperand(0) == I.getOperand(0) &&
        Other->getSourceElementType() == I.getSourceElementType() &&
        summandsOf(*Other->getOperand(1)) == Own)
      return true;
  }
  return false;
}

// Whether a sum is part of the index of such an address alone.
bool isPartOfNearIndex(const Instruction &Sum) {
  constexpr unsigned Most = 4;
  const Instruction *At = &Sum;
  for (unsigned Steps = 0; Steps < Most && At; ++Steps) {
    const Instruction *User = onlyUser(*At);
    if (auto *Address = dyn_cast_or_null<GetElementPtrInst>(User))
      return Address->getPointerOperand() != At && onlyAddresses(*Address) &&
             isNearAnother(*Address);
    bool Goes = User && (isa<SExtInst>(User) || isa<ZExtInst>(User) ||
                         User->getOpcode() == Instruction::Add);
    At = Goes ? User : nullptr;
  }
  return false;
}

// Whether an index that is one word takes one instruction: what widened it in another block isn't
// seen where it is scaled, for LLVM selects instructions block by block.
bool isWidenedHere(const Value &Index, const BasicBlock &Block) {
  if (bitsOf(Index) <= 32)
    return true;
  bool Widened = isa<SExtInst>(Index) || isa<ZExtInst>(Index);
  return Widened && cast<Instruction>(Index).getParent() == &Block;
}

unsigned ofAddress(const GetElementPtrInst &I) {
  if (I.hasAllConstantIndices())
    return I.hasOneUse() || onlyAddresses(I) ? 0 : 2;
  if (onlyAddresses(I) && isNearAnother(I))
    return 0;
  unsigned Count = 0;
  for (const Value *Index : I.indices()) {
    if (isa<Constant>(Index))
      continue;
    bool Short = I.getPointerAddressSpace() == divcost::SharedSpace;
    Count += Short || isWidenedHere(*Index, *I.getParent()) ? 1 : 2;
  }
  return Count;
}

std::string nameOfDivision(const Instruction &I) {
  bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  bool Rest = I.getOpcode() == Instruction::SRem || I.getOpcode() == Instruction::URem;
  std::string Name = Rest ? "rem " : "div ";
  if (isa<Constant>(I.getOperand(1)))
    Name += "by 7 ";
  return Name + (Signed ? "i" : "u") + (words(I) > 1 ? "64" : "32");
}

unsigned ofDivision(const dc_machine_code &Code, const Instruction &I) {
  return lookUp(Code, nameOfDivision(I), UnknownFunction);
}

// Whether 32 bits say all of a factor.
bool isNarrowFactor(const Value &V) {
  if (auto *Number = dyn_cast<ConstantInt>(&V))
    return Number->getValue().isIntN(32) || Number->getValue().isSignedIntN(32);
  return (isa<ZExtInst>(V) || isa<SExtInst>(V)) && bitsOf(*cast<CastInst>(V).getOperand(0)) <= 32;
}

// IMAD.WIDE: the whole product of two words; a sum of two words goes into it.
bool isWideProduct(const Instruction &I) {
  if (I.getOpcode() != Instruction::Mul || words(I) == 1)
    return false;
  const Value &A = *I.getOperand(0), &B = *I.getOperand(1);
  bool Mixed = (isa<ZExtInst>(A) && isa<SExtInst>(B)) || (isa<SExtInst>(A) && isa<ZExtInst>(B));
  return isNarrowFactor(A) && isNarrowFactor(B) && !Mixed;
}

// The product that a sum takes in: one of two.
const Instruction *wideProductIn(const Instruction &Sum) {
  for (const Use &U : Sum.operands()) {
    auto *Product = dyn_cast<Instruction>(U.get());
    if (Sum.getOpcode() == Instruction::Add && Product && Product->hasOneUse() &&
        isWideProduct(*Product))
      return Product;
  }
  return nullptr;
}

// Whether one of two words becomes the other one: the upper one by LShr, the lower one by Shl.
bool shiftsByAWord(const Value &V, unsigned Opcode) {
  auto *Shift = dyn_cast<BinaryOperator>(&V);
  auto *By = Shift && Shift->getOpcode() == Opcode && bitsOf(V) == 64
                 ? dyn_cast<ConstantInt>(Shift->getOperand(1))
                 : nullptr;
  return By && By->getZExtValue() == 32;
}

bool isHighWord(const Value &V) { return shiftsByAWord(V, Instruction::LShr); }

bool isShiftedWord(const Value &V) { return shiftsByAWord(V, Instruction::Shl); }

bool isLowWord(const Value &V) {
  auto *Widened = dyn_cast<ZExtInst>(&V);
  return Widened && bitsOf(V) == 64 && bitsOf(*Widened->getOperand(0)) == 32;
}

// A pair of registers made of two: what is shuffled as two halves, say.
bool isPair(const Instruction &I) {
  if (I.getOpcode() != Instruction::Or)
    return false;
  const Value &A = *I.getOperand(0), &B = *I.getOperand(1);
  return (isShiftedWord(A) && isLowWord(B)) || (isLowWord(A) && isShiftedWord(B));
}

// A word that becomes half of a pair, the upper one perhaps by a shift that is the next to use it.
bool isHalfOfPair(const Instruction &I) {
  const Instruction *Half = &I;
  if (!isLowWord(I) && !isShiftedWord(I))
    return false;
  if (isLowWord(I) && onlyUser(I) && isShiftedWord(*onlyUser(I)))
    Half = onlyUser(I);
  return all_of(Half->users(), [](const User *U) { return isPair(*cast<Instruction>(U)); });
}

bool goesIntoSums(const Instruction &I) {
  return all_of(I.users(),
                [](const User *U) { return isa<GEPOperator>(U) || isSum(*cast<Instruction>(U)); });
}

unsigned ofInteger(const dc_machine_code &Code, const Instruction &I) {
  const Instruction *User = onlyUser(I);
  unsigned Words = words(I);
  if (bitsOf(I) == 1) // predicates are combined where they are made
    return any_of(I.operands(), [](const Use &U) { return isa<CmpInst>(U.get()); }) ? 0 : 1;
  if (isPair(I) || isHalfOfPair(I))
    return 0;
  switch (I.getOpcode()) {
  case Instruction::Add:
    if (goesIntoAccesses(I) || isPartOfNearIndex(I))
      return 0;
    if (wideProductIn(I))
      return 1;
    return joinsUser(I, isSum) ? 0 : Words;
  case Instruction::Sub:
    return joinsUser(I, isSum) ? 0 : Words;
  case Instruction::Mul:
    if (isWideProduct(I))
      return User && wideProductIn(*User) == &I ? 0 : 1;
    if (Words > 1)
      return lookUp(Code, "mul i64", 4);
    return User && isSum(*User) ? 0 : 1;
  case Instruction::Shl: // LEA, or part of an address
    return isa<ConstantInt>(I.getOperand(1)) && goesIntoSums(I) ? 0 : Words;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (User && isa<ICmpInst>(User) && Words == 1 && isa<Constant>(User->getOperand(1)))
      return 0; // LOP3 sets the predicate
    if (goesIntoAccesses(I))
      return 0;
    return joinsUser(I, isBitwise) ? 0 : Words;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return ofDivision(Code, I);
  default:
    return isHighWord(I) ? 0 : Words;
  }
}

unsigned ofReciprocal(const dc_machine_code &Code, bool Double) {
  return Double ? lookUp(Code, "reciprocal f64", 1) : lookUp(Code, "reciprocal f32", 1);
}

std::string nameOfFloatDivision(const Instruction &I) {
  bool Double = I.getType()->getScalarType()->isDoubleTy();
  if (I.getOpcode() == Instruction::FRem)
    return Double ? "fmod" : "fmodf";
  auto *One = dyn_cast<ConstantFP>(I.getOperand(0));
  bool Reciprocal = One && One->isExactlyValue(1);
  return std::string(Reciprocal ? "reciprocal " : "div ") + (Double ? "f64" : "f32");
}

unsigned ofFloat(const dc_machine_code &Code, const Instruction &I) {
  const Instruction *User = onlyUser(I);
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return User && I.hasAllowContract() && User->hasAllowContract() &&
                   (User->getOpcode() == Instruction::FAdd ||
                    User->getOpcode() == Instruction::FSub)
               ? 0
               : 1;
  case Instruction::FDiv:
  case Instruction::FRem:
    return lookUp(Code, nameOfFloatDivision(I), UnknownFunction);
  case Instruction::FNeg:
    return 0;
  default:
    return 1;
  }
}

unsigned ofCast(const CastInst &I) {
  const Value &From = *I.getOperand(0);
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return 0;
  case Instruction::ZExt:
  case Instruction::SExt:
    if ((bitsOf(From) > 1 && isa<LoadInst>(From)) || isHalfOfPair(I))
      return 0;
    if (all_of(I.users(), [](const User *U) { return isWideProduct(*cast<Instruction>(U)); }))
      return 0;
    return bitsOf(From) > 1 && onlyAddresses(I) ? 0 : 1;
  default:
    return 1;
  }
}

unsigned ofAccess(const Instruction &I, const Type *T) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  uint64_t Bytes =
      T->isSized() ? Layout.getTypeStoreSize(const_cast<Type *>(T)).getFixedValue() : 0;
  return static_cast<unsigned>(std::max<uint64_t>(1, (Bytes + WidestAccess - 1) / WidestAccess));
}

// Whether all lanes add to one place, as the code shows: in the memory that a parameter, or a
// variable, begins with.
bool isOnePlace(const Value &Address) {
  const DataLayout *Layout = nullptr;
  if (auto *I = dyn_cast<Instruction>(&Address))
    Layout = &I->getModule()->getDataLayout();
  APInt Offset(64, 0);
  const Value *Base = Address.stripPointerCasts();
  if (Layout && Base->getType()->isPointerTy()) {
    Offset = APInt(Layout->getIndexTypeSizeInBits(Base->getType()), 0);
    Base = Base->stripAndAccumulateConstantOffsets(*Layout, Offset, true);
  }
  return isa<Argument>(Base) || isa<GlobalVariable>(Base);
}

unsigned ofAtomic(const dc_machine_code &Code, const Value &Address, const char *Name) {
  bool Shared =
      Address.stripPointerCasts()->getType()->getPointerAddressSpace() == divcost::SharedSpace;
  std::string Key = std::string("atomic ") + Name + (Shared ? " shared" : " global");
  return lookUp(Code, Key, 1);
}

// ptxas adds up in the warp what goes to one place in global memory. Of a constant, it multiplies
// by the lanes that are there, and each lane's result is that of one plus the lanes before it. What
// isn't constant and has 64 bits it doesn't.
unsigned ofAdd(const dc_machine_code &Code, const AtomicRMWInst &I) {
  bool Adds = I.getOperation() == AtomicRMWInst::Add || I.getOperation() == AtomicRMWInst::Sub,
       Wide = bitsOf(I) > 32, Constant = isa<llvm::Constant>(I.getValOperand());
  const Value &Address = *I.getPointerOperand();
  if (!Adds || !isOnePlace(Address) || (Wide && !Constant) ||
      Address.stripPointerCasts()->getType()->getPointerAddressSpace() == divcost::SharedSpace)
    return ofAtomic(Code, Address, "add");
  if (Wide)
    return I.use_empty() ? ToOnePlaceWide : FromOnePlaceWide;
  if (I.use_empty())
    return Constant ? ToOnePlace : lookUp(Code, "atomic add global, one place, unused", ToOnePlace);
  return Constant ? FromOnePlace : lookUp(Code, "atomic add global, one place", FromOnePlace);
}

// What __fdiv_rn, __drcp_rn, sqrt and their kin have become, as the counts call it; or nothing.
std::string nameOfRounded(const CallBase &I) {
  const Function *Callee = I.getCalledFunction();
  StringRef Name = Callee && Callee->isIntrinsic() ? Callee->getName() : "";
  bool Double = I.getType()->getScalarType()->isDoubleTy();
  if (!Name.consume_front("llvm.") || Name.contains(".approx.f") || Name.contains(".approx.ftz"))
    return "";
  Name.consume_front("nvvm.");
  const char *Type = Double ? "f64" : "f32";
  if (Name.starts_with("div.r"))
    return std::string("div ") + Type;
  if (Name.starts_with("rcp.r"))
    return std::string("reciprocal ") + Type;
  if (Name.starts_with("sqrt.") || Name.starts_with("rsqrt."))
    return (Name.starts_with("r") ? "rsqrt" : "sqrt") + std::string(Double ? "" : "f");
  return "";
}

unsigned ofIntrinsic(const dc_machine_code &Code, const IntrinsicInst &I) {
  if (std::string Rounded = nameOfRounded(I); !Rounded.empty())
    return lookUp(Code, Rounded, UnknownFunction);
  const Type *T = I.getType()->getScalarType();
  std::string Name = Intrinsic::getBaseName(I.getIntrinsicID()).str();
  switch (I.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::fabs:
  case Intrinsic::ssa_copy: // a mark of ours
    return 0;
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return words(I) > 1 ? lookUp(Code, "min i64", 4) : 1;
  case Intrinsic::ctlz:
    return lookUp(Code, "clz i32", 2);
  case Intrinsic::cttz:
    return lookUp(Code, "ffs i32", 3);
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
    Name = StringRef(Name).rsplit('.').second.str() + (T->isFloatTy() ? "f" : "");
    return lookUp(Code, Name, UnknownFunction);
  default:
    break;
  }
  StringRef Called = I.getCalledFunction()->getName();
  if (Called.contains("sqrt"))
    return lookUp(
        Code,
        std::string(Called.contains("rsqrt") ? "rsqrt" : "sqrt") + (T->isDoubleTy() ? "" : "f"), 1);
  if (Called.starts_with("llvm.nvvm.vote"))
    return lookUp(Code, "ballot i32", 2);
  return words(I);
}

// Of x to the n, a constant: LLVM unrolls the loop that squares x for each bit of n. The first
// product, with 1, is left where it rounds (float).
unsigned ofPower(const dc_machine_code &Code, bool Double, const APInt &N) {
  if (N.isZero())
    return 0;
  APInt Bits = N.abs();
  return Bits.logBase2() + Bits.popcount() - Double +
         (N.isNegative() ? ofReciprocal(Code, Double) : 0);
}

unsigned ofLibraryCall(const dc_machine_code &Code, const CallBase &I, const Function &Callee) {
  if (const APInt *Power = divcost::constantPower(I))
    return ofPower(Code, I.getType()->isDoubleTy(), *Power);
  return lookUp(Code, divcost::nameInLibrary(Callee), UnknownFunction);
}

unsigned ofCall(const dc_machine_code &Code, const CallBase &I) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return ofIntrinsic(Code, *Intrinsic);
  const Function *Callee = I.getCalledFunction();
  if (Callee && divcost::isInDeviceLibrary(*Callee))
    return ofLibraryCall(Code, I, *Callee);
  return I.isInlineAsm() ? 1 : 1 + I.arg_size();
}

// Constants that phis take from the end of a block: each is moved into a register there.
unsigned ofMoves(const BasicBlock &BB) {
  unsigned Count = 0;
  for (const BasicBlock *Next : successors(&BB))
    for (const PHINode &Phi : Next->phis()) {
      const Value *From = Phi.getIncomingValueForBlock(&BB);
      Count += isa<Constant>(From) && !isa<UndefValue>(From);
    }
  return Count;
}

// What reads the stack's address and the descriptor that memory is accessed by.
constexpr unsigned Beginning = 2;

// "f32 to i32"; unsigned ones are as signed ones.
std::string nameOfConversion(const CastInst &I) {
  auto NameOf = [](const Type &T) {
    return std::string(T.isFloatingPointTy() ? "f" : "i") +
           (T.getPrimitiveSizeInBits() > 32 ? "64" : "32");
  };
  return NameOf(*I.getSrcTy()) + " to " + NameOf(*I.getDestTy());
}

// What an operation is called that has a row of its own in the counts, as far as pipes matter.
std::string nameOfOperation(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return nameOfDivision(I);
  case Instruction::FDiv:
  case Instruction::FRem:
    return nameOfFloatDivision(I);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return nameOfConversion(cast<CastInst>(I));
  case Instruction::Call: {
    const Function *Callee = cast<CallInst>(I).getCalledFunction();
    bool Library = Callee && divcost::isInDeviceLibrary(*Callee) && Callee->isDeclaration();
    if (std::string Rounded = nameOfRounded(cast<CallBase>(I)); !Rounded.empty())
      return Rounded;
    return Library && !divcost::constantPower(cast<CallInst>(I)) ? divcost::nameInLibrary(*Callee)
                                                                 : "";
  }
  default:
    return "";
  }
}

unsigned ofTerminator(const Instruction &I) {
  if (auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->isConditional();
  if (auto *Switch = dyn_cast<SwitchInst>(&I)) // a comparison and a branch for each
    return 2 * Switch->getNumCases();
  return isa<ReturnInst>(I);
}

} // namespace

unsigned divcost::machineInstructions(const Instruction &I, const dc_machine_code &Code) {
  if (I.isTerminator()) {
    const BasicBlock &BB = *I.getParent();
    bool Kernel = divcost::isKernel(*BB.getParent());
    return ofTerminator(I) + ofMoves(BB) + (Kernel && BB.isEntryBlock() ? Beginning : 0);
  }
  if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return ofAddress(*Address);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return lanesOf(I) * ofCast(*Cast);
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return words(*Compare->getOperand(0));
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ofCall(Code, *Call);
  if (isa<BinaryOperator>(I) || isa<UnaryOperator>(I))
    return lanesOf(I) * (I.getType()->isFPOrFPVectorTy() ? ofFloat(Code, I) : ofInteger(Code, I));
  switch (I.getOpcode()) {
  case Instruction::Load:
    return ofAccess(I, I.getType());
  case Instruction::Store:
    return ofAccess(I, cast<StoreInst>(I).getValueOperand()->getType());
  case Instruction::AtomicRMW:
    return ofAdd(Code, cast<AtomicRMWInst>(I));
  case Instruction::AtomicCmpXchg:
    return ofAtomic(Code, *cast<AtomicCmpXchgInst>(I).getPointerOperand(), "cas");
  case Instruction::FCmp:
  case Instruction::Fence:
    return 1;
  case Instruction::Select:
    return lanesOf(I) * words(I);
  default: // phis, freezes, parts of structures and vectors: registers
    return 0;
  }
}

const dc_operation_count *divcost::operationOf(const Instruction &I, const dc_machine_code &Code) {
  std::string Name = I.getType()->isVectorTy() ? "" : nameOfOperation(I);
  return Name.empty() ? nullptr : dc_machine_code_operation(&Code, Name.c_str());
}

// Functions that no row tells of may have anything.
uint16_t divcost::slowInstructions(const Instruction &I, const dc_machine_code &Code) {
  constexpr uint16_t Anything = 0xffff;
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const dc_operation_count *Of = operationOf(I, Code);
  if (I.getOpcode() == Instruction::FDiv && !hasSlowPath(I))
    return 0;
  bool Unknown = Callee && isInDeviceLibrary(*Callee) && Callee->isDeclaration() && !Of &&
                 !isArithmetic(*Callee) && !constantPower(*Call);
  return Of ? static_cast<uint16_t>(Of->slow) : Unknown ? Anything : 0;
}

unsigned divcost::registersOf(const Instruction &I) {
  const Type *T = I.getType();
  if (auto *Parts = dyn_cast<StructType>(T)) {
    unsigned Count = 0;
    for (const Type *Part : Parts->elements())
      Count += Part->getPrimitiveSizeInBits() > 32 || Part->isPointerTy() ? 2 : 1;
    return Count;
  }
  bool Holds = T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy() || T->isPtrOrPtrVectorTy();
  return Holds && bitsOf(I) > 1 ? lanesOf(I) * words(I) : 0;
}

unsigned divcost::countedInstructions(const Function &F, const dc_machine_code &Code) {
  return lookUp(Code, nameInLibrary(F), 0);
}

unsigned divcost::sizeForUnrolling(const Instruction &I, const dc_machine_code &Code) {
  if (isa<PHINode>(I) || isa<BitCastInst>(I) || isa<AddrSpaceCastInst>(I) || isa<TruncInst>(I) ||
      isa<PtrToIntInst>(I) || isa<IntToPtrInst>(I) || I.isLifetimeStartOrEnd())
    return 0;
  if (auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->isConditional();
  if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return !Address->hasAllConstantIndices();
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::Xor:
  case Instruction::Or:
  case Instruction::And:
    return words(I);
  case Instruction::Call: // functions of libdevice are inlined by then
    return std::min(255u, std::max(1u, ofCall(Code, cast<CallBase>(I))));
  default:
    return 1;
  }
}
