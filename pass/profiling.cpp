// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation does for profiles: to generate one, it instruments its module, the loops that
// may diverge or, with profile-check, all; to use one, it gives the measured distributions to the
// loops of the analysis.
#include "examine.h"
#include "instrument.h"
#include "module_facts.h"
#include "plugin.h"

#include "divcost/arch.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

#include <set>
#include <string>
#include <tuple>

using namespace clang;
using namespace divcost;

std::string Compilation::predefines() const {
  return recorderText(Options.profile_generate, Options.profile_check);
}

// The functions that are called from kernels of this module alone.
static llvm::DenseSet<const llvm::Function *> kernelsAlone(const llvm::Module &M,
                                                           bool Relocatable) {
  llvm::DenseSet<const llvm::Function *> Result;
  for (bool FromKernels : {true, false})
    for (const llvm::Function &Root : M) {
      bool Callable = isKernel(Root) || (Relocatable && !Root.hasLocalLinkage());
      if (Root.isDeclaration() || !Callable || isKernel(Root) != FromKernels)
        continue;
      llvm::SmallSetVector<const llvm::Function *, 16> Reached;
      Reached.insert(&Root);
      for (unsigned K = 0; K < Reached.size(); ++K)
        for (const llvm::Instruction &I : instructions(*Reached[K]))
          for (const llvm::Value *Operand : I.operands())
            if (auto *F = llvm::dyn_cast<llvm::Function>(Operand->stripPointerCasts()))
              Reached.insert(F);
      for (const llvm::Function *F : Reached)
        if (FromKernels)
          Result.insert(F);
        else
          Result.erase(F);
    }
  return Result;
}

// A loop that the analysis has no word of (in a function that no kernel here calls, or that it gave
// up on) may diverge too; so may one that it doesn't know because the optimiser removed it, but
// then it doesn't run.
void Compilation::instrument(llvm::Module &M) {
  std::set<std::tuple<std::string, uint32_t, uint32_t>> Known, Divergent;
  for (uint32_t K = 0; K < Claims.n_loops; ++K) {
    const dc_profile_loop &Loop = *Claims.loops[K];
    std::tuple<std::string, uint32_t, uint32_t> Place(Loop.file, Loop.line, Loop.column);
    Known.insert(Place);
    if (Loop.level == DC_DIVERGENT)
      Divergent.insert(Place);
  }
  auto Alone = kernelsAlone(M, Instance.getLangOpts().GPURelocatableDeviceCode);
  countTrips(M, Options.profile_check, [&](const llvm::Function &F, const llvm::DILocation &At) {
    std::tuple<std::string, uint32_t, uint32_t> Place(pathOf(*At.getScope()), At.getLine(),
                                                      At.getColumn());
    return Options.profile_check || Divergent.count(Place) ||
           (!Known.count(Place) && (GaveUp || !Alone.contains(&F)));
  });
}

void Compilation::finishInstrumentation(llvm::Module &M) {
  if (!placeCounters(M, Source, Claims))
    reportError("out of memory");
}

void Compilation::applyProfile(dc_unit &Unit) {
  if (!Options.profile_use)
    return;
  unsigned Sm = Options.sm ? Options.sm : smNumber(Instance.getTarget().getTargetOpts().CPU);
  dc_arch Arch;
  bool Known = dc_arch_find(("sm_" + std::to_string(Sm)).c_str(), &Arch, nullptr) == DC_OK;
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    dc_kernel &Kernel = Unit.kernels[K].kernel;
    dc_error Error;
    uint32_t Stale = 0;
    const char *Function = "";
    if (dcp_profile_apply(&Profile, Options.profile_use, &Source, Known ? &Arch : nullptr, &Kernel,
                          &Stale, &Function, &Error) != DC_OK) {
      reportError(Error.text);
      return;
    }
    if (Stale)
      Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
          << "divcost: profile '" + std::string(Options.profile_use) + "' is stale for kernel '" +
                 dc_kernel_text(&Kernel, Kernel.name) + "': function '" + Function +
                 "' has changed since, so " + std::to_string(Stale) +
                 (Stale == 1 ? " loop goes" : " loops go") + " without counts; profile again";
  }
}

void Compilation::followHostPipeline(CompilerInstance &Instance) {
  struct AnnouncePass : llvm::PassInfoMixin<AnnouncePass> {
    static bool isRequired() { return true; }
    llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
      announceLaunches(M);
      return llvm::PreservedAnalyses::none();
    }
  };
  Instance.getCodeGenOpts().PassBuilderCallbacks.push_back([](llvm::PassBuilder &PB) {
    PB.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager &Passes, llvm::OptimizationLevel) {
          Passes.addPass(AnnouncePass());
        });
  });
}
