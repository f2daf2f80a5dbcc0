// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module pass for opt and other users of LLVM's pass plugins:
//
//   opt -load-pass-plugin=divcost.so -passes='divcost<print;block=256;report=unit.json>'
//
// It takes the options of the clang plugin, and `print` for the verdicts on standard output. The
// analysis works on a copy; of the module itself only the metadata of annotated loops changes.
#include "analysis/print.h"
#include "findings/annotations.h"
#include "findings/report.h"
#include "ir/examine.h"
#include "ir/load_guard.h"
#include "ir/loop_metadata.h"
#include "ir/module_facts.h"
#include "ir/remarks.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include <cstdio>
#include <cstring>

using namespace llvm;
using namespace divcost;

namespace {

class Message : public DiagnosticInfo {
public:
  Message(std::string Text, DiagnosticSeverity Severity)
      : DiagnosticInfo(kind(), Severity), Text(std::move(Text)) {}
  void print(DiagnosticPrinter &Out) const override { Out << Text; }

private:
  static int kind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
  std::string Text;
};

void report(Module &M, const Twine &Text, DiagnosticSeverity Severity) {
  M.getContext().diagnose(Message(Text.str(), Severity));
}

// opt knows no source: the loops are those that the module's metadata names.
void readSource(Module &M, dcp_source &Source) {
  forEachLoopId(M, [&](MDNode &, const DILocation &Start, const Function &F) {
    dcp_loop_statement *Loop = dcp_source_add_loop(&Source);
    if (!Loop)
      return;
    Loop->file = strdup(pathOf(*Start.getScope()).c_str());
    Loop->line = Start.getLine();
    Loop->column = Start.getColumn();
    Loop->statement = DCP_FOR;
    Loop->has_condition = true;
    const DISubprogram *Scope = Start.getScope()->getSubprogram();
    Loop->function = strdup((Scope ? Scope->getName() : F.getName()).str().c_str());
  });
  dcp_source_seal(&Source);
}

struct DivcostPass : PassInfoMixin<DivcostPass> {
  struct Settings {
    dcp_options Options;
    bool Print = false;
    Settings() { dcp_options_init(&Options); }
    ~Settings() { dcp_options_free(&Options); }
  };
  explicit DivcostPass(std::shared_ptr<Settings> Set) : Set(std::move(Set)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    dcp_source Source = {};
    dcp_annotations Annotations = {};
    dc_unit Unit = {};
    dc_error Error = {};
    dcp_session Session = DCP_ALONE;
    if (!annotate(M, Source, Annotations, Error) ||
        !examine(
            *CloneModule(M), /*OnlyWarns=*/false, Set->Options, Source, Annotations,
            smOf(M) ? smOf(M) : NewestMeasured, M.getSourceFileName(),
            [](uint32_t, const Function &, const ssa_function &) {}, [](dc_unit &) {}, Unit, Error))
      report(M, Error.text, DS_Error);
    else
      tell(M, Unit, Source, Annotations);
    if (Set->Options.report && !*Error.text &&
        dcp_report_write(Set->Options.report, &Session, &Unit, &Error) != DC_OK)
      report(M, Error.text, DS_Error);
    attachAnnotations(M, Source);
    dc_unit_free(&Unit);
    dcp_annotations_free(&Annotations);
    dcp_source_free(&Source);
    return PreservedAnalyses::all(); // no analysis looks at that metadata
  }

private:
  bool annotate(Module &M, dcp_source &Source, dcp_annotations &Annotations, dc_error &Error) {
    const char *Path = Set->Options.annotations;
    if (!Path)
      return true;
    readSource(M, Source);
    return dcp_annotation_file(Path, &Annotations, &Error) == DC_OK &&
           dcp_annotations_apply(&Annotations, &Source, &Error) == DC_OK;
  }

  static constexpr unsigned NewestMeasured = 90;

  void tell(Module &M, const dc_unit &Unit, const dcp_source &Source,
            const dcp_annotations &Annotations) {
    char Text[768];
    if (dcp_options_foreign(&Set->Options, smOf(M), Text, sizeof Text))
      report(M, Text, DS_Warning);
    if (Annotations.n_kernels)
      report(M,
             "'" + Twine(Annotations.path) +
                 "': entries of kernels need the source, so clang: opt heeds those of loops alone",
             DS_Warning);
    for (uint32_t E = 0; E < Annotations.n_entries; ++E) {
      if (Annotations.entries[E].overruled)
        report(M, Annotations.entries[E].overruled, DS_Warning);
      if (!Annotations.entries[E].used) {
        dcp_annotation_describe(&Annotations, E, &Source, &Unit, Text, sizeof Text);
        report(M, Text, DS_Warning);
      }
    }
    if (Set->Print) {
      outs().flush();
      dcp_print_unit(&Unit, stdout);
      fflush(stdout);
    }
    emitRemarks(M, Unit, Set->Options, /*RecordOnly=*/false);
    for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
      const dc_unit_kernel &Kernel = Unit.kernels[K];
      for (uint32_t F = 0; F < Kernel.n_findings; ++F) {
        const dc_finding &Finding = Kernel.findings[F];
        if (Set->Options.warn[Finding.rule] && !Finding.suppressed)
          report(M,
                 placeOf(Kernel.kernel, Finding.location) + Finding.message + " [divcost-" +
                     dc_rule_name(Finding.rule) + "]",
                 DS_Warning);
      }
    }
  }

  static std::string placeOf(const dc_kernel &Kernel, uint32_t Location) {
    if (Location == DC_NONE || !Kernel.locations[Location].line)
      return std::string(dc_kernel_text(&Kernel, Kernel.name)) + ": ";
    const dc_location &Place = Kernel.locations[Location];
    return (Twine(dc_kernel_text(&Kernel, Place.file)) + ":" + Twine(Place.line) + ":" +
            Twine(Place.column) + ": ")
        .str();
  }

  std::shared_ptr<Settings> Set;
};

bool parse(StringRef Name, ModulePassManager &Passes) {
  if (!Name.consume_front("divcost"))
    return false;
  if (!Name.empty() && (!Name.consume_front("<") || !Name.consume_back(">")))
    return false;
  auto Set = std::make_shared<DivcostPass::Settings>();
  while (!Name.empty()) {
    StringRef Argument;
    std::tie(Argument, Name) = Name.split(';');
    dc_error Error;
    if (Argument == "print") {
      Set->Print = true;
    } else if (dcp_options_set(&Set->Options, Argument.str().c_str(), &Error) != DC_OK) {
      errs() << "divcost: " << Error.text << "\n";
      return false;
    }
  }
  if (Set->Options.embed) {
    errs() << "divcost: option 'embed' is about objects of the host, which opt doesn't make; "
              "write a file with report=FILE.json\n";
    return false;
  }
  if (Set->Options.profile_generate || Set->Options.profile_use || Set->Options.measured ||
      Set->Options.ptxas) {
    errs() << "divcost: profiles, measurements and ptxas's words need the source, so clang: opt "
              "has no options for "
              "them\n";
    return false;
  }
  Passes.addPass(DivcostPass(std::move(Set)));
  return true;
}

void registerPass(PassBuilder &PB) {
  if (!isRightVersion())
    return;
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement> Inner) {
        return Inner.empty() && parse(Name, Passes);
      });
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "divcost";
  Info.PluginVersion = LLVM_VERSION_STRING;
  Info.RegisterPassBuilderCallbacks = registerPass;
  return Info;
}
