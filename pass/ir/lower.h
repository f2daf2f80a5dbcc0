// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to the plain C form of analysis/ssa.h: the last place that knows LLVM's types.
#ifndef DIVCOST_PASS_IR_LOWER_H
#define DIVCOST_PASS_IR_LOWER_H

#include "analysis/source.h"
#include "analysis/ssa.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <string>
#include <vector>

namespace llvm {
class DILocalScope;
class DILocation;
class Function;
} // namespace llvm

namespace divcost {

// Debug locations as entries of a kernel's location table, each once.
class LocationTable {
public:
  explicit LocationTable(dc_kernel &Kernel) : Kernel(Kernel) {}
  uint32_t of(const llvm::DILocation *Location);

private:
  struct Names {
    uint32_t File, Function;
  };
  Names namesOf(const llvm::DILocalScope *Scope);

  dc_kernel &Kernel;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> Known;
  llvm::DenseMap<const llvm::DILocalScope *, Names> Scopes;
};

// Owns the arrays that `view` points to.
struct Lowered {
  std::vector<ssa_value> Values;
  std::vector<uint32_t> Operands, Incoming, BlockValues, Edges, InOrder, LoopBlocks;
  std::vector<ssa_block> Blocks;
  std::vector<ssa_loop> Loops;
  std::vector<ssa_access> Accesses;
  std::vector<const char *> Texts;
  std::deque<std::string> TextStorage;
  ssa_function view();
  bool IsKernel = false;
  const dc_machine_code *MachineCode = nullptr; // that is expected of F
  dcp_compiler Compiler = DCP_CLANG_O2;         // likewise
};

// Structures that a kernel gets by value and writes to become variables: of these, passes tell the
// fields apart, so that those which aren't written stay what the launch gave. Not where an address
// escapes, or a field is chosen by an index. False: nothing has changed.
bool copyWrittenParameters(llvm::Function &Kernel);

// Lowers F, whose locations go to the kernel that Locations belongs to.
void lower(llvm::Function &F, const dcp_source &Source, LocationTable &Locations, Lowered &Out);

} // namespace divcost

#endif
