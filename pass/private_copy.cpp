// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of a module that the analysis works on. Where a report or remarks are wanted, of the
// whole module. Where warnings are all that is, of the kernels that can get one, since the time of
// a compilation that nobody looks at is what the plugin costs everybody: not those of a library
// (nothing is said of system headers), nor those without loops and barriers; and of the instances
// of one template as many as tell what there is to say of its lines.
#include "examine.h"
#include "module_facts.h"
#include "plugin.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace divcost;

namespace {

constexpr size_t MaxInstances = 4; // of one kernel, where only warnings are wanted

// The functions with a body that a kernel can reach, itself first.
struct Reached {
  llvm::SmallSetVector<const llvm::Function *, 16> Functions;
  llvm::SmallPtrSet<const llvm::Function *, 16> Begun; // these, and the one that is
  bool CallsPointers = false;                          // so that there may be others
  bool Loops = false, Synchronises = false;
};

void look(const llvm::Instruction &I, Reached &Found) {
  if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I)) {
    const llvm::Function *Callee = Call->getCalledFunction();
    Found.CallsPointers |= !Callee && !Call->isInlineAsm();
    Found.Synchronises |= (!Callee || Callee->isDeclaration()) && Call->isConvergent();
    Found.Loops |= Found.Begun.contains(Callee); // perhaps: by recursion
  }
  for (const llvm::Value *Operand : I.operands())
    if (auto *F = llvm::dyn_cast<llvm::Function>(Operand->stripPointerCasts());
        F && !F->isDeclaration() && !isKernel(*F))
      Found.Functions.insert(F);
}

Reached lookAt(const llvm::Function &Kernel) {
  Reached Found;
  Found.Functions.insert(&Kernel);
  for (unsigned K = 0; K < Found.Functions.size(); ++K) {
    const llvm::Function &F = *Found.Functions[K];
    Found.Begun.insert(&F);
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> Back;
    FindFunctionBackedges(F, Back);
    Found.Loops |= !Back.empty();
    for (const llvm::Instruction &I : instructions(F))
      look(I, Found);
  }
  return Found;
}

} // namespace

bool Compilation::onlyWarns(const llvm::Module &M) const {
  return !Options.report && !Options.embed && !Options.annotations && !Options.profile_use &&
         !generatesProfile() &&
         !Instance.getCodeGenOpts().OptimizationRemarkAnalysis.patternMatches("divcost") &&
         !M.getContext().getLLVMRemarkStreamer();
}

bool Compilation::isInLibrary(const llvm::Function &F) {
  const llvm::DISubprogram *Subprogram = F.getSubprogram();
  if (!Subprogram || !Where)
    return false;
  clang::SourceLocation Place = Where->translate(pathOf(*Subprogram), Subprogram->getLine(), 1);
  return Place.isValid() && Instance.getSourceManager().isInSystemHeader(Place);
}

std::unique_ptr<llvm::Module> Compilation::copy(const llvm::Module &M) {
  if (!onlyWarns(M))
    return llvm::CloneModule(M);
  auto MayWarn = [this](const Reached &Found) {
    return Found.CallsPointers ||
           ((Found.Loops || Found.Synchronises) &&
            !llvm::all_of(Found.Functions, [this](const auto *F) { return isInLibrary(*F); }));
  };
  using Place = std::pair<const void *, unsigned>; // of the declaration; without one, the function
  llvm::MapVector<Place, std::vector<Reached>> Templates;
  for (const llvm::Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    Reached Found = lookAt(F);
    if (!MayWarn(Found))
      continue;
    const llvm::DISubprogram *At = F.getSubprogram();
    Templates[At ? Place(At->getFile(), At->getLine()) : Place(&F, 0)].push_back(std::move(Found));
  }
  llvm::DenseSet<const llvm::Function *> Wanted;
  bool CallsPointers = false;
  for (const auto &[At, Instances] : Templates) {
    size_t Last = Instances.size() - 1, Most = std::min(Last, MaxInstances - 1);
    for (size_t K = 0; K <= Most; ++K) {
      const Reached &Found = Instances[Most ? K * Last / Most : 0];
      Wanted.insert(Found.Functions.begin(), Found.Functions.end());
      CallsPointers |= Found.CallsPointers;
    }
  }
  llvm::ValueToValueMapTy Map;
  return llvm::CloneModule(M, Map, [&](const llvm::GlobalValue *Value) {
    auto *F = llvm::dyn_cast<llvm::Function>(Value);
    return !F || Wanted.contains(F) || (CallsPointers && !isKernel(*F));
  });
}
