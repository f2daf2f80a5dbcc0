// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit's table of counters. Each call of the recorder still knows by its debug location which
// loop it is for and through which calls that came into its kernel. The loops are described to the
// host as a profile without counts, in the order of their counters.
#include "ir/module_facts.h"
#include "profile/instrument.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace divcost;

namespace {

constexpr unsigned Words = sizeof(dc_profile_counts) / 8;
constexpr uint64_t Magic = UINT64_C(0x31666f7270766964); // "divprof1"
constexpr uint64_t BytesMax = 64 << 20; // of all copies, where there is more than one
constexpr unsigned GlobalSpace = 1;

bool isRecorder(const Function &F, StringRef Name) { return F.getName().contains(Name); }

// Calls that hand counters over.
std::vector<CallInst *> callsOfRecorder(Module &M) {
  std::vector<CallInst *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *To = Call->getCalledFunction())
          if (isRecorder(*To, "__divcost_leave") || isRecorder(*To, "__divcost_rejoin") ||
              isRecorder(*To, "__divcost_meet") || isRecorder(*To, "__divcost_compare") ||
              isRecorder(*To, "__divcost_agree"))
            Calls.push_back(Call);
  return Calls;
}

// Names the loop that a call is for.
bool nameLoop(const CallInst &Call, const dcp_source &Source, dc_profile_loop &Loop) {
  std::vector<std::string> Texts;
  std::vector<dcp_source_location> Chain;
  Texts.reserve(64); // so that they stay where they are
  for (DILocation *At = Call.getDebugLoc().get(); At && Texts.size() + 2 <= 64;
       At = At->getInlinedAt()) {
    const DISubprogram *Subprogram = At->getScope()->getSubprogram();
    Texts.push_back(pathOf(*At->getScope()));
    Texts.push_back(Subprogram ? Subprogram->getName().str() : "");
    Chain.push_back(
        {Texts[Texts.size() - 2].c_str(), Texts.back().c_str(), At->getLine(), At->getColumn()});
  }
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
    return F && F->getName().contains("__divcost_");
  };
  removeFromUsedLists(M, IsOurs);
  for (Function &F : make_early_inc_range(M))
    if (IsOurs(&F) && F.use_empty())
      F.eraseFromParent();
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
  GlobalVariable *Loops = addArray(M, Type::getInt8Ty(Context), Size, Text, "__divcost_loops");
  Type *Int = Type::getInt64Ty(Context);
  auto Number = [Int](uint64_t Value) { return ConstantInt::get(Int, Value); };
  Unit->setInitializer(ConstantArray::get(
      ArrayType::get(Int, 8),
      {Number(Magic), genericAddress(Counters), Number(Table.n_loops), Number(Copies),
       genericAddress(Loops), Number(Size), Number(Words), Number(0)}));
}

uint32_t numberOf(const dc_profile &Table, const dc_profile_loop *Loop) {
  for (uint32_t K = 0; K < Table.n_loops; ++K)
    if (Table.loops[K] == Loop)
      return K;
  return 0;
}

} // namespace

bool divcost::placeCounters(Module &M, const dcp_source &Source, const dc_profile &Claims) {
  dc_profile Table = {};
  std::vector<std::pair<CallInst *, const dc_profile_loop *>> Placed;
  bool Good = true;
  for (CallInst *Call : callsOfRecorder(M)) {
    dc_profile_loop Loop;
    if (!nameLoop(*Call, Source, Loop)) {
      Call->eraseFromParent();
      continue;
    }
    Loop.level = claimOf(Claims, Loop);
    dc_profile_loop *Added = dc_profile_add(&Table, &Loop);
    dcp_profile_clear(&Loop);
    Good = Good && Added;
    Placed.push_back({Call, Added});
  }
  uint64_t Copies = 128;
  while (Copies > 1 && Copies * Table.n_loops * sizeof(dc_profile_counts) > BytesMax)
    Copies /= 2;
  if (Good && Table.n_loops) {
    GlobalVariable *Counters =
        addArray(M, Type::getInt64Ty(M.getContext()), Copies * Table.n_loops * Words, nullptr,
                 "__divcost_counters");
    for (auto &[Call, Loop] : Placed) {
      uint64_t Offset = numberOf(Table, Loop) * Copies * sizeof(dc_profile_counts);
      Call->setArgOperand(0, addressOf(Counters, Offset));
      bool Agrees = isRecorder(*Call->getCalledFunction(), "__divcost_agree");
      Call->setArgOperand(
          1, ConstantInt::get(Type::getInt32Ty(M.getContext()), Agrees ? Loop->level : Copies - 1));
      if (Agrees && Loop->level > DC_BLOCK_UNIFORM) // lanes are compared elsewhere
        Call->eraseFromParent();
    }
    describe(M, Counters, Table, Copies);
  }
  dropRecorder(M);
  dc_profile_free(&Table);
  return Good;
}
