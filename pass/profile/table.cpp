// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit's table of counters. Each call of the recorder still knows by its debug location which
// loop it is for and through which calls that came into its kernel; one for a block has its name.
// Loops and blocks are described to the host as a profile without counts, in the order of their
// counters.
#include "ir/address_spaces.h"
#include "ir/module_facts.h"
#include "profile/block_numbers.h"
#include "profile/instrument.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <set>
#include <string>

using namespace llvm;
using namespace divcost;

namespace {

constexpr unsigned Words = sizeof(dc_profile_counts) / 8;
constexpr uint64_t Magic = UINT64_C(0x34666f7270766964); // "divprof4"
constexpr uint64_t BlockBytes = 16;                      // of a block in one copy of the counters
constexpr unsigned CopyBits = 8; // of the number of copies but one; behind it is that of blocks
constexpr uint64_t BytesMax = 64 << 20; // of all copies, where there is more than one

bool isForBlock(const CallInst &Call) { return Call.hasMetadata(BlockNameKind); }

// Calls that hand counters over.
std::vector<CallInst *> callsOfRecorder(Module &M) {
  std::vector<CallInst *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *To = Call->getCalledFunction())
          if (isHandOver(*To) || isRecorder(*To, "__divcost_compare") ||
              isRecorder(*To, "__divcost_agree") || isForBlock(*Call))
            Calls.push_back(Call);
  return Calls;
}

// Names the loop that a call is for.
bool nameLoop(const CallInst &Call, const dcp_source &Source, dc_profile_loop &Loop) {
  std::deque<std::string> Texts;
  std::vector<dcp_source_location> Chain = callChain(Call.getDebugLoc().get(), Texts);
  return !Chain.empty() &&
         dcp_profile_name(&Source, Call.getFunction()->getName().str().c_str(), Chain.data(),
                          static_cast<uint32_t>(Chain.size()), &Loop);
}

uint8_t claimOf(const dc_profile &Claims, const dc_profile_loop &Loop) {
  for (uint32_t K = 0; K < Claims.n_loops; ++K) {
    const dc_profile_loop &Claim = *Claims.loops[K];
    if (!strcmp(Claim.kernel, Loop.kernel) && !strcmp(Claim.path, Loop.path) &&
        !strcmp(Claim.function, Loop.function) && Claim.number == Loop.number)
      return Claim.level;
  }
  return DC_DIVERGENT;
}

GlobalVariable *addArray(Module &M, Type *Element, uint64_t Count, Constant *Initial,
                         const Twine &Name) {
  auto *Array = ArrayType::get(Element, Count);
  if (!Initial)
    Initial = ConstantAggregateZero::get(Array);
  auto *Variable = new GlobalVariable(M, Array, false, GlobalValue::InternalLinkage, Initial, Name,
                                      nullptr, GlobalValue::NotThreadLocal, GlobalSpace);
  Variable->setAlignment(Align(256));
  return Variable;
}

Constant *addressOf(GlobalVariable *Variable, uint64_t Offset) {
  Type *Int = Type::getInt64Ty(Variable->getContext());
  return ConstantExpr::getAdd(ConstantExpr::getPtrToInt(Variable, Int),
                              ConstantInt::get(Int, Offset));
}

// Pointers in an initialiser must be generic ones.
Constant *genericAddress(GlobalVariable *Variable) {
  LLVMContext &Context = Variable->getContext();
  return ConstantExpr::getPtrToInt(
      ConstantExpr::getAddrSpaceCast(Variable, PointerType::get(Context, 0)),
      Type::getInt64Ty(Context));
}

void dropRecorder(Module &M) {
  auto IsOurs = [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && isRecorder(*F);
  };
  removeFromUsedLists(M, IsOurs);
  for (Function &F : make_early_inc_range(M))
    if (IsOurs(&F) && F.use_empty())
      F.eraseFromParent();
}

// Of all blocks, and one more where that makes it an even number: copies are in different sectors.
uint64_t countBlocks(const dc_profile &Table) {
  uint64_t Count = 0;
  for (uint32_t K = 0; K < Table.n_bodies; ++K)
    Count += Table.bodies[K].n_blocks;
  return Count + Count % 2;
}

void describe(Module &M, GlobalVariable *Counters, const dc_profile &Table, uint64_t Copies) {
  GlobalVariable *Unit = nullptr;
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getName().contains("__divcost_unit"))
      Unit = &Variable;
  if (!Unit)
    return;
  size_t Size = dc_profile_print(&Table, nullptr, 0);
  std::string Bytes(Size, 0);
  dc_profile_print(&Table, &Bytes[0], Size);
  LLVMContext &Context = M.getContext();
  Constant *Text = ConstantDataArray::getString(Context, Bytes, false);
  GlobalVariable *Loops = addArray(M, Type::getInt8Ty(Context), Size, Text, "__divcost_table");
  Type *Int = Type::getInt64Ty(Context);
  auto Number = [Int](uint64_t Value) { return ConstantInt::get(Int, Value); };
  Unit->setInitializer(ConstantArray::get(
      ArrayType::get(Int, 8),
      {Number(Magic), genericAddress(Counters), Number(Table.n_loops), Number(Copies),
       genericAddress(Loops), Number(Size), Number(Words), Number(countBlocks(Table))}));
}

uint32_t numberOf(const dc_profile &Table, const dc_profile_loop *Loop) {
  for (uint32_t K = 0; K < Table.n_loops; ++K)
    if (Table.loops[K] == Loop)
      return K;
  return 0;
}

// A call of the recorder for a block, and how the block is called.
struct PlacedBlock {
  CallInst *Call;
  KernelBlocks Name;
};

// Texts that C doesn't mark as constant; they are copied.
dc_profile_body bodyOf(const PlacedBlock &Block, std::string &Kernel) {
  const dcp_block_name &Name = Block.Name.view().names[0];
  Kernel = Block.Call->getFunction()->getName().str();
  dc_profile_body Body = {};
  Body.kernel = const_cast<char *>(Kernel.c_str());
  Body.path = const_cast<char *>(Name.path);
  Body.function = const_cast<char *>(Name.function);
  Body.hash = Name.hash;
  return Body;
}

bool addBlock(dc_profile &Table, const PlacedBlock &Block) {
  std::string Kernel;
  dc_profile_body Like = bodyOf(Block, Kernel);
  dc_profile_body *Body = dc_profile_add_body(&Table, &Like);
  return Body && dc_profile_add_block(Body, Block.Name.view().names[0].number);
}

// For each kernel of which blocks are counted, what its parameters are called, and what was to be
// counted.
bool addAboutKernels(dc_profile &Table, const dcp_source &Source, const dc_profile &Planned) {
  std::set<std::string> Kernels;
  for (uint32_t B = 0; B < Table.n_bodies; ++B)
    Kernels.insert(Table.bodies[B].kernel);
  bool Good = all_of(Kernels, [&](const std::string &Kernel) {
    const dc_profile_body Like = dcp_profile_parameters(&Source, Kernel.c_str());
    return !Like.kernel || dc_profile_add_body(&Table, &Like);
  });
  for (uint32_t B = 0; Good && B < Planned.n_bodies; ++B)
    if (Kernels.count(Planned.bodies[B].kernel))
      Good = dc_profile_add_body(&Table, &Planned.bodies[B]);
  return Good;
}

// Of all that the table has; the block is one of them.
uint64_t numberOf(dc_profile &Table, const PlacedBlock &Block) {
  std::string Kernel;
  dc_profile_body Like = bodyOf(Block, Kernel);
  const dc_profile_body *Body = dc_profile_find_body(&Table, &Like);
  uint64_t Number = 0;
  for (const dc_profile_body *Before = Table.bodies; Before != Body; ++Before)
    Number += Before->n_blocks;
  return Number + (dc_profile_find_block(Body, Block.Name.view().names[0].number) - Body->blocks);
}

// A call would cost more than what it does.
void inlineCall(CallInst &Call) {
  InlineFunctionInfo Info;
  InlineFunction(Call, Info);
}

std::vector<CallInst *> callsOf(Module &M, StringRef Name) {
  std::vector<CallInst *> Calls;
  if (Function *F = findRecorder(M, Name))
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Calls.push_back(Call);
  return Calls;
}

} // namespace

bool divcost::placeCounters(Module &M, const dcp_source &Source, const dc_profile &Claims,
                            const dc_profile &Planned) {
  dc_profile Table = {};
  std::vector<std::pair<CallInst *, const dc_profile_loop *>> Loops;
  std::deque<PlacedBlock> Blocks;
  bool Good = true;
  for (CallInst *Call : callsOfRecorder(M)) {
    if (isForBlock(*Call)) {
      PlacedBlock &Block = Blocks.emplace_back();
      Block.Call = Call;
      Block.Name.addBlock(*Call, Source);
      if (Block.Name.view().names[0].function) {
        Good = Good && addBlock(Table, Block);
      } else {
        Blocks.pop_back();
        Call->eraseFromParent();
      }
      continue;
    }
    dc_profile_loop Loop;
    if (!nameLoop(*Call, Source, Loop)) {
      Call->eraseFromParent();
      continue;
    }
    Loop.level = claimOf(Claims, Loop);
    dc_profile_loop *Added = dc_profile_add(&Table, &Loop);
    dcp_profile_clear(&Loop);
    Good = Good && Added;
    Loops.push_back({Call, Added});
  }
  Good = Good && addAboutKernels(Table, Source, Planned);
  uint64_t Copies = 128,
           OneCopy = Table.n_loops * sizeof(dc_profile_counts) + countBlocks(Table) * BlockBytes;
  while (Copies > 1 && Copies * OneCopy > BytesMax)
    Copies /= 2;
  if (Good && OneCopy) {
    Type *Int = Type::getInt32Ty(M.getContext());
    GlobalVariable *Counters = addArray(M, Type::getInt64Ty(M.getContext()), Copies * OneCopy / 8,
                                        nullptr, "__divcost_counters");
    for (auto &[Call, Loop] : Loops) {
      uint64_t Offset = numberOf(Table, Loop) * Copies * sizeof(dc_profile_counts);
      Call->setArgOperand(0, addressOf(Counters, Offset));
      bool Agrees = isRecorder(*Call->getCalledFunction(), "__divcost_agree");
      Call->setArgOperand(1, ConstantInt::get(Int, Agrees ? Loop->level : Copies - 1));
      if (Agrees && Loop->level > DC_BLOCK_UNIFORM) // lanes are compared elsewhere
        Call->eraseFromParent();
    }
    for (const PlacedBlock &Block : Blocks) {
      uint64_t Offset =
          Copies * Table.n_loops * sizeof(dc_profile_counts) + numberOf(Table, Block) * BlockBytes;
      Block.Call->setArgOperand(0, addressOf(Counters, Offset));
      Block.Call->setArgOperand(
          1, ConstantInt::get(Int, (Copies - 1) | countBlocks(Table) << CopyBits));
      if (!isRecorder(*Block.Call->getCalledFunction(), "__divcost_visits"))
        inlineCall(*Block.Call);
    }
    describe(M, Counters, Table, Copies);
  }
  for (StringRef Name : {"__divcost_last", "__divcost_turn", "__divcost_most", "__divcost_fits",
                         "__divcost_pack", "__divcost_unpack"})
    for (CallInst *Call : callsOf(M, Name))
      inlineCall(*Call);
  rememberLast(M);
  dropRecorder(M);
  dc_profile_free(&Table);
  return Good;
}
