// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for the blocks of a function as clang made it, by which profiles know them: the function's
// symbol, a hash of its code, and the block's number. In the private module they are metadata of
// the blocks' last instructions, which no pass looks at: what merges blocks keeps the name of one
// that is executed as often as all, or none.
#ifndef DIVCOST_PASS_PROFILE_BLOCK_NUMBERS_H
#define DIVCOST_PASS_PROFILE_BLOCK_NUMBERS_H

#include "analysis/source.h"
#include "analysis/ssa.h"
#include "ir/simplify.h" // BlockNameKind, decidingPhi
#include "profile/profile.h"

#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace llvm {
class BasicBlock;
class DILocation;
class DISubprogram;
class Function;
class Instruction;
class MDNode;
class Module;
} // namespace llvm

namespace divcost {

// Of instructions, their kinds and constants, and the ways between blocks; what the recorder or the
// choice of an optimisation level adds isn't part of it.
uint64_t hashOfCode(const llvm::Function &F);

// Names the blocks of all functions that have a place in the source, and behind these the slow
// paths (slow_paths.h), as further blocks. Returns a hash of all code and data but those of the
// recorder and of CUDA's library.
uint64_t numberBlocks(llvm::Module &M);

// A block's name as metadata (BlockNameKind), for numberBlocks and whatever stands for the block
// later.
llvm::MDNode *blockName(llvm::Function &F, uint64_t Hash, uint32_t Number);

// Where a function stands: file, name, line. Debug info of lines alone has no symbols.
using FunctionPlace = std::tuple<std::string, std::string, unsigned>;
FunctionPlace placeOf(const llvm::DISubprogram &Of);

// The names of a kernel's blocks and where its loops' bodies begin, as dcp_kernel_blocks has them;
// the texts live as long as this does.
class KernelBlocks {
public:
  KernelBlocks() = default;
  KernelBlocks(const KernelBlocks &) = delete;
  KernelBlocks &operator=(const KernelBlocks &) = delete;
  // The blocks and loops of a function that has become a part of the kernel.
  void add(const llvm::Function &Part, const ssa_function &Lowered, const dcp_source &Source);
  // The block that an instruction ends or stands for; one without a name gets none.
  void addBlock(const llvm::Instruction &At, const dcp_source &Source);
  dcp_kernel_blocks view() const {
    return {Names.data(),
            Bodies.data(),
            Apart.data(),
            Slow.data(),
            static_cast<uint32_t>(Slow.size()),
            0,
            false};
  }
  // The kernel, and the functions that it calls, by symbol.
  const std::set<std::string> &roots() const { return Roots; }
  // The functions that blocks came from or through.
  const std::set<FunctionPlace> &inlined() const { return Inlined; }

private:
  dcp_block_name nameOf(const llvm::Instruction &At, const dcp_source &Source);
  void addSlowPath(const llvm::Instruction &Of, uint32_t Block, const dcp_source &Source);

  std::deque<std::string> Texts;
  std::set<std::string> Roots;
  std::vector<dcp_block_name> Names;
  std::vector<uint8_t> Apart;
  std::vector<dcp_slow_path> Slow;
  std::vector<uint32_t> Bodies;
  std::set<FunctionPlace> Inlined;
};

// The calls through which a place came into its function, innermost first, for dcp_profile_path;
// Texts own the names.
std::vector<dcp_source_location> callChain(const llvm::DILocation *At,
                                           std::deque<std::string> &Texts);

} // namespace divcost

#endif
