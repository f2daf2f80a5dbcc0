// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/device_library.h"

#include "analysis/intrinsics.h"
#include "ir/address_spaces.h"
#include "ir/machine_count.h"
#include "ir/module_facts.h"
#include "ir/slow_paths.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/GlobalStatus.h"

#include <cstring>
#include <vector>

using namespace llvm;

namespace {

// What comes to no more than these is inlined: mostly another name for an intrinsic.
constexpr unsigned FewInstructions = 4;

// `lround` and others have integers, of which only those that are counted matter: `clz` has, too.
bool isOfNumbers(const Function &F) {
  const Type *Result = F.getReturnType();
  bool IsCounted = Result->isIntegerTy() && divcost::isCounted(F);
  return (Result->isFloatingPointTy() || IsCounted) && !F.isVarArg() &&
         none_of(F.args(), [](const Argument &A) { return A.getType()->isPointerTy(); });
}

bool isTable(const GlobalVariable &V) {
  GlobalStatus Uses;
  return V.isConstant() ||
         (V.hasLocalLinkage() && V.getAddressSpace() != SharedSpace &&
          !GlobalStatus::analyzeGlobal(&V, Uses) && Uses.StoredType == GlobalStatus::NotStored);
}

// A variable of the function's own, or one that its caller lends it.
bool isPrivate(const Value &Address) {
  const Value *Object = getUnderlyingObject(&Address);
  return isa<AllocaInst>(Object) || isa<Argument>(Object);
}

bool isPrivateAccess(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  if (!Address || I.isVolatile() || I.isAtomic())
    return false;
  auto *Table = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
  return Table ? isa<LoadInst>(I) && isTable(*Table) : isPrivate(*Address);
}

using Visited = SmallPtrSet<const Function *, 4>;

bool computesOnly(const Function &F, Visited &Seen);

bool isComputation(const CallBase &Call, Visited &Seen) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    dcp_meaning Meaning;
    dcp_inline_assembly(StringRef(Assembly->getAsmString()).str().c_str(), &Meaning);
    return Meaning.op == SSA_PURE && Call.doesNotAccessMemory();
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getName() == "__nvvm_reflect")
    return Callee;
  if (!Callee->isIntrinsic())
    return !Callee->isDeclaration() && computesOnly(*Callee, Seen) &&
           all_of(Call.args(),
                  [](const Use &U) { return !U->getType()->isPointerTy() || isPrivate(*U.get()); });
  if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) || isa<AssumeInst>(Call))
    return true;
  return Call.doesNotAccessMemory() && !Call.isConvergent() &&
         !Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg");
}

// Whether what F does follows from its arguments, and nobody else sees it.
bool computesOnly(const Function &F, Visited &Seen) {
  return !Seen.insert(&F).second || all_of(instructions(F), [&Seen](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isComputation(*Call, Seen);
    return !I.mayReadOrWriteMemory() || isPrivateAccess(I);
  });
}

void makeCall(Function &F) {
  F.deleteBody();
  F.setComdat(nullptr);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::Convergent);
  F.setDoesNotAccessMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F)
      Call->removeFnAttr(Attribute::Convergent);
}

bool isSinCos(const Function &F) {
  std::string Name = divcost::nameInLibrary(F);
  return divcost::isInDeviceLibrary(F) && (Name == "sincos" || Name == "sincosf") &&
         F.getReturnType()->isVoidTy() && F.arg_size() == 3;
}

// Makes of a function that writes two numbers through pointers one that returns both, which its
// callers write.
void returnBoth(Function &F) {
  Type *Number = F.getArg(0)->getType();
  auto *Both = StructType::get(Number, Number);
  auto *Of =
      Function::Create(FunctionType::get(Both, {Number}, false), F.getLinkage(), "", F.getParent());
  Of->takeName(&F);
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F)
      continue;
    IRBuilder<> Builder(Call);
    CallInst *Results = Builder.CreateCall(Of, Call->getArgOperand(0));
    Results->copyMetadata(*Call);
    for (unsigned K = 0; K < 2; ++K)
      Builder.CreateStore(Builder.CreateExtractValue(Results, K), Call->getArgOperand(1 + K));
    Call->eraseFromParent();
  }
  if (F.use_empty())
    F.eraseFromParent();
  makeCall(*Of);
}

// Types of the result and of the arguments: i32, i64 (l), float, double.
struct Intrinsical {
  const char *Name;
  Intrinsic::ID ID;
  const char *Types;
};

constexpr Intrinsical Intrinsicals[] = {
    {"__fma_rn", Intrinsic::fma, "dddd"},    {"__fmaf_rn", Intrinsic::fma, "ffff"},
    {"abs", Intrinsic::abs, "ii"},           {"brev", Intrinsic::bitreverse, "ii"},
    {"brevll", Intrinsic::bitreverse, "ll"}, {"clz", Intrinsic::ctlz, "ii"},
    {"clzll", Intrinsic::ctlz, "il"},        {"fabs", Intrinsic::fabs, "dd"},
    {"fabsf", Intrinsic::fabs, "ff"},        {"fma", Intrinsic::fma, "dddd"},
    {"fmaf", Intrinsic::fma, "ffff"},        {"llabs", Intrinsic::abs, "ll"},
    {"llmax", Intrinsic::smax, "lll"},       {"llmin", Intrinsic::smin, "lll"},
    {"max", Intrinsic::smax, "iii"},         {"min", Intrinsic::smin, "iii"},
    {"popc", Intrinsic::ctpop, "ii"},        {"popcll", Intrinsic::ctpop, "il"},
    {"ullmax", Intrinsic::umax, "lll"},      {"ullmin", Intrinsic::umin, "lll"},
    {"umax", Intrinsic::umax, "iii"},        {"umin", Intrinsic::umin, "iii"},
};

Type *typeOf(char Letter, LLVMContext &Context) {
  switch (Letter) {
  case 'i':
    return Type::getInt32Ty(Context);
  case 'l':
    return Type::getInt64Ty(Context);
  case 'f':
    return Type::getFloatTy(Context);
  default:
    return Type::getDoubleTy(Context);
  }
}

FunctionType *typeOf(const Intrinsical &I, LLVMContext &Context) {
  SmallVector<Type *, 3> Arguments;
  for (const char *At = I.Types + 1; *At; ++At)
    Arguments.push_back(typeOf(*At, Context));
  return FunctionType::get(typeOf(*I.Types, Context), Arguments, /*isVarArg=*/false);
}

void define(Function &F, Intrinsic::ID ID) {
  IRBuilder<> Builder(BasicBlock::Create(F.getContext(), "", &F));
  SmallVector<Value *, 3> Operands;
  for (Argument &A : F.args())
    Operands.push_back(&A);
  if (ID == Intrinsic::abs || ID == Intrinsic::ctlz)
    Operands.push_back(Builder.getFalse()); // defined for all numbers
  Value *Result = Builder.CreateIntrinsic(ID, {Operands[0]->getType()}, Operands);
  if (F.getReturnType()->isIntegerTy())
    Result = Builder.CreateZExtOrTrunc(Result, F.getReturnType());
  Builder.CreateRet(Result);
  F.setLinkage(GlobalValue::InternalLinkage);
}

void defineIntrinsical(Function &F) {
  std::string Name = divcost::nameInLibrary(F);
  for (const Intrinsical &I : Intrinsicals)
    if (Name == I.Name && F.getFunctionType() == typeOf(I, F.getContext()))
      define(F, I.ID);
}

} // namespace

bool divcost::isInDeviceLibrary(const Function &F) {
  return F.getName().starts_with("__nv_") && !isKernel(F);
}

bool divcost::staysCall(const Function &F) {
  if (!isInDeviceLibrary(F) || !isOfNumbers(F))
    return false;
  Visited Seen;
  return F.isDeclaration() || ((isCounted(F) || asksForSlowPath(F)) && computesOnly(F, Seen));
}

bool divcost::isCounted(const Function &F) {
  return countedInstructions(F, machineCodeOf(*F.getParent())) > FewInstructions;
}

std::string divcost::nameInLibrary(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front("__nv_");
  bool IsRounded = Name.drop_back(Name.empty() ? 0 : 1).ends_with("_r"); // "frcp_rn"
  return Name.consume_front("fast_") || IsRounded ? "__" + Name.str() : Name.str();
}

const APInt *divcost::constantPower(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !isInDeviceLibrary(*Callee) || Call.arg_size() != 2)
    return nullptr;
  std::string Name = nameInLibrary(*Callee);
  auto *Power = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  return Power && (Name == "powi" || Name == "powif") ? &Power->getValue() : nullptr;
}

bool divcost::isArithmetic(const Function &F) {
  static const StringRef Names[] = {"add", "copysign", "fabs", "fma", "fmax", "fmin", "mul", "sub"};
  std::string Called = nameInLibrary(F);
  StringRef Name = Called;
  if (Name.consume_front("__"))
    Name = Name.rsplit('_').first; // the rounding
  Name.consume_back("f");
  return is_contained(Names, Name) ||
         ((Name.consume_front("f") || Name.consume_front("d")) && is_contained(Names, Name));
}

bool divcost::hasLoop(const CallBase &Call) {
  static const StringRef Names[] = {"cos", "fmod", "powi", "remainder", "sin", "tan"};
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !isInDeviceLibrary(*Callee) || constantPower(Call))
    return false;
  StringRef Name = Callee->getName().drop_front(strlen("__nv_"));
  Name.consume_back("f");
  return is_contained(Names, Name);
}

void divcost::keepLibraryCalls(Module &M) {
  std::vector<Function *> Calls, Pairs; // of which one may call the other
  for (Function &F : M)
    if (isSinCos(F))
      Pairs.push_back(&F);
  for (Function *F : Pairs)
    returnBoth(*F);
  for (Function &F : M) {
    if (F.isDeclaration() && isInDeviceLibrary(F))
      defineIntrinsical(F);
    if (staysCall(F))
      Calls.push_back(&F);
  }
  for (Function *F : Calls)
    makeCall(*F);
}
