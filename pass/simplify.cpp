// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings a private copy of a device module into the form that the analysis reads. Every device
// function is inlined along its call paths, so that a verdict belongs to a path and expressions
// reach from the kernel's parameters to the loop; recursive and very large functions stay calls.
// The pipeline is one of our own and the same at every -O: loops keep the shape of the source
// (LLVM's would rotate, peel and unswitch them, and GVN's load PRE would turn a bound that is read
// again into a value carried round the loop). Only unrolling that a pragma forces is done, since
// the arrays it indexes become registers by it.
#include "analyse.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "module_facts.h"

using namespace llvm;

namespace {

// A function that would grow beyond this is called, not inlined: the analysis is close to linear in
// size, but the simplification isn't.
constexpr size_t MaxInlinedInstructions = 20000;

void forgetOptimisationLevel(Module &M) {
  for (Function &F : M)
    if (F.hasFnAttribute(Attribute::OptimizeNone)) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
    }
}

void inlineEverythingThatCanBe(Module &M) {
  CallGraph CG(M);
  DenseMap<const Function *, size_t> Size;
  for (scc_iterator<CallGraph *> SCC = scc_begin(&CG); !SCC.isAtEnd(); ++SCC) {
    for (CallGraphNode *Node : *SCC) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      size_t Total = F->getInstructionCount();
      for (auto &Call : *Node)
        if (Function *Callee = Call.second->getFunction())
          Total += Size.lookup(Callee);
      bool Inline = !divcost::isKernel(*F) && !SCC.hasCycle() && Total <= MaxInlinedInstructions;
      F->removeFnAttr(Attribute::AlwaysInline);
      if (!divcost::isKernel(*F))
        F->setLinkage(GlobalValue::InternalLinkage), F->setComdat(nullptr);
      F->removeFnAttr(Inline ? Attribute::NoInline : Attribute::AlwaysInline);
      F->addFnAttr(Inline ? Attribute::AlwaysInline : Attribute::NoInline);
      Size[F] = Inline ? Total : 1;
    }
  }
}

// An array of a thread becomes registers where the loop that indexes it is unrolled. Elsewhere a
// loop stays one: unrolled it would only be longer.
struct UnrollForArrays : PassInfoMixin<UnrollForArrays> {
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &Results,
                        LPMUpdater &Updater) {
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (auto *Address = dyn_cast<GetElementPtrInst>(&I);
            Address && isa<AllocaInst>(getUnderlyingObject(Address)))
          return LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)
              .run(L, AM, Results, Updater);
    return PreservedAnalyses::all();
  }
};

FunctionPassManager beforeInlining() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(TailCallElimPass());
  return FPM;
}

void addCleanUp(FunctionPassManager &FPM) {
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
}

FunctionPassManager afterInlining() {
  FunctionPassManager FPM;
  addCleanUp(FPM);
  // "break" and "continue" out of scopes are a number and a switch on it, until the ways are
  // threaded.
  FPM.addPass(JumpThreadingPass());
  LoopPassManager Invariants;
  Invariants.addPass(LICMPass(LICMOptions()));
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Invariants), /*UseMemorySSA=*/true));
  LoopPassManager Unroll;
  Unroll.addPass(LoopDeletionPass());
  Unroll.addPass(UnrollForArrays());
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Unroll)));
  addCleanUp(FPM);
  FPM.addPass(ADCEPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  return FPM;
}

} // namespace

void divcost::simplify(Module &M) {
  forgetOptimisationLevel(M);
  inlineEverythingThatCanBe(M);

  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  ModulePassManager MPM;
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(beforeInlining()));
  MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(afterInlining()));
  MPM.run(M, MAM);
}
