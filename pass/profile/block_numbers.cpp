// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/block_numbers.h"

#include "ir/device_library.h"
#include "ir/module_facts.h"
#include "ir/reconvergence.h"
#include "ir/slow_paths.h"
#include "profile/instrument.h"

#include "divcost/hash.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstdlib>

using namespace llvm;

// Variables live in other places, and their scopes are told or not, at different levels.
static bool isPartOfCode(const Instruction &I) {
  if (I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || isa<AllocaInst>(I))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *To = Call ? Call->getCalledFunction() : nullptr;
  return !To || (!divcost::isRecorder(*To) && !isa<AssumeInst>(I));
}

uint64_t divcost::hashOfCode(const Function &F) {
  DenseMap<const BasicBlock *, uint64_t> Numbers;
  for (const BasicBlock &BB : F)
    Numbers[&BB] = Numbers.size();
  uint64_t Hash = dc_hash_u64(DC_HASH_BEGIN, F.size());
  for (const BasicBlock &BB : F) {
    for (const Instruction &I : BB) {
      if (!isPartOfCode(I))
        continue;
      Hash = dc_hash_u64(Hash, I.getOpcode());
      if (auto *Compare = dyn_cast<CmpInst>(&I))
        Hash = dc_hash_u64(Hash, Compare->getPredicate());
      for (const Value *Operand : I.operands())
        if (auto *Constant = dyn_cast<ConstantInt>(Operand))
          Hash = dc_hash_u64(Hash, Constant->getValue().getLimitedValue());
        else if (auto *Called = dyn_cast<Function>(Operand))
          Hash = dc_hash_text(Hash, Called->getName().str().c_str());
    }
    for (const BasicBlock *To : successors(&BB))
      Hash = dc_hash_u64(Hash, Numbers.lookup(To));
  }
  return Hash;
}

MDNode *divcost::blockName(Function &F, uint64_t Hash, uint32_t Number) {
  LLVMContext &Context = F.getContext();
  auto Integer = [&](uint64_t Value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(Context), Value));
  };
  return MDNode::get(Context,
                     {MDString::get(Context, F.getName()), Integer(Hash), Integer(Number)});
}

// What variables begin with, whatever their order. Strings may be of CUDA's own library, which
// isn't always there.
static uint64_t hashOfData(const Module &M) {
  uint64_t Hash = 0;
  for (const GlobalVariable &Variable : M.globals()) {
    StringRef Name = Variable.getName();
    if (!Variable.hasInitializer() || Name.starts_with("llvm.") || Name.starts_with(".str") ||
        Name.contains("__divcost"))
      continue;
    std::string Text;
    raw_string_ostream Stream(Text);
    Variable.getInitializer()->print(Stream);
    Hash += dc_hash_text(dc_hash_text(DC_HASH_BEGIN, Name.str().c_str()), Stream.str().c_str());
  }
  return Hash;
}

// Passes give ways that decide where a block goes on branches of their own, and what is left of it
// is executed less often: it gets no name. Where a block's last instruction has no place of its
// own, inlining couldn't tell where it came to.
uint64_t divcost::numberBlocks(Module &M) {
  uint64_t Unit = hashOfData(M);
  for (Function &F : M) {
    DISubprogram *Subprogram = F.getSubprogram();
    if (F.isDeclaration() || !Subprogram || isRecorder(F))
      continue;
    uint64_t Hash = hashOfCode(F);
    Unit += dc_hash_text(Hash, F.getName().str().c_str());
    uint32_t Number = 0;
    for (BasicBlock &BB : F) {
      Instruction &End = *BB.getTerminator();
      if (!decidingPhi(BB))
        End.setMetadata(BlockNameKind, blockName(F, Hash, Number));
      ++Number;
      if (!End.getDebugLoc())
        End.setDebugLoc(DILocation::get(F.getContext(), 0, 0, Subprogram));
    }
    for (Instruction *Slow : slowPathsIn(F))
      Slow->setMetadata(BlockNameKind, blockName(F, Hash, Number++));
    narrowQuotients(F);
  }
  return Unit;
}

divcost::FunctionPlace divcost::placeOf(const DISubprogram &Of) {
  return {pathOf(Of), Of.getName().str(), Of.getLine()};
}

std::vector<dcp_source_location> divcost::callChain(const DILocation *At,
                                                    std::deque<std::string> &Texts) {
  std::vector<dcp_source_location> Chain;
  for (; At; At = At->getInlinedAt()) {
    const DISubprogram *Subprogram = At->getScope()->getSubprogram();
    const std::string &File = Texts.emplace_back(pathOf(*At->getScope()));
    const std::string &Name = Texts.emplace_back(Subprogram ? nameOf(*Subprogram) : "");
    Chain.push_back({File.c_str(), Name.c_str(), At->getLine(), At->getColumn()});
  }
  return Chain;
}

static uint64_t integerOf(const MDNode &Node, unsigned Operand) {
  return mdconst::extract<ConstantInt>(Node.getOperand(Operand))->getZExtValue();
}

void divcost::KernelBlocks::add(const Function &Part, const ssa_function &Lowered,
                                const dcp_source &Source) {
  uint32_t First = static_cast<uint32_t>(Names.size());
  PostDominatorTree PostDominators(const_cast<Function &>(Part)); // which it doesn't change
  Reconvergence Meeting(Part, PostDominators);
  for (const BasicBlock &BB : Part) {
    uint32_t Block = static_cast<uint32_t>(Names.size());
    Apart.push_back(Meeting.keepsApart(BB));
    for (const Instruction &I : BB)
      if (asksForSlowPath(I))
        addSlowPath(I, Block, Source);
    addBlock(*BB.getTerminator(), Source);
  }
  for (uint32_t L = 0; L < Lowered.n_loops; ++L)
    Bodies.push_back(Lowered.loops[L].bodies == 1 ? First + Lowered.loops[L].body : DC_NONE);
}

void divcost::KernelBlocks::addBlock(const Instruction &At, const dcp_source &Source) {
  Names.push_back(nameOf(At, Source));
}

// Where the source computes it: CUDA's headers call the device library from functions of that name,
// and have atomics in functions that say so (atomicAdd, __fAtomicAdd).
static const DILocation *placeOfUse(const Instruction &I) {
  const DILocation *At = I.getDebugLoc().get();
  auto *Call = dyn_cast<CallInst>(&I);
  std::string Name = Call ? divcost::nameInLibrary(*Call->getCalledFunction()) : "";
  auto IsWrapper = [&](const DISubprogram *In) {
    return In && (Call ? In->getName().rtrim('f') == StringRef(Name).rtrim('f')
                       : isa<AtomicRMWInst>(I) && In->getName().contains("tomic"));
  };
  while (At->getInlinedAt() && IsWrapper(At->getScope()->getSubprogram()))
    At = At->getInlinedAt();
  return At;
}

void divcost::KernelBlocks::addSlowPath(const Instruction &Of, uint32_t Block,
                                        const dcp_source &Source) {
  dcp_slow_path Path = {nameOf(Of, Source), slowPathOf(Of, Source.compiler), {}};
  if (!Path.name.function)
    return;
  Path.path.block = Block;
  const DILocation *At = placeOfUse(Of);
  Path.at = {Texts.emplace_back(pathOf(*At->getScope())).c_str(), nullptr, At->getLine(),
             At->getColumn()};
  Slow.push_back(Path);
}

dcp_block_name divcost::KernelBlocks::nameOf(const Instruction &At, const dcp_source &Source) {
  const MDNode *Node = At.getMetadata(BlockNameKind);
  const DILocation *Place = Node ? At.getDebugLoc().get() : nullptr;
  dcp_block_name Name = {Roots.insert(At.getFunction()->getName().str()).first->c_str(), nullptr,
                         nullptr, 0, 0};
  if (!Place)
    return Name;
  for (const DILocation *From = Place; From->getInlinedAt(); From = From->getInlinedAt())
    if (const DISubprogram *Of = From->getScope()->getSubprogram())
      Inlined.insert(placeOf(*Of));
  std::deque<std::string> Chain;
  std::vector<dcp_source_location> Calls = callChain(Place, Chain);
  char *Path = dcp_profile_path(&Source, Calls.data(), static_cast<uint32_t>(Calls.size()));
  if (!Path)
    return Name;
  Name.function =
      Texts.emplace_back(cast<MDString>(Node->getOperand(0))->getString().str()).c_str();
  Name.path = Texts.emplace_back(Path).c_str();
  Name.hash = integerOf(*Node, 1);
  Name.number = static_cast<uint32_t>(integerOf(*Node, 2));
  free(Path);
  return Name;
}
