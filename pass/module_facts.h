// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an NVPTX module says of its functions, in the spelling of LLVM 19 (!nvvm.annotations) and of
// later versions (calling convention and attributes).
#ifndef DIVCOST_PASS_MODULE_FACTS_H
#define DIVCOST_PASS_MODULE_FACTS_H

#include <cstdint>

namespace llvm {
class Function;
}

namespace divcost {

bool isKernel(const llvm::Function &F);

// The block shape that the kernel requires (reqntid); false where it requires none.
bool requiredBlock(const llvm::Function &F, uint32_t block[3]);

// The largest number of threads in a block (launch bounds), 0 where nothing is said.
uint32_t largestBlock(const llvm::Function &F);

} // namespace divcost

#endif
