// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the analysis gets a module of its own from. In a normal compilation a pass at the start of
// the pipeline clones the one that clang generated: the first that run fold a loop's condition and
// a break at the head of its body into one. Where no pipeline runs
// (-fsyntax-only, -save-temps, -Xclang -disable-llvm-passes) a second code generator listens to the
// syntax tree and makes one, which the compilation itself never sees; it links no device library,
// so __nv_* functions stay calls there.
#include "findings/findings.h"
#include "ir/module_facts.h"
#include "ir/private_copy.h"
#include "profile/instrument.h"
#include "clang/plugin.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace clang;
using namespace divcost;
using llvm::codegenoptions::DebugInfoKind;

namespace {

// How a compilation comes to its module.
enum class Way { None, Pipeline, SecondGenerator, Precompiled };

Way wayOf(const CompilerInstance &Instance) {
  switch (Instance.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return Instance.getCodeGenOpts().DisableLLVMPasses ? Way::SecondGenerator : Way::Pipeline;
  case frontend::ParseSyntaxOnly:
    return Way::SecondGenerator;
  case frontend::GeneratePCH:
    return Way::Precompiled;
  default: // no code, and nobody to read messages about it
    return Way::None;
  }
}

// True if nobody else would have kept them.
bool keepLocations(CodeGenOptions &Options) {
  if (Options.getDebugInfo() != DebugInfoKind::NoDebugInfo)
    return false;
  Options.setDebugInfo(DebugInfoKind::LocTrackingOnly);
  return true;
}

// Takes the locations out again that only the analysis wanted, so that the rest of the compilation
// is the one without the plugin: as fast, and with the same words in LLVM's own warnings.
struct ClonePass : llvm::PassInfoMixin<ClonePass> {
  ClonePass(std::shared_ptr<Compilation> Self, bool StripLocations)
      : Self(std::move(Self)), StripLocations(StripLocations) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    if (isDeviceModule(M) && !Self->hasErrors()) {
      Self->reportFirst(M);
      Self->examine(*Self->copy(M), &M);
    }
    if (StripLocations)
      llvm::StripDebugInfo(M);
    return llvm::PreservedAnalyses::all();
  }
  std::shared_ptr<Compilation> Self;
  bool StripLocations;
};

// Where profiles are generated: analyses, then counts in the module itself, as clang made it.
struct InstrumentPass : llvm::PassInfoMixin<InstrumentPass> {
  explicit InstrumentPass(std::shared_ptr<Compilation> Self) : Self(std::move(Self)) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    if (!isDeviceModule(M) || Self->hasErrors())
      return llvm::PreservedAnalyses::all();
    std::unique_ptr<llvm::Module> Private = Self->copy(M);
    removeMarks(*Private);
    Self->examine(*Private, &M);
    Self->instrument(M);
    return llvm::PreservedAnalyses::none();
  }
  std::shared_ptr<Compilation> Self;
};

// This and the next: once loops are simple, and before they are unrolled. A pass of its own, since
// uniformity is asked of what it leaves.
struct JoinPass : llvm::PassInfoMixin<JoinPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    joinWaysOut(M);
    return llvm::PreservedAnalyses::none();
  }
};

struct SettlePass : llvm::PassInfoMixin<SettlePass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM) {
    auto &FAM = MAM.getResult<llvm::FunctionAnalysisManagerModuleProxy>(M).getManager();
    settleVisits(M, [&](llvm::Function &F) -> llvm::UniformityInfo & {
      return FAM.getResult<llvm::UniformityInfoAnalysis>(F);
    });
    settleLeads(M);
    return llvm::PreservedAnalyses::none();
  }
};

// Says where it counts; until then, locations are needed.
struct FinishPass : llvm::PassInfoMixin<FinishPass> {
  FinishPass(std::shared_ptr<Compilation> Self, bool StripLocations)
      : Self(std::move(Self)), StripLocations(StripLocations) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    if (isDeviceModule(M) && !Self->hasErrors())
      Self->finishInstrumentation(M);
    if (StripLocations)
      llvm::StripDebugInfo(M);
    return llvm::PreservedAnalyses::none();
  }
  std::shared_ptr<Compilation> Self;
  bool StripLocations;
};

class ReadingConsumer : public ASTConsumer {
public:
  explicit ReadingConsumer(std::shared_ptr<Compilation> Self) : Self(std::move(Self)) {}
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (Self->generatesProfile() && !Self->hasErrors())
        markLoops(D->getASTContext(), D); // before there is code of it
    return true;
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Self->hasErrors())
      return;
    if (Self->generatesProfile())
      markLoops(Context, Context.getTranslationUnitDecl());
    Self->readSyntaxTree(Context);
  }

private:
  std::shared_ptr<Compilation> Self;
};

// What the second generator refers to: a base class, so that it outlives the generator.
struct GeneratorState {
  explicit GeneratorState(CompilerInstance &Instance)
      : Options(Instance.getCodeGenOpts()), Silent(makeSilent(Instance.getDiagnostics())) {
    keepLocations(Options);
    Options.OptimizationLevel = 2;
    Options.setInlining(CodeGenOptions::NormalInlining);
    Options.PassBuilderCallbacks.clear();
    Silent->setSourceManager(&Instance.getSourceManager());
  }
  static llvm::IntrusiveRefCntPtr<DiagnosticsEngine> makeSilent(DiagnosticsEngine &Diags) {
#if LLVM_VERSION_MAJOR >= 21
    auto &DiagnosticOptions = Diags.getDiagnosticOptions();
#else
    auto *DiagnosticOptions = &Diags.getDiagnosticOptions();
#endif
    return llvm::makeIntrusiveRefCnt<DiagnosticsEngine>(Diags.getDiagnosticIDs(), DiagnosticOptions,
                                                        new IgnoringDiagConsumer, true);
  }

  llvm::LLVMContext Context;
  CodeGenOptions Options;
  llvm::IntrusiveRefCntPtr<DiagnosticsEngine> Silent;
};

CodeGenerator *makeGenerator(CompilerInstance &Instance, GeneratorState &State) {
#if LLVM_VERSION_MAJOR >= 22
  auto Files = Instance.getVirtualFileSystemPtr();
#else
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = &Instance.getVirtualFileSystem();
#endif
  auto Generator =
      CreateLLVMCodeGen(*State.Silent, "divcost", Files, Instance.getHeaderSearchOpts(),
                        Instance.getPreprocessorOpts(), State.Options, State.Context);
#if LLVM_VERSION_MAJOR >= 22
  return Generator.release();
#else
  return Generator;
#endif
}

std::vector<std::unique_ptr<ASTConsumer>> only(ASTConsumer *Consumer) {
  std::vector<std::unique_ptr<ASTConsumer>> List;
  List.emplace_back(Consumer);
  return List;
}

// Passes everything to the generator until there is an error: it may not see erroneous code.
class GeneratingConsumer : private GeneratorState, public MultiplexConsumer {
public:
  explicit GeneratingConsumer(const std::shared_ptr<Compilation> &Self)
      : GeneratingConsumer(Self, nullptr) {}

  bool HandleTopLevelDecl(DeclGroupRef D) override {
    return Self->hasErrors() || MultiplexConsumer::HandleTopLevelDecl(D);
  }
  void HandleInlineFunctionDefinition(FunctionDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleInlineFunctionDefinition(D);
  }
  void HandleInterestingDecl(DeclGroupRef D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleInterestingDecl(D);
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleTagDeclDefinition(D);
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleTagDeclRequiredDefinition(D);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleCXXStaticMemberVarInstantiation(D);
  }
  void CompleteTentativeDefinition(VarDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::CompleteTentativeDefinition(D);
  }
  void HandleVTable(CXXRecordDecl *D) override {
    if (!Self->hasErrors())
      MultiplexConsumer::HandleVTable(D);
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Self->hasErrors())
      return;
    Self->readSyntaxTree(Context);
    if (Self->hasErrors())
      return;
    MultiplexConsumer::HandleTranslationUnit(Context);
    std::unique_ptr<llvm::Module> M(Generator->ReleaseModule());
    if (!M || !isDeviceModule(*M))
      return;
    Self->reportFirst(*M);
    Self->examine(*Self->copy(*M), nullptr);
  }

private:
  GeneratingConsumer(const std::shared_ptr<Compilation> &Self, CodeGenerator *)
      : GeneratorState(Self->Instance),
        MultiplexConsumer(only(Generator = makeGenerator(Self->Instance, *this))), Self(Self) {}
  CodeGenerator *Generator;
  std::shared_ptr<Compilation> Self;
};

} // namespace

bool Compilation::onlyWarns(const llvm::Module &M) const {
  return !Options.report && !Options.embed && !Options.annotations && !Options.measured &&
         !Options.ptxas && !Options.profile_use && !generatesProfile() &&
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

bool Compilation::hasPartWarps(const llvm::Function &Kernel) const {
  if (Options.block[0] != 0)
    return dcp_has_part_warp(Options.block);
  const dcp_kernel_source *Known = dcp_source_find_kernel(&Source, Kernel.getName().str().c_str());
  for (uint32_t K = 0; Known && K < Known->n_launches; ++K)
    if (dcp_has_part_warp(Known->launches[K].block))
      return true;
  return false;
}

std::unique_ptr<llvm::Module> Compilation::copy(const llvm::Module &M) {
  if (!onlyWarns(M))
    return llvm::CloneModule(M);
  return copyKernelsThatMayWarn(
      M, [this](const llvm::Function &F) { return isInLibrary(F); },
      [this](const llvm::Function &F) { return hasPartWarps(F); });
}

std::unique_ptr<ASTConsumer> Compilation::consumer(std::shared_ptr<Compilation> Self) {
  switch (wayOf(Self->Instance)) {
  case Way::None:
    break;
  case Way::Pipeline:
    return std::make_unique<ReadingConsumer>(std::move(Self));
  case Way::SecondGenerator:
    return std::make_unique<GeneratingConsumer>(Self);
  case Way::Precompiled:
    return precompilingConsumer(std::move(Self));
  }
  return std::make_unique<ASTConsumer>();
}

static void addCountingPasses(llvm::PassBuilder &PB, const std::shared_ptr<Compilation> &Self,
                              bool StripLocations) {
  PB.registerPipelineStartEPCallback(
      [Self](llvm::ModulePassManager &Passes, llvm::OptimizationLevel) {
        Passes.addPass(InstrumentPass(Self));
      });
  // From LLVM 20 on these also tell the phase of link-time optimisation.
  PB.registerOptimizerEarlyEPCallback(
      [](llvm::ModulePassManager &Passes, llvm::OptimizationLevel, auto...) {
        Passes.addPass(JoinPass());
        Passes.addPass(SettlePass());
      });
  PB.registerOptimizerLastEPCallback(
      [Self, StripLocations](llvm::ModulePassManager &Passes, llvm::OptimizationLevel, auto...) {
        Passes.addPass(FinishPass(Self, StripLocations));
      });
}

void Compilation::followPipeline(std::shared_ptr<Compilation> Self) {
  if (wayOf(Self->Instance) != Way::Pipeline) {
    if (Self->generatesProfile() && Self->Instance.getCodeGenOpts().DisableLLVMPasses)
      Self->reportError("profile-generate instruments in the compiler's pipeline, which isn't run "
                        "with -save-temps or -disable-llvm-passes: leave these out");
    return;
  }
  CodeGenOptions &Options = Self->Instance.getCodeGenOpts();
  bool StripLocations = keepLocations(Options);
  bool Generates = Self->generatesProfile();
  Options.PassBuilderCallbacks.push_back([Self, StripLocations, Generates](llvm::PassBuilder &PB) {
    if (Generates) {
      addCountingPasses(PB, Self, StripLocations);
      return;
    }
    PB.registerPipelineStartEPCallback(
        [Self, StripLocations](llvm::ModulePassManager &Passes, llvm::OptimizationLevel) {
          Passes.addPass(ClonePass(Self, StripLocations));
        });
  });
}
