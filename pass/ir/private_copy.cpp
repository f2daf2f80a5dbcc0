// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where warnings are all that is wanted, the time of a compilation that nobody looks at is what the
// plugin costs everybody. So kernels are left out in which nothing can part lanes or touch arrays
// but what the GPU's own library does, or that are a library's themselves (nothing is said of
// these), as are bodies of the GPU's library of which only the call will be read, and of the
// instances of one template there are as many as tell what there is to say of its lines.
#include "ir/private_copy.h"

#include "analysis/limits.h"
#include "ir/called_functions.h"
#include "ir/copy_bodies.h"
#include "ir/device_library.h"
#include "ir/module_facts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"

using namespace divcost;

namespace {

// Of one kernel, where only warnings are wanted. Those of one structure, which differ in constants,
// are two while the template's instances come to no more instructions than these.
constexpr size_t MaxInstances = 4, MaxInstructions = 2000;

// The functions with a body that a kernel can reach, itself first.
struct Reached {
  llvm::SmallSetVector<const llvm::Function *, 16> Functions;
  bool MayWarn = false; // of a loop, a branch, an access or a barrier
  size_t Instructions = 0;
};

using Functions = llvm::SmallPtrSet<const llvm::Function *, 16>;
using Library = llvm::function_ref<bool(const llvm::Function &)>;

bool hasLoops(const llvm::Function &F) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> Back;
  FindFunctionBackedges(F, Back);
  return !Back.empty();
}

bool hasBranches(const llvm::Function &F) {
  return any_of(
      F, [](const llvm::BasicBlock &BB) { return BB.getTerminator()->getNumSuccessors() > 1; });
}

bool hasArrays(const llvm::Function &F) {
  return any_of(instructions(F),
                [](const llvm::Instruction &I) { return llvm::isa<llvm::GetElementPtrInst>(I); });
}

// Whether there is a barrier in F or in what it calls: one of a library is told where the user
// calls that.
bool hasBarriers(const llvm::Function &F, Functions &Seen) {
  llvm::SmallVector<const llvm::Function *, 16> Work = {&F};
  while (!Work.empty())
    for (const llvm::Instruction &I : instructions(*Work.pop_back_val())) {
      auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
      const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Call && (!Callee || Callee->isDeclaration()) && Call->isConvergent())
        return true;
      if (Callee && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return false;
}

// Left: how many functions that pointers lead to may still be looked at.
void look(const llvm::CallBase &Call, Library IsInLibrary, const PointerTargets &Targets,
          const Functions &Begun, uint64_t &Left, Reached &Found) {
  llvm::SmallVector<const llvm::Function *, 4> Callees;
  if (const llvm::Function *Callee = Call.getCalledFunction())
    Callees.push_back(Callee);
  else if (isThroughPointer(Call))
    llvm::append_range(Callees, Targets.of(Call));
  for (const llvm::Function *Callee : Callees) {
    bool Recurs = Begun.contains(Callee); // perhaps
    Found.MayWarn |= Recurs && !(IsInLibrary(*Callee) && IsInLibrary(*Call.getFunction()));
    if (!Call.getCalledFunction() && Left > 0 && Found.Functions.insert(Callee))
      --Left;
  }
}

Reached lookAt(const llvm::Function &Kernel, const PointerTargets &Targets, Library IsInLibrary,
               Library StaysCall) {
  Reached Found;
  Functions Begun, Seen;
  uint64_t Left = dcp_limit->pointer_targets;
  Found.Functions.insert(&Kernel);
  for (unsigned K = 0; K < Found.Functions.size(); ++K) {
    const llvm::Function &F = *Found.Functions[K];
    Begun.insert(&F);
    // What a library loses is told where users call it.
    bool IsTold = !IsInLibrary(F) || (!IsInLibrary(Kernel) && !isInDeviceLibrary(F));
    Found.MayWarn = Found.MayWarn || (IsTold && (hasBranches(F) || hasLoops(F) || hasArrays(F))) ||
                    (!IsInLibrary(F) && hasBarriers(F, Seen));
    for (const llvm::Instruction &I : instructions(F)) {
      ++Found.Instructions;
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        look(*Call, IsInLibrary, Targets, Begun, Left, Found);
      for (const llvm::Value *Operand : I.operands())
        if (llvm::isa<llvm::Constant>(Operand) && !llvm::isa<llvm::ConstantData>(Operand))
          if (auto *Callee = llvm::dyn_cast<llvm::Function>(Operand->stripPointerCasts());
              Callee && !Callee->isDeclaration() && !isKernel(*Callee) && !StaysCall(*Callee))
            Found.Functions.insert(Callee);
    }
  }
  return Found;
}

// Of all that an instance reaches, without constants and types.
llvm::hash_code structureOf(const Reached &Instance) {
  llvm::hash_code Structure{0};
  for (const llvm::Function *F : Instance.Functions)
    Structure = llvm::hash_combine(Structure, llvm::StructuralHash(*F));
  return Structure;
}

// The first of each structure and then, if all are small, the last, which differ in constants;
// where there are more structures than may be examined, some that are spread evenly.
std::vector<const Reached *> choose(const std::vector<Reached> &Instances) {
  if (Instances.size() == 1)
    return {&Instances.front()};
  llvm::MapVector<size_t, std::vector<const Reached *>> Structures;
  for (const Reached &Instance : Instances)
    Structures[structureOf(Instance)].push_back(&Instance);
  std::vector<const Reached *> Candidates, Chosen;
  size_t InAll = 0;
  for (const auto &[Structure, Alike] : Structures) {
    Candidates.push_back(Alike.front());
    InAll += Alike.front()->Instructions;
  }
  for (const auto &[Structure, Alike] : Structures) {
    if (Alike.size() == 1 || Candidates.size() >= MaxInstances)
      continue;
    InAll += Alike.back()->Instructions;
    if (InAll <= MaxInstructions)
      Candidates.push_back(Alike.back());
  }
  size_t Last = Candidates.size() - 1, Most = std::min(Last, MaxInstances - 1);
  for (size_t K = 0; K <= Most; ++K)
    Chosen.push_back(Candidates[Most ? K * Last / Most : 0]);
  return Chosen;
}

// What is asked of a function more than once.
struct AskedOnce {
  explicit AskedOnce(Library Ask) : Ask(Ask) {}
  bool operator()(const llvm::Function &F) {
    auto [At, IsNew] = Answers.try_emplace(&F);
    if (IsNew)
      At->second = Ask(F);
    return At->second;
  }
  Library Ask;
  llvm::DenseMap<const llvm::Function *, bool> Answers;
};

// The kernels that are asked for, a few of each template, with what they reach.
struct Wanted {
  llvm::DenseSet<const llvm::Function *> Functions;
  size_t Kernels = 0, All = 0;
};

Wanted choose(const llvm::Module &M, Library IsInLibrary,
              llvm::function_ref<bool(const Reached &, bool IsKnown)> IsAskedFor) {
  auto IsAnyLibrary = [&](const llvm::Function &F) {
    return isInDeviceLibrary(F) || IsInLibrary(F);
  };
  AskedOnce IsKnown(IsAnyLibrary), StaysCall(staysCall);
  PointerTargets Targets(M);
  using Place = std::pair<const void *, unsigned>; // of the declaration; without one, the function
  llvm::MapVector<Place, std::vector<Reached>> Templates;
  Wanted Chosen;
  for (const llvm::Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    ++Chosen.All;
    Reached Found = lookAt(F, Targets, IsKnown, StaysCall);
    if (!IsAskedFor(Found, IsKnown(F)))
      continue;
    const llvm::DISubprogram *At = F.getSubprogram();
    Templates[At ? Place(At->getFile(), At->getLine()) : Place(&F, 0)].push_back(std::move(Found));
  }
  for (const auto &[At, Instances] : Templates)
    for (const Reached *Found : choose(Instances)) {
      Chosen.Functions.insert(Found->Functions.begin(), Found->Functions.end());
      ++Chosen.Kernels;
    }
  return Chosen;
}

std::unique_ptr<llvm::Module> copyOf(const llvm::Module &M, const Wanted &Chosen) {
  return copyWithBodies(M, [&](const llvm::Function &F) { return Chosen.Functions.contains(&F); });
}

} // namespace

std::unique_ptr<llvm::Module>
divcost::copyKernelsThatMayWarn(const llvm::Module &M,
                                llvm::function_ref<bool(const llvm::Function &)> IsInLibrary,
                                llvm::function_ref<bool(const llvm::Function &)> HasPartWarps) {
  return copyOf(M, choose(M, IsInLibrary, [&](const Reached &Found, bool IsKnown) {
                  return Found.MayWarn || (!IsKnown && HasPartWarps(*Found.Functions[0]));
                }));
}

std::unique_ptr<llvm::Module>
divcost::copyFewInstances(const llvm::Module &M,
                          llvm::function_ref<bool(const llvm::Function &)> IsInLibrary) {
  Wanted Few = choose(M, IsInLibrary, [](const Reached &, bool IsKnown) { return !IsKnown; });
  return Few.Kernels > 0 && 2 * Few.Kernels <= Few.All ? copyOf(M, Few) : nullptr;
}
