// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's inliner copies all, block by block, and folds what it can: half of its work is for nothing
// where the function that is inlined isn't needed any more, and nearly all of it for the many that
// are a line or two.
#include "ir/inline_call.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

// Of others inlining makes more than a copy: the object that is passed, or what is known of
// aliases.
bool isPlainArgument(const Argument &A) {
  return !A.hasPassPointeeByValueCopyAttr() && !A.hasInAllocaAttr() && !A.hasNoAliasAttr();
}

bool isPlainInstruction(const Instruction &I) {
  auto *Variable = dyn_cast<AllocaInst>(&I);
  auto *Call = dyn_cast<CallInst>(&I);
  return (!Variable || Variable->isStaticAlloca()) && (!Call || !Call->isMustTailCall()) &&
         !isa<InvokeInst>(I);
}

bool isPlain(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return isa<CallInst>(Call) && Callee && Callee != Call.getFunction() && !Callee->isVarArg() &&
         Call.arg_size() == Callee->arg_size() && !Call.hasOperandBundles() &&
         !Callee->hasPersonalityFn() && all_of(Callee->args(), isPlainArgument) &&
         all_of(instructions(*Callee), isPlainInstruction);
}

bool isLastCall(const Function &Callee) {
  return Callee.hasOneUse() &&
         none_of(Callee, [](const BasicBlock &Block) { return Block.hasAddressTaken(); });
}

// One block, without variables. What is known of aliases holds in one copy alone.
bool isStraight(const Function &Callee) {
  return Callee.size() == 1 && isa<ReturnInst>(Callee.front().getTerminator()) &&
         none_of(Callee.front(), [](const Instruction &I) {
           return isa<AllocaInst>(I) || isa<DbgInfoIntrinsic>(I) ||
                  I.hasMetadata(LLVMContext::MD_alias_scope) ||
                  I.hasMetadata(LLVMContext::MD_noalias);
         });
}

// What code is changed to, once it is a part of the caller: where it is, and what its calls may do
// with the caller's variables.
class PartOfCaller {
public:
  PartOfCaller(const CallBase &Call, const Function &Callee)
      : Context(Call.getContext()), Call(Call.getDebugLoc()),
        OfCallee(Callee.getSubprogram() != nullptr), Kind(cast<CallInst>(Call).getTailCallKind()) {
    if (DILocation *Place = this->Call.get())
      At = DILocation::getDistinct(Context, Place->getLine(), Place->getColumn(), Place->getScope(),
                                   Place->getInlinedAt());
  }

  void add(Instruction &I, SmallVectorImpl<CallBase *> &Calls) {
    if (auto *Inner = dyn_cast<CallBase>(&I))
      Calls.push_back(Inner);
    if (auto *Inner = dyn_cast<CallInst>(&I); Inner && !Inner->isNoTailCall())
      Inner->setTailCallKind(std::min(Kind, Inner->getTailCallKind()));
    if (At)
      move(I);
  }

private:
  void move(Instruction &I) {
    updateLoopMetadataDebugLocations(I, [this](Metadata *Node) -> Metadata * {
      auto *Place = dyn_cast_or_null<DILocation>(Node);
      return Place ? moved(Place) : Node;
    });
    if (DILocation *Place = I.getDebugLoc().get())
      I.setDebugLoc(moved(Place));
    else if (!OfCallee && !isa<AllocaInst>(I))
      I.setDebugLoc(Call);
  }

  DILocation *moved(DILocation *Place) {
    DILocation *&Found = Known[Place];
    if (!Found)
      Found = DILocation::get(Context, Place->getLine(), Place->getColumn(), Place->getScope(),
                              DebugLoc::appendInlinedAt(Place, At, Context, Chains).get(),
                              Place->isImplicitCode());
    return Found;
  }

  LLVMContext &Context;
  DebugLoc Call;
  bool OfCallee; // it says where its code is: what has no place there is at none
  CallInst::TailCallKind Kind;
  DILocation *At = nullptr;
  DenseMap<const DILocation *, DILocation *> Known;
  DenseMap<const MDNode *, MDNode *> Chains;
};

// What a call gives, of these ways back to behind it.
Value *resultOf(const CallBase &Call, ArrayRef<ReturnInst *> Returns, BasicBlock &Behind) {
  if (Call.getType()->isVoidTy())
    return nullptr;
  if (Returns.empty())
    return PoisonValue::get(Call.getType());
  if (Returns.size() == 1)
    return Returns.front()->getReturnValue();
  PHINode *Result = PHINode::Create(Call.getType(), static_cast<unsigned>(Returns.size()));
  Result->insertBefore(Behind.begin());
  for (ReturnInst *Return : Returns)
    Result->addIncoming(Return->getReturnValue(), Return->getParent());
  return Result;
}

void moveVariables(BasicBlock &From, BasicBlock &To) {
  auto At = To.begin();
  for (Instruction &I : make_early_inc_range(From))
    if (isa<AllocaInst>(I))
      I.moveBefore(To, At);
}

void copyStraight(CallBase &Call, const Function &Callee, SmallVectorImpl<CallBase *> &Inner) {
  PartOfCaller Part(Call, Callee);
  DenseMap<const Value *, Value *> Copies;
  for (auto [Given, Parameter] : zip_equal(Call.args(), Callee.args()))
    Copies[&Parameter] = Given.get();
  auto CopyOf = [&Copies](Value *Old) {
    auto At = Copies.find(Old);
    return At == Copies.end() ? Old : At->second;
  };
  for (const Instruction &I : Callee.front()) {
    if (auto *Return = dyn_cast<ReturnInst>(&I)) {
      if (Value *Result = Return->getReturnValue())
        Call.replaceAllUsesWith(CopyOf(Result));
      break;
    }
    Instruction *New = I.clone();
    New->insertInto(Call.getParent(), Call.getIterator());
    for (Use &Operand : New->operands())
      Operand.set(CopyOf(Operand.get()));
    Part.add(*New, Inner);
    Copies[&I] = New;
  }
  Call.eraseFromParent();
}

// What LLVM's inliner makes, but the callee's own code.
void moveBody(CallBase &Call, Function &Callee, SmallVectorImpl<CallBase *> &Inner) {
  Function &Caller = *Call.getFunction();
  PartOfCaller Part(Call, Callee);
  SmallVector<ReturnInst *, 4> Returns;
  for (Instruction &I : instructions(Callee)) {
    Part.add(I, Inner);
    if (auto *Return = dyn_cast<ReturnInst>(&I))
      Returns.push_back(Return);
  }
  for (auto [Given, Parameter] : zip_equal(Call.args(), Callee.args()))
    Parameter.replaceAllUsesWith(Given.get());

  BasicBlock *Front = Call.getParent(), *Behind = Front->splitBasicBlock(&Call),
             *Entry = &Callee.getEntryBlock();
  moveVariables(*Entry, Caller.getEntryBlock());
  Caller.splice(Behind->getIterator(), &Callee);
  Front->getTerminator()->setSuccessor(0, Entry);
  if (Value *Result = resultOf(Call, Returns, *Behind))
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  for (ReturnInst *Return : Returns) {
    BranchInst *On = BranchInst::Create(Behind, Return->getIterator());
    On->setDebugLoc(Return->getDebugLoc());
    Return->eraseFromParent();
  }
  MergeBlockIntoPredecessor(Entry);
  if (Returns.size() == 1)
    MergeBlockIntoPredecessor(Behind);
}

} // namespace

SmallVector<CallBase *> divcost::inlineCall(CallBase &Call, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *> Inner;
  Function *Callee = isPlain(Call) ? Call.getCalledFunction() : nullptr;
  InlineFunctionInfo Info;
  if (Callee && isLastCall(*Callee)) {
    AttributeFuncs::mergeAttributesForInlining(*Call.getFunction(), *Callee);
    moveBody(Call, *Callee, Inner);
    FAM.clear(*Callee, Callee->getName());
  } else if (Callee && isStraight(*Callee)) {
    AttributeFuncs::mergeAttributesForInlining(*Call.getFunction(), *Callee);
    copyStraight(Call, *Callee, Inner);
  } else if (InlineFunction(Call, Info, /*MergeAttributes=*/true, /*CalleeAAR=*/nullptr,
                            /*InsertLifetime=*/false)
                 .isSuccess()) {
    append_range(Inner, Info.InlinedCallSites);
  }
  return Inner;
}
