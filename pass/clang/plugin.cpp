// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's door to the plugin: -fplugin=divcost.so. Options and pragmas are read before the source
// is parsed. In the device compilation of CUDA code the analysis follows; in the host's, and in
// every other language, nothing does, but the host's removes what the device's processes shared.
#include "clang/plugin.h"

#include "divcost/files.h"
#include "findings/annotations.h"
#include "findings/places.h"
#include "findings/report.h"
#include "findings/session.h"
#include "ir/examine.h"
#include "ir/load_guard.h"
#include "ir/loop_metadata.h"
#include "ir/module_facts.h"
#include "ir/private_copy.h"
#include "ir/remarks.h"
#include "clang/ast.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace divcost;

namespace clang {
std::string getClangFullVersion() __attribute__((weak));
}

Compilation::Compilation(CompilerInstance &Instance) : Instance(Instance) {
  dcp_options_init(&Options);
}

Compilation::~Compilation() {
  dcp_options_free(&Options);
  dcp_annotations_free(&Annotations);
  dc_measured_free(&Measured);
  dc_ptxas_free(&Ptxas);
  dcp_source_free(&Source);
  dc_profile_free(&Profile);
  dc_profile_free(&Claims);
  dc_profile_free(&Planned);
}

bool Compilation::hasErrors() const {
  const DiagnosticsEngine &Diags = Instance.getDiagnostics();
  return Diags.hasUncompilableErrorOccurred() || Diags.hasUnrecoverableErrorOccurred();
}

void Compilation::reportError(const char *Text) {
  Instance.getDiagnostics().Report(diag::err_fe_backend_plugin) << std::string("divcost: ") + Text;
}

bool Compilation::readOptions(const std::vector<std::string> &Arguments) {
  dc_error Error;
  bool Good = true;
  for (const std::string &Argument : Arguments)
    if (dcp_options_set(&Options, Argument.c_str(), &Error) != DC_OK) {
      reportError(Error.text);
      Good = false;
    }
  if (Options.help)
    llvm::outs() << dcp_options_help();
  return Good;
}

bool Compilation::checkFiles() {
  dc_error Error;
  if (Options.report && dcp_report_check(Options.report, &Error) != DC_OK) {
    reportError(Error.text);
    return false;
  }
  if (Options.annotations &&
      dcp_annotation_file(Options.annotations, &Annotations, &Error) != DC_OK) {
    reportError(Error.text);
    return false;
  }
  if (Options.measured && dc_measured_load(Options.measured, &Measured, &Error) != DC_OK) {
    reportError(("measurements '" + std::string(Options.measured) + "': " + Error.text).c_str());
    return false;
  }
  if (Options.ptxas && dc_ptxas_load(Options.ptxas, &Ptxas, &Error) != DC_OK) {
    reportError(("registers '" + std::string(Options.ptxas) + "': " + Error.text).c_str());
    return false;
  }
  if (Options.profile_use && dc_profile_load(Options.profile_use, &Profile, &Error) != DC_OK) {
    reportError(("profile '" + std::string(Options.profile_use) + "': " + Error.text).c_str());
    return false;
  }
  return true;
}

void Compilation::readSyntaxTree(ASTContext &Context) {
  std::string Directory;
  if (auto Current = Instance.getFileManager().getVirtualFileSystem().getCurrentWorkingDirectory())
    Directory = *Current;
  Where = std::make_unique<SourceLocations>(Context.getSourceManager(), Instance.getCodeGenOpts(),
                                            std::move(Directory));
  if (Options.nvcc)
    Source.compiler = DCP_NVCC;
  else if (Instance.getCodeGenOpts().OptimizationLevel > 2)
    Source.compiler = DCP_CLANG_O3;
  OfEntries = readSource(Context, *Where, *Found, Annotations, Source);
  dc_error Error;
  if (dcp_annotations_apply(&Annotations, &Source, &Error) != DC_OK)
    reportError(Error.text);
}

void Compilation::markLibraries(dc_unit &Unit) {
  const clang::SourceManager &SM = Instance.getSourceManager();
  llvm::StringMap<bool> Files;
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    dc_kernel &Kernel = Unit.kernels[K].kernel;
    bool IsLibrarys = Kernel.n_locations > 0;
    for (uint32_t L = 0; L < Kernel.n_locations; ++L) {
      dc_location &At = Kernel.locations[L];
      auto [File, IsNew] = Files.try_emplace(dc_kernel_text(&Kernel, At.file));
      if (IsNew)
        if (SourceLocation Place = Where->translate(File->first(), At.line, 1); Place.isValid())
          File->second = SM.isInSystemHeader(Place);
      At.library = File->second;
      IsLibrarys &= At.library || !At.line;
    }
    Unit.kernels[K].library = IsLibrarys;
    for (uint32_t A = 0; A < Kernel.n_accesses; ++A) // what a library does is the call's
      Kernel.accesses[A].location = dcp_users_location(&Kernel, Kernel.accesses[A].location);
  }
}

void Compilation::applyPtxas(dc_unit &Unit, unsigned Sm) {
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    dc_kernel &Kernel = Unit.kernels[K].kernel;
    if (unsigned Count = dc_ptxas_registers(&Ptxas, dc_kernel_text(&Kernel, Kernel.symbol), Sm))
      dc_kernel_set_registers(&Kernel, Sm, Count);
  }
}

// Not where entries of files are looked for, since what is said of these is said once; and without
// an error, which the whole report will have, too.
void Compilation::reportFirst(const llvm::Module &M) {
  if (!Options.first_report || !Options.report || !Where || Options.measured ||
      Options.profile_use || generatesProfile() || Annotations.n_entries || Annotations.n_kernels)
    return;
  auto Few = copyFewInstances(M, [this](const llvm::Function &F) { return isInLibrary(F); });
  if (!Few)
    return;
  dc_unit Unit = {};
  dc_error Error;
  dcp_session Alone = DCP_ALONE;
  unsigned Sm = smNumber(Instance.getTarget().getTargetOpts().CPU);
  auto Prepare = [&](dc_unit &Analysed) {
    markLibraries(Analysed);
    applyPtxas(Analysed, Sm);
  };
  if (divcost::examine(
          *Few, /*OnlyWarns=*/false, Options, Source, Annotations, Sm, mainFile(),
          [](uint32_t, const llvm::Function &, const ssa_function &) {}, Prepare, Unit, Error) &&
      silence(Unit))
    dcp_report_write(Options.first_report, &Alone, &Unit, &Error);
  dc_unit_free(&Unit);
}

void Compilation::examine(llvm::Module &Private, llvm::Module *Real) {
  if (!Where) // the syntax tree was never read: a precompiled header, say
    return;
  dc_unit Unit = {};
  dc_error Error;
  dcp_session Session = DCP_ALONE;
  unsigned Sm = smNumber(Instance.getTarget().getTargetOpts().CPU);
  char Text[768];
  if (dcp_options_foreign(&Options, Sm, Text, sizeof Text))
    Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
        << std::string("divcost: ") + Text;
  std::deque<KernelBlocks> Blocks; // of each kernel, where profiles are made or used
  bool Profiles = Options.profile_generate || Options.profile_use;
  auto Built = [&](uint32_t Number, const llvm::Function &Part, const ssa_function &Lowered) {
    Blocks.resize(Number + 1);
    if (Profiles)
      Blocks.back().add(Part, Lowered, Source);
  };
  auto Prepare = [&](dc_unit &Analysed) {
    Blocks.resize(Analysed.n_kernels);
    markLibraries(Analysed);
    applyPtxas(Analysed, Sm);
    chooseBlocks(Analysed, Blocks);
    applyMeasured(Analysed);
    applyProfile(Analysed, Blocks);
  };
  if (Profiles)
    UnitHash = numberBlocks(Private);
  if (!divcost::examine(Private, onlyWarns(Private), Options, Source, Annotations, Sm, mainFile(),
                        Built, Prepare, Unit, Error)) {
    reportError(Error.text);
  } else {
    if (needsSession(Unit) &&
        dcp_session_open(&Session, Instance.getLangOpts().CUID.c_str(), &Error) != DC_OK)
      Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
          << std::string("divcost: ") + Error.text +
                 "; with several architectures, loops are reported for each";
    diagnose(Unit, &Session);
    remark(Unit);
    if (Real) {
      emitRemarks(*Real, Unit, Options, /*RecordOnly=*/true);
      attachAnnotations(*Real, Source);
    }
    if (Options.embed)
      checkEmbedding(&Session);
    if ((Options.report || Options.embed) &&
        dcp_report_write(Options.report, &Session, &Unit, &Error) != DC_OK)
      reportError(Error.text);
    dcp_session_close(&Session);
    for (uint32_t K = 0; K < Unit.n_kernels; ++K)
      for (uint32_t F = 0; F < Unit.kernels[K].n_findings; ++F)
        GaveUp |= Unit.kernels[K].findings[F].rule == DC_RULE_GAVE_UP;
    if (generatesProfile() && dcp_profile_claims(&Unit, &Source, &Claims, &Error) != DC_OK)
      reportError(Error.text);
  }
  dc_unit_free(&Unit);
}

// Whether there is anything that the processes of one compilation must agree on.
bool Compilation::needsSession(const dc_unit &Unit) const {
  for (uint32_t K = 0; K < Unit.n_kernels; ++K)
    for (uint32_t F = 0; F < Unit.kernels[K].n_findings; ++F)
      if (Options.warn[Unit.kernels[K].findings[F].rule])
        return true;
  for (uint32_t L = 0; L < Source.n_loops; ++L)
    if (isLost(Unit, Source.loops[L]))
      return true;
  for (uint32_t E = 0; E < Annotations.n_entries; ++E)
    if (!Annotations.entries[E].used || Annotations.entries[E].overruled)
      return true;
  for (uint32_t E = 0; E < Annotations.n_kernels; ++E)
    if (!Annotations.kernels[E].used)
      return true;
  if (!OfEntries.empty())
    return true;
  return Options.report || Options.embed;
}

// The file as the user named it; a preprocessed one says so in its first line.
std::string Compilation::mainFile() const {
  SourceManager &SM = Instance.getSourceManager();
  FileID Main = SM.getMainFileID();
  bool Preprocessed = SM.getBufferData(Main).starts_with("# 1 ");
  PresumedLoc Start = SM.getPresumedLoc(SM.translateLineCol(Main, Preprocessed ? 2 : 1, 1));
  return Start.isValid() ? Start.getFilename() : "";
}

namespace {

class Action : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &Given,
                 const std::vector<std::string> &Arguments) override {
    auto &Instance = const_cast<CompilerInstance &>(Given); // clang hands out no other
    const LangOptions &Language = Instance.getLangOpts();
    bool IsDevice = Language.CUDA && Language.CUDAIsDevice && !Language.HIP &&
                    Instance.getTarget().getTriple().isNVPTX();
    Preprocessor &PP = Instance.getPreprocessor();
    if (Language.CUDA && !Language.HIP)
      PP.setPredefines(PP.getPredefines() + "#define __DIVCOST__ 1\n");
    auto Self = std::make_shared<Compilation>(Instance);
    addPragmaHandler(PP, IsDevice ? Self->Found : nullptr);
    if (!Self->readOptions(Arguments))
      return false;
    if (Language.CUDA && !Language.HIP && Self->generatesProfile())
      PP.setPredefines(PP.getPredefines() + Self->predefines());
    if (!IsDevice) {
      if (Language.CUDA && !Language.HIP && Self->embeds()) {
        Self->collectReport();
        Current = Self;
      }
      if (Language.CUDA)
        dcp_session_remove(Language.CUID.c_str());
      if (Language.CUDA && Self->generatesProfile())
        Compilation::followHostPipeline(Instance);
      return true;
    }
    if (!Self->checkFiles())
      return false;
    Compilation::followPipeline(Self);
    Current = std::move(Self);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override {
    if (!Current)
      return std::make_unique<ASTConsumer>();
    return Current->Instance.getLangOpts().CUDAIsDevice ? Compilation::consumer(Current)
                                                        : Compilation::embeddingConsumer(Current);
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  std::shared_ptr<Compilation> Current;
};

// In opt there is no clang to register with.
__attribute__((constructor)) void registerAction() {
  if (!isRightVersion() || !getClangFullVersion)
    return;
  static FrontendPluginRegistry::Add<Action> Entry("divcost", "the cost of thread divergence");
}

} // namespace
