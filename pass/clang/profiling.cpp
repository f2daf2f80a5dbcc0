// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation does for profiles: to generate one, it instruments its module, the loops that
// may diverge or, with profile-check, all; to use one, it gives the measured distributions to the
// loops of the analysis. What a profiler measured goes to the kernels' loops and branches.
#include "findings/messages.h"
#include "ir/module_facts.h"
#include "profile/instrument.h"
#include "clang/plugin.h"

#include "divcost/arch.h"
#include "divcost/input.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace clang;
using namespace divcost;

std::string Compilation::predefines() const {
  return recorderText(Options.profile_generate, Options.profile_check);
}

// The functions that other modules may call, with all that these call: of such calls nothing is
// known.
static llvm::DenseSet<const llvm::Function *> calledFromElsewhere(const llvm::Module &M) {
  llvm::SmallVector<const llvm::Function *, 16> Waiting;
  llvm::DenseSet<const llvm::Function *> Result;
  for (const llvm::Function &F : M)
    if (!F.isDeclaration() && !F.hasLocalLinkage() && !isKernel(F))
      Waiting.push_back(&F);
  while (!Waiting.empty()) {
    const llvm::Function *F = Waiting.pop_back_val();
    if (!Result.insert(F).second)
      continue;
    for (const llvm::Instruction &I : instructions(*F))
      for (const llvm::Value *Operand : I.operands())
        if (auto *Used = llvm::dyn_cast<llvm::Function>(Operand->stripPointerCasts()))
          Waiting.push_back(Used);
  }
  return Result;
}

// Threads of the largest block that the unit launches a kernel with; 0: not known of all launches.
static uint64_t threadsLaunched(const dcp_kernel_source *Known, const dc_kernel &Kernel) {
  uint64_t Most = 0;
  if (!Known || Known->launches_not_known > 0)
    return 0;
  for (uint32_t K = 0; K < Kernel.n_launches; ++K) {
    const dc_launch &Launch = Kernel.launches[K];
    if (Launch.from != DC_BLOCK_LAUNCH)
      return 0;
    Most = std::max(Most, uint64_t(Launch.block[0]) * Launch.block[1] * Launch.block[2]);
  }
  return Most;
}

constexpr unsigned ThreadRegisters = 255, BlockRegisters = 65536;   // at most
constexpr unsigned ThreadUnit = 128, RegisterUnit = 8;              // what they are handed out in
constexpr unsigned AllWarpsRegisters = 32, HalfWarpsRegisters = 64; // where so many can be there

// How many registers leave room for each block that may be launched without recording: for the
// largest one, if it is known; else, where threads are a power of two, for a kernel that is
// expected to have so many. What counts takes some.
static uint64_t registersForBlock(const RegisterNeed &Need) {
  uint64_t Threads = Need.threads ? llvm::alignTo(Need.threads, ThreadUnit) : 1024;
  while (!Need.threads && Threads * ThreadRegisters > BlockRegisters &&
         Need.live * Threads > BlockRegisters)
    Threads /= 2;
  return llvm::alignDown(BlockRegisters / Threads, RegisterUnit);
}

// The same, with half as many warps on a multiprocessor as without recording. Of code that is there
// in many copies, more values seem to be alive at once than are; of kernels that call functions
// nobody knows, and half of the warps are expected. 0: any number.
static unsigned registersLeft(const RegisterNeed &Need) {
  uint64_t Left = registersForBlock(Need),
           Expected = std::max<uint64_t>(Need.live + Need.arrays, AllWarpsRegisters);
  if (Need.together)
    Expected = std::min<uint64_t>(Expected, HalfWarpsRegisters);
  if (Need.live || Need.together)
    Left = std::min(Left, 2 * llvm::alignTo(Expected, RegisterUnit));
  return Left < ThreadRegisters ? static_cast<unsigned>(Left) : 0;
}

// Wanted are the loops that the analysis calls divergent, and those that it has no word of because
// others may call their function or because it reached a limit. (One that it doesn't know because
// the optimiser removed or unrolled it completely won't run as a loop.)
void Compilation::instrument(llvm::Module &M) {
  std::set<std::tuple<std::string, uint32_t, uint32_t>> Known, Divergent;
  for (uint32_t K = 0; K < Claims.n_loops; ++K) {
    const dc_profile_loop &Loop = *Claims.loops[K];
    std::tuple<std::string, uint32_t, uint32_t> Place(Loop.file, Loop.line, Loop.column);
    Known.insert(Place);
    if (Loop.level == DC_DIVERGENT)
      Divergent.insert(Place);
  }
  llvm::DenseSet<const llvm::Function *> Elsewhere;
  if (Instance.getLangOpts().GPURelocatableDeviceCode)
    Elsewhere = calledFromElsewhere(M);
  inlineAsAnalysed(M);
  for (const auto &[Symbol, Need] : RegistersExpected)
    if (llvm::Function *Kernel = M.getFunction(Symbol))
      if (unsigned Most = registersLeft(Need))
        limitRegisters(*Kernel, Most);
  markVisits(M, [&](const llvm::Function &F, uint64_t Hash, uint32_t Number) {
    return CountedBlocks.count({F.getName().str(), Hash, Number}) > 0;
  });
  countTrips(M, Options.profile_check, [&](const llvm::Function &F, const llvm::DILocation &At) {
    std::tuple<std::string, uint32_t, uint32_t> Place(pathOf(*At.getScope()), At.getLine(),
                                                      At.getColumn());
    return Options.profile_check || Divergent.count(Place) ||
           (!Known.count(Place) && (GaveUp || Elsewhere.contains(&F)));
  });
}

bool Compilation::findArch(dc_arch &Arch) const {
  unsigned Sm = smNumber(Instance.getTarget().getTargetOpts().CPU);
  return dcp_options_arch(&Options, Sm, &Arch, nullptr) == DC_OK;
}

// Whether a block is in the kernel itself, not in a function that it calls.
static bool isOfKernel(const dc_kernel &Kernel, const dcp_block_name &Name) {
  return llvm::StringRef(Name.root) == dc_kernel_text(&Kernel, Kernel.symbol);
}

// Whether so many can be counted, if need be together with other copies of their function.
static bool canBeCounted(const std::vector<dcp_block_name> &Names) {
  std::set<std::tuple<llvm::StringRef, uint64_t, uint32_t>> Together;
  for (const dcp_block_name &Name : Names)
    Together.emplace(Name.function, Name.hash, Name.number);
  return Together.size() <= MostCounted;
}

// The targets of branches that are expected to be predicated by a close decision: by nvcc's code
// they may well not be.
static std::vector<dcp_block_name> namesOfClose(const dc_kernel &Kernel,
                                                const dcp_kernel_blocks &Of,
                                                const std::vector<dc_block_plan> &Plan) {
  std::vector<dcp_block_name> Names;
  for (uint32_t B = 0; B < Kernel.n_blocks; ++B) {
    const dc_block &Block = Kernel.blocks[B];
    if (Block.branch == DC_NONE || !Kernel.branches[Block.branch].close)
      continue;
    for (uint32_t S = 0; S < Block.n_successors; ++S) {
      uint32_t To = Kernel.successors[Block.first_successor + S];
      if (To != DC_NONE && Plan[To].by == DC_COUNTED_WITH && Of.names[To].function)
        Names.push_back(Of.names[To]);
    }
  }
  return Names;
}

// Adds these if they can be counted, too, and nothing is counted together for them alone.
static void addNames(std::vector<dcp_block_name> &Names, const std::vector<dcp_block_name> &More) {
  std::vector<dcp_block_name> All(Names);
  All.insert(All.end(), More.begin(), More.end());
  if (All.size() <= MostCounted || (Names.size() > MostCounted && canBeCounted(All)))
    Names = std::move(All);
}

// The blocks of a kernel that are counted, as few as tell of all, and its slow paths. Where these
// are too many, what other compilers may have otherwise is left out first, and slow paths then.
static std::vector<dcp_block_name> countedOf(const dc_kernel &Kernel, const dcp_kernel_blocks &Of,
                                             const std::vector<dc_block_plan> &Plan) {
  std::vector<dcp_block_name> Names, Slow;
  bool Calls = dc_can_count_calls(&Kernel); // else the kernel has no efficiency
  for (size_t B = 0; B < Plan.size(); ++B)
    if (Of.names[B].function && Plan[B].by == DC_COUNTED_HERE &&
        (Calls || isOfKernel(Kernel, Of.names[B])))
      Names.push_back(Of.names[B]);
  if (!canBeCounted(Names))
    return {};
  for (uint32_t S = 0; S < Of.n_slow; ++S)
    Slow.push_back(Of.slow[S].name);
  addNames(Names, Slow);
  addNames(Names, namesOfClose(Kernel, Of, Plan));
  return Names;
}

// Copies of a function count the blocks that any of them asks for.
void Compilation::chooseBlocks(dc_unit &Unit, const std::deque<KernelBlocks> &Blocks) {
  dc_arch Arch;
  bool Known = findArch(Arch);
  for (uint32_t K = 0; generatesProfile() && K < Unit.n_kernels; ++K) {
    dc_kernel &Kernel = Unit.kernels[K].kernel;
    dcp_kernel_blocks Of = Blocks[K].view();
    Of.unit = UnitHash;
    std::vector<dc_block_plan> Plan(Kernel.n_blocks);
    std::vector<dcp_block_name> Names;
    dc_error Error;
    if (Known)
      dc_arch_predicate(&Arch, &Kernel);
    if (dcp_profile_plan(&Kernel, &Of, &Source, Plan.data(), &Error) != DC_OK)
      reportError(Error.text);
    else
      Names = countedOf(Kernel, Of, Plan);
    const dc_profile_body Counted = dcp_profile_planned(&Kernel, &Of, Plan.data());
    if (!Names.empty() && !dc_profile_add_body(&Planned, &Counted))
      reportError("out of memory");
    for (const dcp_block_name &Name : Names) {
      CountedBlocks.emplace(Name.function, Name.hash, Name.number);
      if (!isOfKernel(Kernel, Name))
        CalledAsAnalysed.insert(Name.root);
    }
    Inlined.insert(Blocks[K].inlined().begin(), Blocks[K].inlined().end());
    // Without launch bounds, blocks may be as large as the registers allow. But functions of
    // relocatable device code have as many as they need, and nvlink links no kernel with fewer.
    const dc_resources &Resources = Kernel.resources;
    const char *Symbol = dc_kernel_text(&Kernel, Kernel.symbol);
    bool CallsAny = !Resources.live_known && Instance.getLangOpts().GPURelocatableDeviceCode;
    if (Resources.known && !Resources.max_threads && !Resources.max_registers && !CallsAny)
      RegistersExpected[Symbol] = {Resources.live_known ? Resources.live
                                   : Kernel.n_calls > 0 ? HalfWarpsRegisters
                                                        : 0,
                                   Resources.arrays,
                                   threadsLaunched(dcp_source_find_kernel(&Source, Symbol), Kernel),
                                   Names.size() > MostCounted};
  }
}

// The blocks of functions that the optimiser didn't inline would be counted for all their calls
// together, and of those that it inlined, and that the analysis didn't, elsewhere.
void Compilation::inlineAsAnalysed(llvm::Module &M) {
  for (llvm::Function &F : M) {
    const llvm::DISubprogram *At = F.getSubprogram();
    if (At && Inlined.count(placeOf(*At)) && !F.hasFnAttribute(llvm::Attribute::NoInline))
      F.addFnAttr(llvm::Attribute::AlwaysInline);
    else if (CalledAsAnalysed.count(F.getName().str())) {
      F.removeFnAttr(llvm::Attribute::AlwaysInline);
      F.addFnAttr(llvm::Attribute::NoInline);
    }
  }
}

void Compilation::finishInstrumentation(llvm::Module &M) {
  if (!placeCounters(M, Source, Claims, Planned))
    reportError("out of memory");
}

static std::string nameOf(const dc_kernel &Kernel) {
  char Name[512];
  dcp_word_name(&Kernel, Name, sizeof Name);
  return Name;
}

// Function: whose code or text is another one than when the kernel was recorded.
void Compilation::sayStale(const dc_kernel &Kernel, const char *Function, const std::string &Lost) {
  Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
      << "divcost: profile '" + std::string(Options.profile_use) + "' is stale for kernel " +
             nameOf(Kernel) + ": function '" + Function + "' has changed since, so " + Lost +
             "; profile again";
}

// False: it failed, and said so.
bool Compilation::applyProfileTo(dc_unit_kernel &Of, dcp_kernel_blocks Names, const dc_arch *Arch) {
  dc_kernel &Kernel = Of.kernel;
  uint32_t Loops = 0;
  const char *Changed = nullptr, *Function = "";
  dc_error Error;
  if (Arch)
    dc_arch_predicate(Arch, &Kernel);
  dcp_profile_launches(&Profile, &Kernel);
  dcp_profile_values(&Profile, &Source, &Kernel);
  if ((!Of.measured.launches &&
       dcp_profile_count(&Profile, &Names, &Source, &Of, &Changed, &Error) != DC_OK) ||
      dcp_profile_apply(&Profile, Options.profile_use, &Source, Arch, &Kernel, &Loops, &Function,
                        &Error) != DC_OK) {
    reportError(Error.text);
    return false;
  }
  if (Loops)
    sayStale(Kernel, Function,
             std::to_string(Loops) + (Loops == 1 ? " loop goes" : " loops go") + " without counts");
  else if (Changed)
    sayStale(Kernel, nameOf(Changed).c_str(), "what idles in it is estimated");
  return true;
}

void Compilation::applyProfile(dc_unit &Unit, const std::deque<KernelBlocks> &Blocks) {
  dc_arch Arch;
  bool Known = findArch(Arch);
  std::map<std::string, unsigned> Callers; // that ran, of each function
  for (uint32_t K = 0; Options.profile_use && K < Unit.n_kernels; ++K) {
    const dc_kernel &Kernel = Unit.kernels[K].kernel;
    if (dc_profile_find_kernel(&Profile, dc_kernel_text(&Kernel, Kernel.symbol)))
      for (const std::string &Root : Blocks[K].roots())
        ++Callers[Root];
  }
  for (uint32_t K = 0; Options.profile_use && K < Unit.n_kernels; ++K) {
    dcp_kernel_blocks Names = Blocks[K].view();
    Names.unit = UnitHash;
    for (const std::string &Root : Blocks[K].roots())
      Names.shared |= Callers[Root] > 1;
    if (!applyProfileTo(Unit.kernels[K], Names, Known ? &Arch : nullptr))
      return;
  }
}

void Compilation::applyMeasured(dc_unit &Unit) {
  const dc_text_source Texts = {dc_input_text, nullptr};
  for (uint32_t K = 0; Options.measured && K < Unit.n_kernels; ++K) {
    dc_unit_kernel &Kernel = Unit.kernels[K];
    const dc_measured_line *Changed;
    dc_error Error;
    if (dc_unit_measure(&Kernel, &Measured, &Texts, &Changed, &Error) != DC_OK) {
      reportError(Error.text);
      return;
    }
    if (Changed)
      Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
          << "divcost: measurements '" + std::string(Options.measured) + "' are stale for kernel " +
                 nameOf(Kernel.kernel) + ": line " + std::to_string(Changed->line) + " of '" +
                 Changed->file + "' has changed since, comments aside; measure again";
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
