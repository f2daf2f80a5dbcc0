// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/module_facts.h"

#include "analysis/source.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>

using namespace llvm;

namespace {

// The integer that !nvvm.annotations attaches to F under Key, or -1.
int64_t annotation(const Function &F, StringRef Key) {
  const NamedMDNode *Annotations = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return -1;
  for (const MDNode *Node : Annotations->operands()) {
    if (Node->getNumOperands() < 3 ||
        mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &F)
      continue;
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2) {
      auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(I));
      auto *Value = mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(I + 1));
      if (Name && Value && Name->getString() == Key)
        return Value->getSExtValue();
    }
  }
  return -1;
}

// A dimension list, "nvvm.reqntid"="16,16" or !{f, !"reqntidx", i32 16, !"reqntidy", i32 16}.
bool dimensions(const Function &F, StringRef Name, uint32_t Block[3]) {
  Block[0] = Block[1] = Block[2] = 1;
  Attribute A = F.getFnAttribute(("nvvm." + Name).str());
  if (A.isValid()) {
    SmallVector<StringRef, 3> Parts;
    A.getValueAsString().split(Parts, ',');
    for (unsigned I = 0; I < Parts.size() && I < 3; ++I)
      if (Parts[I].trim().getAsInteger(10, Block[I]) || Block[I] == 0)
        return false;
    return !Parts.empty();
  }
  bool Any = false;
  for (unsigned I = 0; I < 3; ++I) {
    int64_t Value = annotation(F, (Name + Twine("xyz"[I])).str());
    if (Value > 0)
      Block[I] = static_cast<uint32_t>(Value), Any = true;
  }
  return Any;
}

// "nvvm.minctasm"="4", or !{f, !"minctasm", i32 4}; 0: it isn't there.
unsigned number(const Function &F, StringRef Name) {
  unsigned Value;
  Attribute A = F.getFnAttribute(("nvvm." + Name).str());
  if (A.isValid() && !A.getValueAsString().getAsInteger(10, Value))
    return Value;
  return static_cast<unsigned>(std::max<int64_t>(0, annotation(F, Name)));
}

} // namespace

bool divcost::isDeviceModule(const Module &M) { return Triple(M.getTargetTriple()).isNVPTX(); }

unsigned divcost::smNumber(StringRef Cpu) {
  unsigned Number;
  if (!Cpu.consume_front("sm_") || Cpu.consumeInteger(10, Number))
    return 0;
  return Number;
}

unsigned divcost::smOf(const Module &M) {
  for (const Function &F : M)
    if (unsigned Sm = smNumber(F.getFnAttribute("target-cpu").getValueAsString()))
      return Sm;
  return 0;
}

const dc_machine_code &divcost::machineCodeOf(const Module &M) {
  return *dc_machine_code_find(smOf(M));
}

bool divcost::isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel || annotation(F, "kernel") == 1;
}

bool divcost::requiredBlock(const Function &F, uint32_t Block[3]) {
  return dimensions(F, "reqntid", Block);
}

uint32_t divcost::largestBlock(const Function &F) {
  uint32_t Block[3];
  if (!dimensions(F, "maxntid", Block))
    return 0;
  uint64_t Threads = uint64_t(Block[0]) * Block[1] * Block[2];
  return Threads > 1024 ? 1024 : static_cast<uint32_t>(Threads);
}

unsigned divcost::leastBlocks(const Function &F) { return number(F, "minctasm"); }

unsigned divcost::mostRegisters(const Function &F) { return number(F, "maxnreg"); }

void divcost::limitRegisters([[maybe_unused]] Function &F, [[maybe_unused]] unsigned Most) {
#if LLVM_VERSION_MAJOR >= 21
  F.addFnAttr("nvvm.maxnreg", utostr(Most));
#endif // the backend has read annotations by now, which is where it was before
}

// A folder that is a link makes its ".." another one's.
std::string divcost::plainPath(std::string Path) {
  if (Path.find("/../") == std::string::npos && Path.find("/./") == std::string::npos)
    return Path;
  thread_local StringMap<std::string> Known;
  auto [At, IsNew] = Known.try_emplace(Path);
  if (IsNew) {
    SmallString<256> Plain(Path);
    sys::path::remove_dots(Plain, /*remove_dot_dot=*/true);
    bool Same = false;
    At->second =
        !sys::fs::equivalent(Path, Plain, Same) && Same ? Plain.str().str() : std::move(Path);
  }
  return At->second;
}

std::string divcost::pathOf(const DIScope &Scope) {
  SmallString<256> Path(Scope.getFilename());
  if (!sys::path::is_absolute(Path)) {
    Path = Scope.getDirectory();
    sys::path::append(Path, Scope.getFilename());
  }
  return plainPath(Path.str().str());
}

std::string divcost::nameOf(const DISubprogram &Function) {
  StringRef Rest = Function.getName();
  std::string Name;
  for (size_t At; (At = Rest.find(" at ")) != StringRef::npos;) {
    At += strlen(" at ");
    StringRef Path = Rest.substr(At, Rest.find(')', At) - At);
    Path = Path.rsplit(':').first.rsplit(':').first; // without line and column
    SmallString<256> Whole(Path);
    if (!sys::path::is_absolute(Path) && Function.getUnit()) {
      Whole = Function.getUnit()->getDirectory();
      sys::path::append(Whole, Path);
    }
    Name += Rest.take_front(At).str() + plainPath(Whole.str().str());
    Rest = Rest.drop_front(At + Path.size());
  }
  return Name + Rest.str();
}

std::string divcost::nameOf(StringRef Symbol) {
  std::string Kept = Symbol.str();
  Kept.resize(dcp_symbol_length(Kept.c_str()));
  return demangle(Kept);
}

bool divcost::hasMark(const Instruction &I, StringRef Mark) {
  MDNode *Annotations = I.getMetadata(LLVMContext::MD_annotation);
  return Annotations && any_of(Annotations->operands(), [Mark](const MDOperand &Operand) {
           auto *Text = dyn_cast<MDString>(Operand);
           return Text && Text->getString() == Mark;
         });
}
