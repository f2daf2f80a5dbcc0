// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a private module to estimates and findings, and these as LLVM's optimisation remarks.
#include "examine.h"

#include "analyse.h"
#include "findings.h"
#include "wording.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

bool divcost::isDeviceModule(const Module &M) { return Triple(M.getTargetTriple()).isNVPTX(); }

unsigned divcost::smNumber(StringRef Cpu) {
  unsigned Number;
  if (!Cpu.consume_front("sm_") || Cpu.consumeInteger(10, Number))
    return 0;
  return Number;
}

// Marks the loop statements that loops of the kernels come from.
static void markKept(const dc_unit &Unit, dcp_source &Source) {
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    const dc_kernel &Kernel = Unit.kernels[K].kernel;
    for (uint32_t L = 0; L < Kernel.n_loops; ++L) {
      if (Kernel.loops[L].location == DC_NONE)
        continue;
      const dc_location &Place = Kernel.locations[Kernel.loops[L].location];
      if (auto *Loop = dcp_source_find_loop(&Source, dc_kernel_text(&Kernel, Place.file),
                                            Place.line, Place.column))
        Source.loops[Loop - Source.loops].kept = true;
    }
  }
}

bool divcost::examine(Module &Private, bool IsRaw, bool OnlyWarns, const dcp_options &Options,
                      dcp_source &Source, dcp_annotations &Annotations, unsigned Sm,
                      const std::string &Path, function_ref<void(dc_unit &)> Measured,
                      dc_unit &Unit, dc_error &Error) {
  if (Options.arch.sm)
    Sm = Options.arch.sm;
  Unit.path = strdup(Path.c_str());
  Unit.archs = static_cast<unsigned *>(malloc(sizeof *Unit.archs));
  if (!Unit.path || !Unit.archs)
    return dc_fail(&Error, DC_ERROR_MEMORY, "out of memory"), false;
  Unit.archs[0] = Sm;
  Unit.n_archs = 1;
  markCompiled(Private, Source);
  simplify(Private, IsRaw);
  if (!analyse(Private, Options, Source, Unit))
    return dc_fail(&Error, DC_ERROR_MEMORY, "out of memory"), false;
  markKept(Unit, Source);
  if (dcp_annotations_apply_ids(&Annotations, &Unit, &Error) != DC_OK)
    return false;
  Measured(Unit);
  return dcp_find(&Unit, Sm, &Options, OnlyWarns, &Error) == DC_OK;
}

void divcost::forEachRemark(
    const dc_unit &Unit, const dcp_options &Options,
    function_ref<void(const dc_unit_kernel &, StringRef, uint32_t, const std::string &)> Say) {
  char Text[1024];
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    const dc_unit_kernel &Kernel = Unit.kernels[K];
    for (uint32_t F = 0; F < Kernel.n_findings; ++F)
      if (!*dc_finding_reason(&Kernel.kernel, &Kernel.findings[F]))
        Say(Kernel, dc_rule_name(Kernel.findings[F].rule), Kernel.findings[F].location,
            Kernel.findings[F].message);
    for (uint32_t L = 0; L < Kernel.kernel.n_loops; ++L) {
      const dc_loop &Loop = Kernel.kernel.loops[L];
      if (Loop.loop_class == DC_CLASS_UNIFORM)
        continue;
      const dc_estimate *Estimate =
          Kernel.n_estimates ? &Kernel.estimates[dcp_worst_estimate(&Kernel, L)] : nullptr;
      dcp_word_loop(&Kernel.kernel, L, Estimate, Text, sizeof Text);
      std::string Class = dc_class_name(static_cast<dc_class>(Loop.loop_class));
      Say(Kernel, Class + "-loop", Loop.location, Text);
    }
    for (uint32_t B = 0; Options.verbosity >= 2 && B < Kernel.kernel.n_branches; ++B) {
      const dc_branch &Branch = Kernel.kernel.branches[B];
      if (Branch.level != DC_DIVERGENT || Branch.exits != DC_NONE)
        continue;
      dcp_word_branch(&Kernel.kernel, B, Text, sizeof Text);
      Say(Kernel, "divergent-branch", Branch.location, Text);
    }
  }
}

// A debug location in F's debug info; none where F or the kernel has none.
static DiagnosticLocation locate(const Function &F, const dc_kernel &Kernel, uint32_t Location) {
  DISubprogram *Scope = F.getSubprogram();
  if (Location == DC_NONE || !Scope)
    return Scope ? DiagnosticLocation(Scope) : DiagnosticLocation();
  const dc_location &Place = Kernel.locations[Location];
  LLVMContext &Context = F.getContext();
  auto *File = DIFile::get(Context, dc_kernel_text(&Kernel, Place.file), "");
  auto *Block = DILexicalBlockFile::get(Context, Scope, File, 0);
  return DebugLoc(DILocation::get(Context, Place.line, Place.column, Block));
}

void divcost::emitRemarks(Module &M, const dc_unit &Unit, const dcp_options &Options,
                          bool RecordOnly) {
  LLVMContext &Context = M.getContext();
  LLVMRemarkStreamer *Record = Context.getLLVMRemarkStreamer();
  if (!Record && (RecordOnly || !Context.getDiagHandlerPtr()->isAnalysisRemarkEnabled("divcost")))
    return;
  forEachRemark(Unit, Options,
                [&](const dc_unit_kernel &Kernel, StringRef Name, uint32_t Location,
                    const std::string &Text) {
                  const dc_kernel &K = Kernel.kernel;
                  Function *F = M.getFunction(dc_kernel_text(&K, K.symbol));
                  if (!F || F->isDeclaration())
                    return;
                  OptimizationRemarkAnalysis Remark("divcost", Name, locate(*F, K, Location),
                                                    &F->getEntryBlock());
                  Remark << Text;
                  if (RecordOnly)
                    Record->emit(Remark);
                  else
                    Context.diagnose(Remark);
                });
}
