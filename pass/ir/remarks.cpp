// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/remarks.h"

#include "findings/findings.h"
#include "findings/messages.h"

#include "divcost/words.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void divcost::forEachRemark(
    const dc_unit &Unit, const dcp_options &Options,
    function_ref<void(const dc_unit_kernel &, StringRef, uint32_t, const std::string &)> Say) {
  char Text[DC_WORDS];
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    const dc_unit_kernel &Kernel = Unit.kernels[K];
    if (dc_calls_words(&Kernel.kernel, Text, sizeof Text))
      Say(Kernel, "calls", Kernel.kernel.location,
          "kernel '" + std::string(dc_kernel_text(&Kernel.kernel, Kernel.kernel.name)) +
              "', calls " + Text);
    for (uint32_t F = 0; F < Kernel.n_findings; ++F)
      if (!*dc_finding_reason(&Kernel.kernel, &Kernel.findings[F]))
        Say(Kernel, dc_rule_name(Kernel.findings[F].rule), Kernel.findings[F].location,
            Kernel.findings[F].message);
    for (uint32_t L = 0; L < Kernel.kernel.n_loops; ++L) {
      const dc_loop &Loop = Kernel.kernel.loops[L];
      if (Loop.loop_class == DC_CLASS_UNIFORM)
        continue;
      const dc_estimate *Estimate =
          Kernel.n_estimates ? &Kernel.estimates[dcp_deciding_estimate(&Kernel, L)] : nullptr;
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
