// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/address_spaces.h"
#include "ir/casts.h"
#include "ir/device_library.h"
#include "ir/loop_marks.h"
#include "ir/lower_internal.h"
#include "ir/machine_count.h"
#include "ir/module_facts.h"
#include "ir/slow_paths.h"
#include "ir/swaps.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ProfDataUtils.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;

namespace divcost {

ssa_function Lowered::view() {
  ssa_function F = {};
  F.values = Values.data();
  F.n_values = static_cast<uint32_t>(Values.size());
  F.operands = Operands.data();
  F.incoming = Incoming.data();
  F.n_operands = static_cast<uint32_t>(Operands.size());
  F.block_values = BlockValues.data();
  F.blocks = Blocks.data();
  F.n_blocks = static_cast<uint32_t>(Blocks.size());
  F.edges = Edges.data();
  F.n_edges = static_cast<uint32_t>(Edges.size());
  F.in_order = InOrder.data();
  F.n_in_order = static_cast<uint32_t>(InOrder.size());
  F.loops = Loops.data();
  F.n_loops = static_cast<uint32_t>(Loops.size());
  F.loop_blocks = LoopBlocks.data();
  F.accesses = Accesses.data();
  F.n_accesses = static_cast<uint32_t>(Accesses.size());
  F.texts = Texts.data();
  F.n_texts = static_cast<uint32_t>(Texts.size());
  F.is_kernel = IsKernel;
  F.machine_code = MachineCode;
  F.compiler = Compiler;
  return F;
}

Lowering::Lowering(Function &F, const dcp_source &Source, LocationTable &Locations, Lowered &Out)
    : F(F), Layout(F.getParent()->getDataLayout()), Locations(Locations), Out(Out), Source(Source),
      KernelSource(dcp_source_find_kernel(&Source, F.getName().str().c_str())),
      Memory(F, isKernel(F)) {
  Out.IsKernel = isKernel(F);
  Out.MachineCode = &machineCodeOf(*F.getParent());
  Out.Compiler = Source.compiler;
  Out.Texts.push_back("");
}

void Lowering::numberValues() {
  auto Number = [this](const Value &V, uint32_t Block) {
    ssa_value Value = {};
    Value.block = Block;
    Value.bits = static_cast<uint8_t>(widthOf(V.getType()));
    Value.real = V.getType()->isFloatingPointTy();
    Value.pointer = V.getType()->isPointerTy();
    Value.location = DC_NONE;
    Ids[&V] = static_cast<uint32_t>(Out.Values.size());
    Out.Values.push_back(Value);
  };
  for (const Argument &A : F.args()) {
    Number(A, DC_NONE);
    ssa_value &V = Out.Values.back();
    V.op = SSA_ARGUMENT;
    V.i = A.getArgNo();
    V.text = text(nameOf(&A));
  }
  for (const BasicBlock &BB : F) {
    uint32_t Block = static_cast<uint32_t>(BlockIds.size());
    BlockIds[&BB] = Block;
    for (const Instruction &I : BB)
      Number(I, Block);
  }
}

// Nothing but the exit of the kernel, maybe over blocks that are as empty.
static bool justReturns(const BasicBlock &BB) {
  const BasicBlock *At = &BB;
  for (unsigned Steps = 0; At && Steps < 4; ++Steps) {
    const Instruction *End = At->getTerminator();
    bool Empty = all_of(*At, [End](const Instruction &I) {
      return &I == End || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || isLoopMark(I);
    });
    if (!Empty || isa<ReturnInst>(End))
      return Empty;
    At = At->getUniqueSuccessor();
  }
  return false;
}

// Those of the pipes that not many instructions go to.
static void countPipes(ssa_value &V, const dc_operation_count *Counted) {
  V.rests = static_cast<uint16_t>(V.rest && V.machine > 1 ? V.machine - 1 : 0);
  if (V.mix == 0 || !Counted || Counted->fp64 + Counted->special == 0)
    return;
  bool Special = Counted->special > 0;
  uint32_t First = Special ? Counted->special : Counted->fp64;
  uint32_t Others = V.rest && V.machine > First ? V.machine - First : 0;
  V.mix = mixOf(Special ? DC_MIX_SPECIAL : DC_MIX_FP64);
  V.mix_more = static_cast<uint8_t>(std::min(First - 1, 255u));
  if (Counted->fp64 > 0)
    V.rest = mixOf(DC_MIX_FP64);
  V.rests = static_cast<uint16_t>(Counted->fp64 == 0 ? Others : Special ? Counted->fp64 : 0);
}

// The instructions of the block that is the last one of Out so far.
void Lowering::lowerValues(BasicBlock &BB) {
  std::vector<uint32_t> Values;
  Into = &Values;
  for (Instruction &I : BB) {
    if (I.isDebugOrPseudoInst())
      continue;
    if (isBodyMark(I))
      BodyMarks.emplace_back(BlockIds.lookup(&BB), Locations.of(I.getDebugLoc().get()));
    if (isLoopMark(I))
      continue;
    size_t Before = Values.size();
    visit(I);
    current(I).location = Locations.of(I.getDebugLoc().get());
    current(I).machine =
        static_cast<uint16_t>(std::min(machineInstructions(I, *Out.MachineCode), 0xffffu));
    current(I).slow = slowInstructions(I, *Out.MachineCode);
    countPipes(current(I), operationOf(I, *Out.MachineCode));
    // A product in a fused sum, and what changes a sign, are part of other instructions.
    if (current(I).machine == 0 && I.getType()->isFPOrFPVectorTy())
      current(I).mix = 0;
    current(I).words = static_cast<uint8_t>(I.use_empty() ? 0 : std::min(registersOf(I), 255u));
    current(I).size = static_cast<uint8_t>(sizeForUnrolling(I, *Out.MachineCode));
    // Address arithmetic was added on the way; it stands before the instruction that needed it.
    for (size_t K = Before; K < Values.size(); ++K)
      Out.Values[Values[K]].location = current(I).location;
    Values.push_back(Ids.lookup(&I));
  }
  Out.BlockValues.insert(Out.BlockValues.end(), Values.begin(), Values.end());
  Out.Blocks.back().n_values = static_cast<uint32_t>(Values.size());
}

// Whether a block ends in a call that goes round for ever: neither returns nor traps.
static bool runsForEver(const BasicBlock &BB) {
  const auto *Call = dyn_cast_or_null<CallInst>(BB.getTerminator()->getPrevNode());
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() && none_of(*Callee, [](const BasicBlock &Of) {
           return isa<ReturnInst, UnreachableInst>(Of.getTerminator());
         });
}

// Whether threads may end in a block, which LLVM doesn't look behind either.
static bool endsThreads(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && (Call->isInlineAsm() || Call->getIntrinsicID() == Intrinsic::nvvm_exit);
  });
}

// Whether no program goes on by a block: it traps or is never reached.
static bool isDeadEnd(const BasicBlock &BB) {
  return isa<UnreachableInst>(BB.getTerminator()) && !runsForEver(BB) && !endsThreads(BB);
}

// Whether an instruction calls a function that has a pole at zero.
static bool hasPole(const Instruction &I) {
  static const StringRef Names[] = {"log", "log10", "log2", "rcbrt", "rsqrt"};
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !divcost::isInDeviceLibrary(*Callee))
    return false;
  std::string Called = divcost::nameInLibrary(*Callee);
  StringRef Name = Called;
  Name.consume_front("__");
  Name.consume_back("f");
  return is_contained(Names, Name);
}

// Whether a number is divided by a value, or its logarithm taken, or by or of what casts and
// constant factors make of it.
static bool mustNotBeZero(const Value &V, unsigned Depth = 4) {
  for (const User *U : V.users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I)
      continue;
    if (hasPole(*I))
      return true;
    switch (I->getOpcode()) {
    case Instruction::FDiv:
    case Instruction::SDiv:
    case Instruction::UDiv:
      if (I->getOperand(1) == &V)
        return true;
      [[fallthrough]];
    case Instruction::FMul:
    case Instruction::Mul:
      if (!isa<Constant>(I->getOperand(0)) && !isa<Constant>(I->getOperand(1)))
        continue;
      break;
    default:
      if (!isa<CastInst>(I))
        continue;
    }
    if (Depth > 0 && mustNotBeZero(*I, Depth - 1))
      return true;
  }
  return false;
}

// Whether a number in floating point is zero, or what code takes for it where it divides.
static bool isNextToZero(const Constant &C) {
  const auto *Real = dyn_cast<ConstantFP>(&C);
  constexpr double Most = 1e-5;
  bool Ignored;
  if (!Real)
    return C.isZeroValue();
  APFloat Value = Real->getValueAPF();
  Value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Ignored);
  return std::abs(Value.convertToDouble()) <= Most;
}

// Whether a value that must not be zero is compared with it: true or false where it is.
static std::optional<bool> checksForZero(const Value &Condition) {
  auto *Compare = dyn_cast<CmpInst>(&Condition);
  auto *Limit = Compare ? dyn_cast<Constant>(Compare->getOperand(1)) : nullptr;
  if (!Limit || !isNextToZero(*Limit) || !mustNotBeZero(*Compare->getOperand(0)))
    return std::nullopt;
  CmpInst::Predicate Predicate = Compare->getPredicate();
  if (!CmpInst::isFPPredicate(Predicate))
    return CmpInst::isTrueWhenEqual(Predicate);
  // isTrueWhenEqual says no of an ordered comparison, for numbers that are none.
  const APFloat &Real = cast<ConstantFP>(Limit)->getValueAPF();
  CmpInst::Predicate OfZero = Real.isZero()       ? CmpInst::FCMP_OEQ
                              : Real.isNegative() ? CmpInst::FCMP_OGT
                                                  : CmpInst::FCMP_OLT;
  return (Predicate & OfZero) != 0;
}

// Whether a number that code computes is tested for having none: an index below zero, or -1. True
// or false where it is. Compilers take that for unlikely, too (T. Ball and J. R. Larus, Branch
// Prediction for Free, PLDI 1993, the opcode heuristic). What memory holds may well be -1.
static std::optional<bool> testsForNone(const Value &Condition) {
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  auto *Limit = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Limit || !(Limit->isZero() || Limit->isMinusOne()))
    return std::nullopt;
  if (isa<LoadInst, Argument>(divcost::withoutCasts(Compare->getOperand(0))))
    return std::nullopt;
  switch (Compare->getPredicate()) {
  case CmpInst::ICMP_SLT:
    return Limit->isZero() ? std::optional(true) : std::nullopt;
  case CmpInst::ICMP_SGT:
    return Limit->isMinusOne() ? std::optional(false) : std::nullopt;
  case CmpInst::ICMP_EQ:
    return Limit->isMinusOne() ? std::optional(true) : std::nullopt;
  case CmpInst::ICMP_NE:
    return Limit->isMinusOne() ? std::optional(false) : std::nullopt;
  default:
    return std::nullopt;
  }
}

// Whether a number may be counted, from iteration to iteration: it isn't read, nor what a call
// gives.
static bool isCounted(const Value &V) {
  auto *Phi = dyn_cast<PHINode>(&V);
  if (!Phi || !Phi->getType()->isIntegerTy() || Phi->getType()->isIntegerTy(1))
    return false;
  return all_of(Phi->incoming_values(), [](const Value *From) {
    From = divcost::withoutCasts(From);
    return !isa<LoadInst>(From) && (!isa<CallBase>(From) || isa<IntrinsicInst>(From));
  });
}

// Whether a counter is compared with where it ends, or with one of another loop: true or false
// where it is there. It is once, and was not so often before (the same heuristic).
static std::optional<bool> testsForEnd(const Value &Condition) {
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (!Compare || !Compare->isEquality())
    return std::nullopt;
  const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
  bool Counts = (isCounted(*A) && !isa<Constant, LoadInst>(B)) ||
                (isCounted(*B) && !isa<Constant, LoadInst>(A));
  return Counts ? std::optional(Compare->getPredicate() == CmpInst::ICMP_EQ) : std::nullopt;
}

// As __builtin_expect, [[likely]] and profiles of LLVM's tell. And zero is the exception where the
// code sees to it that nothing is divided by it: that of one lane in a warp, where lanes part.
static uint32_t chanceOfFirst(const BranchInst &Branch) {
  constexpr uint32_t Rare = DC_CHANCE / 32;
  uint64_t First, Second;
  if (extractBranchWeights(Branch, First, Second) && First + Second > 0) {
    double Chance = static_cast<double>(First) / static_cast<double>(First + Second);
    return static_cast<uint32_t>(std::clamp(Chance * DC_CHANCE, 1.0, DC_CHANCE - 1.0));
  }
  if (std::optional<bool> OfZero = checksForZero(*Branch.getCondition()))
    return *OfZero ? Rare : DC_CHANCE - Rare;
  if (std::optional<bool> OfNone = testsForNone(*Branch.getCondition()))
    return *OfNone ? Rare : DC_CHANCE - Rare;
  if (std::optional<bool> OfEnd = testsForEnd(*Branch.getCondition()))
    return *OfEnd ? Rare : DC_CHANCE - Rare;
  return 0;
}

void Lowering::lowerBlock(BasicBlock &BB) {
  ssa_block Block = {};
  Block.condition = Block.loop = Block.location = Block.swap = DC_NONE;
  Block.dominator = Block.post_dominator = DC_NONE;
  Block.first_value = static_cast<uint32_t>(Out.BlockValues.size());
  Out.Blocks.push_back(Block);
  lowerValues(BB);
  ssa_block &Done = Out.Blocks.back();
  Instruction *End = BB.getTerminator();
  Done.location = Locations.of(End->getDebugLoc().get());
  Done.just_returns = justReturns(BB);
  Done.dead_end = isDeadEnd(BB);
  if (auto *Branch = dyn_cast<BranchInst>(End); Branch && Branch->isConditional()) {
    Done.condition = use(Branch->getCondition());
    Done.taken = chanceOfFirst(*Branch);
  } else if (auto *Switch = dyn_cast<SwitchInst>(End)) {
    Done.condition = use(Switch->getCondition());
    Done.is_switch = 1;
  }
}

void Lowering::visitPHINode(PHINode &I) {
  SmallVector<uint32_t, 4> Operands;
  for (const Value *V : I.incoming_values())
    Operands.push_back(use(V));
  current(I).op = SSA_PHI;
  setOperands(Ids.lookup(&I), Operands);
  for (unsigned K = 0; K < I.getNumIncomingValues(); ++K)
    Out.Incoming[current(I).first_operand + K] = BlockIds.lookup(I.getIncomingBlock(K));
}

namespace {

// While it lives, nothing leads to a dead end where there is another way: what every program comes
// to stands behind an assertion. And rounds of loops that nothing leaves lead out of the function:
// LLVM connects such a loop with the function's end at any of its blocks, which would then stand
// behind all others.
class WaysTaken {
public:
  explicit WaysTaken(Function &F) {
    CycleInfo CI;
    CI.compute(F);
    for (const Cycle *C : CI.toplevel_cycles())
      cutRounds(*C, F);
    for (BasicBlock &BB : F)
      passDeadEnds(*BB.getTerminator());
  }
  WaysTaken(const WaysTaken &) = delete;
  WaysTaken &operator=(const WaysTaken &) = delete;
  ~WaysTaken() {
    for (auto [End, Index, To] : reverse(Turned))
      End->setSuccessor(Index, To);
    if (Out)
      Out->eraseFromParent();
  }

private:
  void turn(Instruction *End, unsigned Index, BasicBlock *To) {
    Turned.push_back({End, Index, End->getSuccessor(Index)});
    End->setSuccessor(Index, To);
  }

  void passDeadEnds(Instruction &End) {
    BasicBlock *Live = nullptr;
    for (BasicBlock *To : successors(&End))
      Live = Live || isDeadEnd(*To) ? Live : To;
    for (unsigned K = 0; Live && K < End.getNumSuccessors(); ++K)
      if (isDeadEnd(*End.getSuccessor(K)))
        turn(&End, K, Live);
  }

  void cutRounds(const Cycle &C, Function &F) {
    SmallVector<BasicBlock *, 4> Exits;
    SmallVector<Instruction *, 4> Ends; // the header's predecessors change under the cut
    C.getExitBlocks(Exits);
    bool Leaves = any_of(Exits, [](BasicBlock *Exit) { return !isDeadEnd(*Exit); });
    for (BasicBlock *From : predecessors(C.getHeader()))
      if (!Leaves && C.contains(From))
        Ends.push_back(From->getTerminator());
    for (Instruction *End : Ends)
      for (unsigned K = 0; K < End->getNumSuccessors(); ++K)
        if (End->getSuccessor(K) == C.getHeader())
          turn(End, K, wayOut(F));
    for (const Cycle *Child : C.children())
      cutRounds(*Child, F);
  }

  BasicBlock *wayOut(Function &F) {
    if (!Out) {
      Out = BasicBlock::Create(F.getContext(), "", &F);
      new UnreachableInst(F.getContext(), Out);
    }
    return Out;
  }

  struct Edge {
    Instruction *End;
    unsigned Index;
    BasicBlock *To;
  };
  SmallVector<Edge, 4> Turned;
  BasicBlock *Out = nullptr;
};

} // namespace

void Lowering::lowerEdges(const DominatorTree &DT) {
  PostDominatorTree PDT;
  {
    WaysTaken Only(F);
    PDT.recalculate(F);
  }
  for (BasicBlock &BB : F) {
    ssa_block &Block = Out.Blocks[BlockIds.lookup(&BB)];
    Block.first_successor = static_cast<uint32_t>(Out.Edges.size());
    for (BasicBlock *Successor : successors(&BB))
      Out.Edges.push_back(BlockIds.lookup(Successor));
    Block.n_successors = static_cast<uint32_t>(Out.Edges.size()) - Block.first_successor;
    Block.first_predecessor = static_cast<uint32_t>(Out.Edges.size());
    for (BasicBlock *Predecessor : predecessors(&BB))
      Out.Edges.push_back(BlockIds.lookup(Predecessor));
    Block.n_predecessors = static_cast<uint32_t>(Out.Edges.size()) - Block.first_predecessor;
    auto *Node = PDT.getNode(&BB);
    auto *Up = Node ? Node->getIDom() : nullptr;
    if (auto At = BlockIds.find(Up ? Up->getBlock() : nullptr); At != BlockIds.end())
      Block.post_dominator = At->second; // else behind the function's end, or a round's
    Node = DT.getNode(&BB);
    if (Node && Node->getIDom())
      Block.dominator = BlockIds.lookup(Node->getIDom()->getBlock());
  }
}

void Lowering::lowerLoop(const Cycle &C, uint32_t Parent) {
  ssa_loop L = {};
  L.header = BlockIds.lookup(C.getHeader());
  L.parent = Parent;
  L.depth = C.getDepth();
  L.location = DC_NONE;
  L.irreducible = !C.isReducible();
  L.first_block = static_cast<uint32_t>(Out.LoopBlocks.size());
  uint32_t Index = static_cast<uint32_t>(Out.Loops.size());
  for (BasicBlock *BB : C.blocks()) {
    Out.LoopBlocks.push_back(BlockIds.lookup(BB));
    Out.Blocks[BlockIds.lookup(BB)].loop = Index; // inner loops come later and overwrite
  }
  L.n_blocks = static_cast<uint32_t>(Out.LoopBlocks.size()) - L.first_block;
  describeLoop(C, L);
  Out.Loops.push_back(L);
  for (const Cycle *Child : C.children())
    lowerLoop(*Child, Index);
}

void Lowering::noteSwaps(const CycleInfo &CI) {
  for (BasicBlock &BB : F)
    if (auto *Branch = dyn_cast<BranchInst>(BB.getTerminator()))
      if (const AtomicCmpXchgInst *Swap = divcost::swapThatEnds(*Branch, CI))
        Out.Blocks[BlockIds.lookup(&BB)].swap = Ids.lookup(Swap);
}

// A mark is of the innermost loop around it that is where the mark says.
void Lowering::placeBodies() {
  for (auto [Block, Location] : BodyMarks)
    for (uint32_t L = Out.Blocks[Block].loop; L != DC_NONE; L = Out.Loops[L].parent)
      if (Out.Loops[L].location == Location) {
        Out.Loops[L].body = Block;
        Out.Loops[L].bodies += Out.Loops[L].bodies < 2;
        break;
      }
}

void Lowering::lowerLoops(const CycleInfo &CI) {
  for (const Cycle *C : CI.toplevel_cycles())
    lowerLoop(*C, DC_NONE);
  placeBodies();
}

void Lowering::run() {
  DominatorTree DT(F);
  CycleInfo CI;
  CI.compute(F);
  numberValues();
  for (BasicBlock &BB : F)
    lowerBlock(BB);
  lowerEdges(DT);
  lowerLoops(CI);
  noteSwaps(CI);
  countAddressSteps(DT, CI);
  countCarriedLoads(DT, CI);
  countRemainders();
  countWidenings(DT, CI);
  countJumps(CI);
  countLastExits(CI);
  countYields(CI);
  if (Out.IsKernel)
    countParameterReads(DT, CI);
  Out.InOrder.resize(Out.Blocks.size());
  ssa_function View = Out.view();
  if (!ssa_order_blocks(&View))
    View.n_in_order = 0; // the analysis will run out of memory too, and say so
  Out.InOrder.resize(View.n_in_order);
}

void lower(Function &F, const dcp_source &Source, LocationTable &Locations, Lowered &Out) {
  Lowering(F, Source, Locations, Out).run();
}

} // namespace divcost
