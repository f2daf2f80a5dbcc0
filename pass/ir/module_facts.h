// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a module says of itself: whether it is for an NVIDIA GPU, what its functions are, in the
// spelling of LLVM 19 (!nvvm.annotations) and of later versions (calling convention and
// attributes), and where they come from.
#ifndef DIVCOST_PASS_IR_MODULE_FACTS_H
#define DIVCOST_PASS_IR_MODULE_FACTS_H

#include "divcost/machine_code.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace llvm {
class DIScope;
class DISubprogram;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace divcost {

// Whether the module is code for an NVIDIA GPU.
bool isDeviceModule(const llvm::Module &M);

// The number NN of "sm_NN", with or without a suffix; 0 for anything else.
unsigned smNumber(llvm::StringRef Cpu);

// The architecture that the module is compiled for, as its functions tell; 0: they don't.
unsigned smOf(const llvm::Module &M);

// What is known of the machine code of that architecture.
const dc_machine_code &machineCodeOf(const llvm::Module &M);

bool isKernel(const llvm::Function &F);

// The block dimensions that the kernel requires (reqntid); false where it requires none.
bool requiredBlock(const llvm::Function &F, uint32_t Block[3]);

// The largest number of threads in a block (launch bounds), 0 where nothing is said.
uint32_t largestBlock(const llvm::Function &F);

// The blocks that are to be resident at least (launch bounds), and the most registers of a thread
// (maxnreg); 0 where nothing is said.
unsigned leastBlocks(const llvm::Function &F);
unsigned mostRegisters(const llvm::Function &F);

// Gives a kernel without such a number one. Before LLVM 21 it is too late for that here.
void limitRegisters(llvm::Function &F, unsigned Most);

// Whether the instruction has a mark of that name: an !annotation, of which nothing is left in a
// module without it. (A kind of metadata of our own would stand in all bitcode of the compilation.)
bool hasMark(const llvm::Instruction &I, llvm::StringRef Mark);

// A path without "." and ".." that is the same file: by which way a header was included makes no
// difference. Others stay as they are.
std::string plainPath(std::string Path);

// Path of a scope's file, joined with its directory; plain.
std::string pathOf(const llvm::DIScope &Scope);

// A function's name. Where a type without one is in it, "f<(lambda at ./a.h:3:9)>", with the path
// that is its file's: clang writes it as it opened the file, or had it in a precompiled header.
std::string nameOf(const llvm::DISubprogram &Function);

// The name of a function's symbol, demangled without the suffix that internal kernels get in
// relocatable device code.
std::string nameOf(llvm::StringRef Symbol);

} // namespace divcost

#endif
