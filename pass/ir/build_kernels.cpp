// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One skeleton per kernel: the kernel's own function, and after it the functions that it still
// calls, or may call, once everything that can be is inlined. Here the launch configuration is
// decided too, in the order of docs/options.md.
#include "ir/build_kernels.h"

#include "analysis/analysis.h"
#include "analysis/barriers.h"
#include "findings/findings.h"
#include "ir/called_functions.h"
#include "ir/lower.h"
#include "ir/module_facts.h"
#include "ir/resources.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <cstdlib>

using namespace llvm;
using namespace divcost;

namespace {

// Which dimensions of threadIdx the kernel reads, as bits.
unsigned dimensionsUsed(const SmallSetVector<const Function *, 8> &Functions) {
  unsigned Used = 1;
  for (const Function *F : Functions)
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction()) {
        StringRef Name = Call->getCalledFunction()->getName();
        if (Name.consume_front("llvm.nvvm.read.ptx.sreg.tid."))
          Used |= Name == "y" ? 2u : Name == "z" ? 4u : 1u;
      }
  return Used;
}

class KernelBuilder {
public:
  KernelBuilder(const Function &F, const PointerTargets &Targets, bool OnlyWarns,
                const dcp_options &Options, const dcp_source &Source,
                function_ref<void(const Function &, const ssa_function &)> Built,
                dc_unit_kernel &Out)
      : F(F), Called(calledFunctions(F, Targets)), OnlyWarns(OnlyWarns), Options(Options),
        Source(Source), Built(Built), Out(Out), Kernel(Out.kernel), Locations(Out.kernel),
        Known(dcp_source_find_kernel(&Source, F.getName().str().c_str())) {}
  bool run();

private:
  void describe();
  void decideLaunches(unsigned Dimensions);
  void assumeRowsOfWarps();
  bool addLaunch(const uint32_t Block[3], const uint32_t Grid[3], dc_block_from From,
                 const dcp_launch *At);
  dcp_block_dims dimsForVerdicts() const;
  bool callsOthers() const;
  bool listCalls();
  bool analyseFunction(Function &Part);
  bool knowsGrid() const;

  const Function &F;
  const CalledFunctions Called;
  bool OnlyWarns;
  const dcp_options &Options;
  const dcp_source &Source;
  function_ref<void(const Function &, const ssa_function &)> Built;
  dc_unit_kernel &Out;
  dc_kernel &Kernel;
  LocationTable Locations;
  const dcp_kernel_source *Known;
};

void KernelBuilder::describe() {
  std::string Symbol = F.getName().str(), Name = nameOf(Symbol);
  Kernel.symbol = dc_kernel_add_text(&Kernel, Symbol.c_str());
  Kernel.name = dc_kernel_add_text(&Kernel, Name.c_str());
  unsigned Sm = smOf(*F.getParent());
  Kernel.machine_code = dc_machine_code_sm(dc_machine_code_find(Sm), Sm);
  Kernel.location = DC_NONE;
  if (Known) {
    Kernel.location = dc_kernel_add_location(&Kernel);
    if (Kernel.location != DC_NONE)
      Kernel.locations[Kernel.location] = {dc_kernel_add_text(&Kernel, Known->file),
                                           Known->line,
                                           Known->column,
                                           Kernel.name,
                                           DC_NONE,
                                           false};
  } else if (const DISubprogram *Subprogram = F.getSubprogram()) {
    const DILocation *At = DILocation::get(F.getContext(), Subprogram->getLine(), 1,
                                           const_cast<DISubprogram *>(Subprogram));
    Kernel.location = Locations.of(At);
  }
  Kernel.l2 = Known ? Known->l2 : 0;
  for (const Argument &A : F.args()) {
    uint32_t At = dc_kernel_add_param(&Kernel);
    if (At == DC_NONE)
      return;
    dc_param Parameter = {};
    Parameter.name = dc_kernel_add_text(&Kernel, A.getName().str().c_str());
    if (Known && A.getArgNo() < Known->n_parameters) {
      const dcp_parameter &From = Known->parameters[A.getArgNo()];
      if (From.name)
        Parameter.name = dc_kernel_add_text(&Kernel, From.name);
      Parameter.known = From.known;
      Parameter.value = From.value;
      Parameter.extent = From.extent;
    }
    Kernel.params[At] = Parameter;
  }
}

static bool isLegal(const uint32_t Block[3]) {
  uint64_t Threads = 1;
  for (unsigned D = 0; D < 3; ++D)
    Threads *= std::min<uint64_t>(Block[D], 1025);
  return Threads >= 1 && Threads <= 1024;
}

// False: CUDA launches no such block, so the kernel never runs in it.
bool KernelBuilder::addLaunch(const uint32_t Block[3], const uint32_t Grid[3], dc_block_from From,
                              const dcp_launch *At) {
  uint32_t Index = isLegal(Block) ? dc_kernel_add_launch(&Kernel) : DC_NONE;
  if (Index == DC_NONE)
    return false;
  dc_launch Launch = {};
  for (unsigned D = 0; D < 3; ++D) {
    Launch.block[D] = Block[D];
    Launch.grid[D] = Grid ? Grid[D] : 0;
  }
  Launch.from = static_cast<uint8_t>(From);
  Launch.location = DC_NONE;
  Launch.shared_known = At && At->shared_known;
  Launch.shared = Launch.shared_known ? At->shared : 0;
  if (At && At->file) {
    Launch.location = dc_kernel_add_location(&Kernel);
    if (Launch.location != DC_NONE)
      Kernel.locations[Launch.location] = {
          dc_kernel_add_text(&Kernel, At->file), At->line, At->column, 0, DC_NONE, false};
  }
  Kernel.launches[Index] = Launch;
  return true;
}

constexpr uint32_t AssumedThreads = 256, MostInZ = 64;

// Sets what isn't known of a block's dimensions, and is 0: as much as may be of a shape, within so
// many threads, which the last one fills up if some are known.
static void complete(uint32_t (&Block)[3], const uint32_t (&Shape)[3], uint32_t Threads) {
  uint32_t Left = Threads, Unknown = 0;
  for (uint32_t Known : Block) {
    Left = Known ? Left / std::min(Known, Left) : Left;
    Unknown += Known == 0;
  }
  bool Fills = Unknown < 3;
  for (unsigned D = 0; D < 3; ++D)
    if (Block[D] == 0) {
      bool Last = --Unknown == 0;
      Block[D] = std::min(Fills && Last ? Left : Shape[D], D < 2 ? Left : std::min(Left, MostInZ));
      Left = std::max(Left / Block[D], 1u);
    }
}

// The option, the pragma, the annotation file, reqntid, launches in the unit, launch bounds, an
// assumption: the first that is there.
void KernelBuilder::decideLaunches(unsigned Dimensions) {
  auto AddFrom = [this](dc_block_from From) {
    for (uint32_t K = 0; Known && K < Known->n_launches; ++K)
      if (Known->launches[K].from == From)
        addLaunch(Known->launches[K].block, Known->launches[K].grid, From, &Known->launches[K]);
    return Kernel.n_launches > 0;
  };
  uint32_t Block[3];
  if (Options.block[0] != 0 && addLaunch(Options.block, nullptr, DC_BLOCK_OPTION, nullptr))
    return;
  if (AddFrom(DC_BLOCK_PRAGMA) || AddFrom(DC_BLOCK_ANNOTATIONS) || AddFrom(DC_BLOCK_REQNTID))
    return;
  if (requiredBlock(F, Block) && addLaunch(Block, nullptr, DC_BLOCK_REQNTID, nullptr))
    return;
  bool Computed = Known && Known->launches_computed > 0;
  // One thread, and then as many as the program computes: a warm-up, or a check.
  auto IsSerial = [](const dc_launch &Launch) { return dcp_is_serial(&Launch); };
  if (AddFrom(DC_BLOCK_LAUNCH) &&
      !(Computed && std::all_of(Kernel.launches, Kernel.launches + Kernel.n_launches, IsSerial)))
    return;
  const uint32_t *Grid = Known ? Known->computed_grid : nullptr;
  uint32_t Largest = largestBlock(F), Threads = Largest ? Largest : AssumedThreads;
  const uint32_t Shapes[3][3] = {{Threads, 1, 1}, {16, 16, 1}, {8, 8, 4}};
  unsigned Rank = Dimensions & 4 ? 2 : Dimensions & 2 ? 1 : 0;
  dc_block_from From = Largest    ? DC_BLOCK_LAUNCH_BOUNDS
                       : Computed ? DC_BLOCK_COMPUTED
                                  : DC_BLOCK_ASSUMED;
  for (unsigned D = 0; D < 3; ++D)
    Block[D] = From == DC_BLOCK_COMPUTED ? Known->computed_block[D] : 0;
  complete(Block, Shapes[Rank], Threads);
  if (!addLaunch(Block, Grid, From, nullptr))
    addLaunch(Shapes[Rank], Grid, From, nullptr);
}

// A verdict may depend on block dimensions only where every launch is known to have one of these.
dcp_block_dims KernelBuilder::dimsForVerdicts() const {
  dcp_block_dims Dims = {};
  bool FromLaunches = Kernel.n_launches && Kernel.launches[0].from == DC_BLOCK_LAUNCH;
  if (FromLaunches && Known->launches_not_known > 0)
    return Dims;
  Dims.of_launches = FromLaunches && !Known->only_here;
  for (uint32_t K = 0; K < Kernel.n_launches; ++K) {
    const dc_launch &Launch = Kernel.launches[K];
    if (Launch.from >= DC_BLOCK_LAUNCH_BOUNDS || Dims.n >= dcp_limit->block_dims)
      return {};
    for (unsigned D = 0; D < 3; ++D)
      Dims.block[Dims.n][D] = Launch.block[D];
    ++Dims.n;
  }
  Dims.known = Dims.n > 0;
  return Dims;
}

bool KernelBuilder::callsOthers() const {
  return Called.Reached.size() > 1 || Called.Others || !Called.Elsewhere.empty();
}

// What happens in functions that are called is in none of the kernel's figures.
bool KernelBuilder::listCalls() {
  bool Done = true;
  auto Add = [&](dc_call_kind Kind, StringRef Symbol) {
    std::string Name = nameOf(Symbol);
    Done = Done && dc_kernel_add_call(&Kernel, Kind, Name.c_str()) != DC_NONE;
  };
  for (const Function *Part : drop_begin(Called.Reached))
    Add(Called.ByName.contains(Part) ? DC_CALL_NOT_INLINED : DC_CALL_POINTER, Part->getName());
  if (Called.Others)
    Add(DC_CALL_POINTER, "");
  for (const Function *Part : Called.Elsewhere)
    Add(DC_CALL_ELSEWHERE, Part->getName());
  return Done;
}

static bool loopsDiverge(const dcp_analysis &Analysis) {
  const uint8_t *Levels = Analysis.loop_level, *End = Levels + Analysis.function->n_loops;
  return std::any_of(Levels, End, [](uint8_t Level) { return Level == DC_DIVERGENT; });
}

// Whether the time of some launch can be told.
bool KernelBuilder::knowsGrid() const {
  return std::any_of(Kernel.launches, Kernel.launches + Kernel.n_launches,
                     [](const dc_launch &Launch) { return Launch.grid[0] != 0; });
}

bool KernelBuilder::analyseFunction(Function &Part) {
  uint32_t Before = Kernel.n_locations, FirstAccess = Kernel.n_accesses;
  Lowered Plain;
  lower(Part, Source, Locations, Plain);
  ssa_function View = Plain.view();
  // The analysis as it holds; another one, which tells conditions: without the block dimensions
  // where they are known, with rows that are whole warps where they aren't; and for barriers one
  // with memory that nobody changes meanwhile and arguments that are the same everywhere.
  dcp_analysis Analysis = {}, Other = {}, Kind = {};
  Analysis.function = Other.function = Kind.function = &View;
  Analysis.kernel = Other.kernel = Kind.kernel = &Kernel;
  Analysis.dims = Kind.dims = dimsForVerdicts();
  Other.dims.whole_rows = !Analysis.dims.known;
  Kind.dims.whole_rows = !Kind.dims.known;
  Kind.still_memory = true;
  auto Run = [](dcp_analysis &A) {
    if (!dcp_analysis_init(&A))
      return false;
    dcp_build_expressions(&A);
    dcp_find_exits(&A);
    dcp_find_uniformity(&A);
    return !A.out_of_memory && !A.pool.out_of_memory;
  };
  bool Done = Run(Analysis);
  bool AskForOther = Done && !Analysis.limit_reached && View.n_loops > 0 &&
                     (!OnlyWarns || (!Analysis.dims.known && loopsDiverge(Analysis)));
  bool AskForKind = Done && !Analysis.limit_reached && dcp_doubts_barrier(&Analysis);
  if (AskForOther)
    Done = Run(Other);
  if (Done && AskForKind)
    Done = Run(Kind);
  if (Done && Analysis.limit_reached) {
    if (&Part == &F)
      Kernel.n_locations = Before; // the others are of blocks that the kernel won't have
    Done = dcp_gave_up(&Out, &View, nameOf(Part.getName()).c_str());
  } else if (Done)
    Done = dcp_build_skeleton(&Analysis, AskForOther && !Other.limit_reached ? &Other : nullptr,
                              AskForKind && !Kind.limit_reached ? &Kind : nullptr);
  if (Done && !Analysis.limit_reached && (!OnlyWarns || knowsGrid())) // what time needs
    Done = dcp_note_chains(&Analysis, Kernel.n_blocks - View.n_blocks, FirstAccess) &&
           dcp_note_recurrences(&Analysis, Kernel.n_loops - View.n_loops, FirstAccess) &&
           (&Part != &F || callsOthers() || dcp_note_live(&Analysis));
  if (Done && !Analysis.limit_reached)
    Built(Part, View);
  dcp_analysis_free(&Analysis);
  dcp_analysis_free(&Other);
  dcp_analysis_free(&Kind);
  return Done;
}

bool KernelBuilder::run() {
  describe();
  decideLaunches(dimensionsUsed(Called.Reached));
  for (const Function *Part : Called.Reached) {
    if (Part != &F && Kernel.n_blocks == 0) // the first block is the kernel's entry
      return true;
    // Reading alone: the analyses of LLVM that are asked want a function that isn't const.
    if (!analyseFunction(const_cast<Function &>(*Part)))
      return false;
  }
  assumeRowsOfWarps();
  if (!OnlyWarns || knowsGrid())
    noteResources(Called.Reached, Kernel.resources);
  return listCalls();
}

// Of a block in two dimensions or three nobody knows whether its rows are warps. Where that decides
// about a loop, both are assumed.
void KernelBuilder::assumeRowsOfWarps() {
  const dc_launch First = Kernel.launches[0];
  if (Kernel.n_row_levels == 0 || First.from < DC_BLOCK_ASSUMED || First.block[0] % 32 == 0)
    return;
  const uint32_t Block[3] = {32, First.block[2] > 1 ? 4u : 8u, First.block[2] > 1 ? 2u : 1u};
  addLaunch(Block, First.grid, static_cast<dc_block_from>(First.from), nullptr);
}

} // namespace

bool divcost::buildKernels(const Module &M, bool OnlyWarns, const dcp_options &Options,
                           const dcp_source &Source, PartBuilt Built, dc_unit &Unit) {
  PointerTargets Targets(M);
  for (const Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    auto *Grown = static_cast<dc_unit_kernel *>(
        realloc(Unit.kernels, (Unit.n_kernels + 1) * sizeof(dc_unit_kernel)));
    if (!Grown)
      return false;
    Unit.kernels = Grown;
    dc_unit_kernel &Out = Grown[Unit.n_kernels];
    Out = {};
    uint32_t Number = Unit.n_kernels++;
    auto Tell = [&](const Function &Part, const ssa_function &Lowered) {
      Built(Number, Part, Lowered);
    };
    if (!KernelBuilder(F, Targets, OnlyWarns, Options, Source, Tell, Out).run())
      return false;
  }
  return true;
}
