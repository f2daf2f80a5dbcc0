// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings a private copy of a device module into the form that the analysis reads. Every device
// function is inlined along its call paths, so that a verdict belongs to a path and expressions
// reach from the kernel's parameters to the loop; recursive and very large functions stay calls,
// and so do those of the device library.
// The pipeline is one of our own and the same at every -O: loops keep the shape of the source
// (LLVM's would rotate, peel and unswitch them, and GVN's load PRE would turn a bound that is read
// again into a value carried round the loop). Only unrolling that a pragma forces, or of a few
// iterations, is done, since the arrays that are indexed become registers by it.
#include "ir/simplify.h"

#include "ir/butterflies.h"
#include "ir/device_library.h"
#include "ir/hoist_loads.h"
#include "ir/inline_call.h"
#include "ir/join_tests.h"
#include "ir/kept_places.h"
#include "ir/loop_marks.h"
#include "ir/lower.h"
#include "ir/module_facts.h"
#include "ir/own_sums.h"
#include "ir/remainders.h"
#include "ir/scope_exits.h"
#include "ir/small_copies.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace {

// A function that would grow beyond this is called, not inlined: the analysis is close to linear in
// size, but the simplification isn't. So is every function once all together have grown by so many
// instructions: call graphs in which each function calls many would take forever.
constexpr size_t MaxInlinedInstructions = 20000, MaxInlinedInAll = 1000000;
constexpr size_t MaxLoopsToDelete = 100;
constexpr unsigned MaxFew = 7;

// Whether two places came into their function by the same calls.
bool isOfOneCall(const DebugLoc &A, const DebugLoc &B) {
  return A && B && A.getInlinedAt() == B.getInlinedAt() &&
         A->getScope()->getSubprogram() == B->getScope()->getSubprogram();
}

// The kind of metadata that names are; NoNames where no block has one. To ask by its text would
// make it one of the module's.
constexpr unsigned NoNames = ~0u;

unsigned kindOfNames(const LLVMContext &Context) {
  SmallVector<StringRef> Kinds;
  Context.getMDKindNames(Kinds);
  auto *At = find(Kinds, divcost::BlockNameKind);
  return At == Kinds.end() ? NoNames : static_cast<unsigned>(At - Kinds.begin());
}

// Gives a block's last instruction its name, with its place. One that came with the end of another
// block isn't it: ways that led there may be led past it now.
void restore(Instruction &End, unsigned Kind, MDNode *Name, const DebugLoc &Place) {
  if (End.getMetadata(Kind) == Name)
    return;
  End.setMetadata(Kind, Name);
  if (!isOfOneCall(End.getDebugLoc(), Place))
    End.setDebugLoc(Place);
}

// How many ways to a block decide where it goes on.
unsigned countDecided(const BasicBlock &BB) {
  const PHINode *Decided = divcost::decidingPhi(BB);
  return Decided
             ? count_if(Decided->incoming_values(), [](const Use &U) { return isa<Constant>(U); })
             : 0;
}

// A block that has a name, as it was.
struct NamedBlock {
  MDNode *Name;
  DebugLoc Place;
  unsigned Decided;
  SmallVector<WeakVH, 2> Before; // the blocks that lead to it
};

NamedBlock describe(BasicBlock &BB, MDNode *Name) {
  NamedBlock Of = {Name, BB.getTerminator()->getDebugLoc(), countDecided(BB), {}};
  for (BasicBlock *From : predecessors(&BB))
    Of.Before.emplace_back(From);
  return Of;
}

// What takes a block's place doesn't take its name.
struct OfBlock : ValueMapConfig<BasicBlock *> {
  enum { FollowRAUW = false };
};

using Blocks = ValueMap<BasicBlock *, bool, OfBlock>; // forgets those that are deleted

// Whether a way leads from one block to another as it did. A test of several values, and of
// something else, becomes a branch for this and a block with a switch for those.
bool leadsTo(const Value *From, BasicBlock &BB, const Blocks &Old) {
  return any_of(predecessors(&BB), [&](BasicBlock *Way) {
    return Way == From || (!Old.count(Way) && Way->getSinglePredecessor() == From);
  });
}

// Whether a way that led to a block may be led past it now.
bool isPassedBy(BasicBlock &BB, const NamedBlock &Was, const Blocks &Old) {
  return countDecided(BB) < Was.Decided || any_of(
                                               Was.Before,
                                               [&](const WeakVH &From) {
                                                 const Value *Block = From;
                                                 return Block && !leadsTo(Block, BB, Old);
                                               });
}

// A block's last instruction carries its name, for profiles, with its place; where control flow is
// simplified, that is replaced, and the block executed as before, or less often.
template <typename PassT> struct KeepNames : PassInfoMixin<KeepNames<PassT>> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    unsigned Kind = kindOfNames(F.getContext());
    if (Kind == NoNames)
      return PassT().run(F, FAM);
    ValueMap<BasicBlock *, NamedBlock, OfBlock> Named; // forgets blocks that are deleted
    Blocks Old;
    for (BasicBlock &BB : F) {
      Old.insert({&BB, true});
      if (MDNode *Name = BB.getTerminator()->getMetadata(Kind))
        Named.insert({&BB, describe(BB, Name)});
    }
    PreservedAnalyses Preserved = PassT().run(F, FAM);
    for (BasicBlock &BB : F) {
      auto Was = Named.find(&BB);
      Instruction *End = BB.getTerminator();
      if (Was == Named.end())
        continue;
      if (isPassedBy(BB, Was->second, Old))
        End->setMetadata(Kind, nullptr);
      else
        restore(*End, Kind, Was->second.Name, Was->second.Place);
    }
    return Preserved;
  }
};

using SimplifyBranches = KeepNames<SimplifyCFGPass>;
using JoinTests = KeepNames<divcost::JoinTests>;

// What every function goes through first: variables become registers.
FunctionPassManager earlyPasses() {
  FunctionPassManager FPM;
  FPM.addPass(LowerExpectIntrinsicPass());
  FPM.addPass(SimplifyBranches());
  FPM.addPass(PromotePass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  return FPM;
}

// Leaves the kernels and what they use.
void dropUnused(Module &M, ModuleAnalysisManager &MAM) {
  for (Function &F : M)
    if (!F.isDeclaration() && !divcost::isKernel(F)) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.setComdat(nullptr);
    }
  GlobalDCEPass().run(M, MAM);
}

// Whether one call alone leads to a function, whose body becomes a part of the caller, and is
// cleaned up there.
bool hasOneCall(const Function &F) { return F.hasOneUse() && isa<CallBase>(F.user_back()); }

bool callsItself(const Function &F) {
  return any_of(F.users(), [&F](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getFunction() == &F;
  });
}

// Functions are optimised at every -O, and whatever their attributes say. A tail recursion is a
// loop from here on, so that what contains it can be inlined. Kernels are cleaned up at the end.
void prepare(Module &M, FunctionAnalysisManager &FAM) {
  FunctionPassManager Early = earlyPasses(), Joined, Recursive;
  Joined.addPass(EarlyCSEPass());
  Recursive.addPass(TailCallElimPass());
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.hasFnAttribute(Attribute::OptimizeNone)) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
    }
    divcost::separateScopeExits(F);
    Early.run(F, FAM);
    if (!hasOneCall(F) && !divcost::isKernel(F))
      Joined.run(F, FAM);
    if (callsItself(F))
      Recursive.run(F, FAM);
  }
}

// All functions with a body, callees first. Those that are to be inlined are marked as such.
std::vector<Function *> decideWhatIsInlined(Module &M) {
  std::vector<Function *> Order;
  CallGraph CG(M);
  DenseMap<const Function *, size_t> Size;
  size_t InAll = 0;
  for (scc_iterator<CallGraph *> SCC = scc_begin(&CG); !SCC.isAtEnd(); ++SCC) {
    for (CallGraphNode *Node : *SCC) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      size_t Own = F->getInstructionCount(), Total = Own;
      for (auto &Call : *Node)
        if (Function *Callee = Call.second->getFunction())
          Total += Size.lookup(Callee);
      InAll += Total - Own;
      bool Inline = !divcost::isKernel(*F) && !SCC.hasCycle() && Total <= MaxInlinedInstructions &&
                    InAll <= MaxInlinedInAll && isInlineViable(*F).isSuccess();
      F->removeFnAttr(Inline ? Attribute::NoInline : Attribute::AlwaysInline);
      F->addFnAttr(Inline ? Attribute::AlwaysInline : Attribute::NoInline);
      Size[F] = Inline ? Total : 1;
      Order.push_back(F);
    }
  }
  return Order;
}

bool isInlined(const Function *F) {
  return F && !F->isDeclaration() && F->hasFnAttribute(Attribute::AlwaysInline);
}

// A call, and the number of the one whose callee it was in. The callee is kept by itself, since the
// call is no more once it is inlined.
struct CallIn {
  CallBase *Call;
  const Function *Callee;
  size_t In;
};

constexpr size_t InItself = ~size_t(0);

// Inlines all, but no function into itself: what is called through a pointer, which inlining may
// tell, wasn't seen when it was decided.
void inlineCalls(Function &F, FunctionAnalysisManager &FAM) {
  std::vector<CallIn> Calls;
  auto IsIn = [&](const Function *Callee, size_t At) {
    while (At != InItself && Calls[At].Callee != Callee)
      At = Calls[At].In;
    return At != InItself || Callee == &F;
  };
  auto Add = [&](CallBase *Call, size_t In) {
    const Function *Callee = Call->getCalledFunction();
    if (isInlined(Callee) && !IsIn(Callee, In))
      Calls.push_back({Call, Callee, In});
  };
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Add(Call, InItself);
  for (size_t K = 0; K < Calls.size(); ++K)
    for (CallBase *Inner : divcost::inlineCall(*Calls[K].Call, FAM))
      Add(Inner, K);
  if (!Calls.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

// Whether a loop is one stretch of code, behind or before its test.
bool isOneStretch(const Loop &L) { return L.isInnermost() && L.getNumBlocks() <= 2; }

// Whether LLVM unrolls a loop as a matter of course: a few iterations of one stretch of code.
bool isFewIterations(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Latch = L.getLoopLatch();
  unsigned Trips = SE.getSmallConstantTripCount(&L);
  if (Trips > 0 && Latch && !L.isLoopExiting(Latch)) // the header's, which tests once more
    --Trips;
  return isOneStretch(L) && Trips > 0 && Trips <= MaxFew;
}

constexpr StringLiteral UnrolledMark = "divcost-unrolled";

// An array of a thread becomes registers where the loops that index it are unrolled: those that a
// pragma asks for, and short ones. Elsewhere a loop stays one: unrolled it would only be longer.
struct UnrollForArrays : PassInfoMixin<UnrollForArrays> {
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &Results,
                        LPMUpdater &Updater) {
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (auto *Address = dyn_cast<GetElementPtrInst>(&I);
            Address && isa<AllocaInst>(getUnderlyingObject(Address)))
          return unroll(L, AM, Results, Updater);
    return PreservedAnalyses::all();
  }

private:
  // The iterations of one stretch become a part of the block in front, whose executions are none of
  // the loop's.
  static PreservedAnalyses unroll(Loop &L, LoopAnalysisManager &AM,
                                  LoopStandardAnalysisResults &Results, LPMUpdater &Updater) {
    LLVMContext &Context = L.getHeader()->getContext();
    Function &Around = *L.getHeader()->getParent();
    unsigned Kind = isOneStretch(L) ? kindOfNames(Context) : NoNames;
    SmallVector<std::pair<Instruction *, MDNode *>> Names;
    for (BasicBlock *Block : L.blocks())
      if (Instruction *End = Block->getTerminator(); Kind != NoNames && End->hasMetadata(Kind)) {
        Names.emplace_back(End, End->getMetadata(Kind));
        End->setMetadata(Kind, nullptr);
      }
    BasicBlock *Front = L.getLoopPreheader();
    MDNode *FrontName =
        Front && Kind != NoNames ? Front->getTerminator()->getMetadata(Kind) : nullptr;
    DebugLoc FrontPlace = FrontName ? Front->getTerminator()->getDebugLoc() : DebugLoc();
    WeakVH FrontNow(Front);
    LoopFullUnrollPass Unroll(/*OptLevel=*/2,
                              /*OnlyWhenForced=*/!isFewIterations(L, Results.SE));
    PreservedAnalyses Preserved = Unroll.run(L, AM, Results, Updater);
    for (auto [End, Name] : Names)
      if (Preserved.areAllPreserved()) // it is as it was
        End->setMetadata(Kind, Name);
    if (!Preserved.areAllPreserved())
      Around.addFnAttr(UnrolledMark);
    if (Value *Still = FrontNow; Still && FrontName)
      restore(*cast<BasicBlock>(Still)->getTerminator(), Kind, FrontName, FrontPlace);
    return Preserved;
  }
};

// LLVM compares the bounds of a loop with the conditions of all loops in front of it, so in
// functions of very many loops dead ones stay.
struct DeleteLoops : PassInfoMixin<DeleteLoops> {
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &Results,
                        LPMUpdater &Updater) {
    if (Results.LI.getLoopsInPreorder().size() > MaxLoopsToDelete)
      return PreservedAnalyses::all();
    divcost::TakenMarks Marks(L);
    return LoopDeletionPass().run(L, AM, Results, Updater);
  }
};

struct MoveInvariants : PassInfoMixin<MoveInvariants> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    const divcost::KeptPlaces Kept(FAM.getResult<LoopAnalysis>(F));
    LoopPassManager Invariants;
    Invariants.addPass(LICMPass(LICMOptions()));
    PreservedAnalyses Preserved =
        createFunctionToLoopPassAdaptor(std::move(Invariants), /*UseMemorySSA=*/true).run(F, FAM);
    Kept.restore();
    return Preserved;
  }
};

FunctionPassManager invariants() {
  FunctionPassManager FPM;
  FPM.addPass(divcost::HoldSums());
  FPM.addPass(MoveInvariants());
  FPM.addPass(divcost::HoistLoads());
  FPM.addPass(divcost::ReleaseSums());
  return FPM;
}

// What no longer goes by the iterations of a loop that was unrolled.
struct InvariantsOfUnrolled : PassInfoMixin<InvariantsOfUnrolled> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (!F.hasFnAttribute(UnrolledMark))
      return PreservedAnalyses::all();
    F.removeFnAttr(UnrolledMark);
    return invariants().run(F, FAM);
  }
};

FunctionPassManager cleanUp() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(JoinTests());
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(SimplifyBranches());
  FPM.addPass(InstCombinePass());
  return FPM;
}

FunctionPassManager lastPasses() {
  FunctionPassManager FPM = cleanUp();
  FPM.addPass(invariants());
  LoopPassManager Unroll;
  Unroll.addPass(DeleteLoops());
  Unroll.addPass(UnrollForArrays());
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Unroll)));
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InvariantsOfUnrolled());
  FPM.addPass(SimplifyBranches());
  FPM.addPass(ADCEPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(divcost::MarkButterflies());
  return FPM;
}

} // namespace

const PHINode *divcost::decidingPhi(const BasicBlock &BB) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  auto *Decided =
      Branch && Branch->isConditional() ? dyn_cast<PHINode>(Branch->getCondition()) : nullptr;
  return Decided && Decided->getParent() == &BB ? Decided : nullptr;
}

// What only one call leads to is inlined as it is, and cleaned up in its caller; what several lead
// to is cleaned up once before. Functions that stay (kernels, and what is called or has its address
// taken) are brought into their last form.
void divcost::simplify(Module &M, const dcp_source &Source) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  keepLibraryCalls(M);
  dropUnused(M, MAM);
  markLoops(M, Source);
  markOwnSums(M, Source);
  markRemainders(M);
  prepare(M, FAM);
  FunctionPassManager CleanUp = cleanUp(), Last = lastPasses();
  for (Function *F : decideWhatIsInlined(M)) {
    if (F->isDeclaration() || // its body is elsewhere
        (isInlined(F) && hasOneCall(*F)))
      continue;
    inlineCalls(*F, FAM);
    if (divcost::isKernel(*F) && divcost::copyWrittenParameters(*F))
      FAM.invalidate(*F, PreservedAnalyses::none());
    (isInlined(F) ? CleanUp : Last).run(*F, FAM);
  }
  GlobalDCEPass().run(M, MAM);
  for (Function &F : M)
    if (isInlined(&F)) {
      inlineCalls(F, FAM);
      Last.run(F, FAM);
    }
  for (Function &F : M)
    expandSmallCopies(F);
}
