// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of CUDA's device library (libdevice: __nv_*), which clang links into a module
// where a toolkit is there. A second generator (clang/private_module.cpp) has its declarations
// alone.
#ifndef DIVCOST_PASS_IR_DEVICE_LIBRARY_H
#define DIVCOST_PASS_IR_DEVICE_LIBRARY_H

#include <string>

namespace llvm {
class APInt;
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace divcost {

bool isInDeviceLibrary(const llvm::Function &F);

// Whether calls of it stay calls in a private copy, see keepLibraryCalls: nobody reads its body.
bool staysCall(const llvm::Function &F);

// As CUDA's headers call the function: "sinf", "__sinf", "__frcp_rn".
std::string nameInLibrary(const llvm::Function &F);

// Whether a GPU counted more than a few instructions of it.
bool isCounted(const llvm::Function &F);

// Whether a function is a sum, product, minimum, or what else is as cheap, whatever its rounding.
bool isArithmetic(const llvm::Function &F);

// The power that a call raises to, if it is one to a constant whole power: products, of which LLVM
// makes straight code; otherwise NULL.
const llvm::APInt *constantPower(const llvm::CallBase &Call);

// Whether the library's code for a call that stays one has a loop in it.
bool hasLoop(const llvm::CallBase &Call);

// In a private copy of a module, so that figures are the same at every -O, and with the library's
// code and without:
// - Counted functions that do nothing but compute a number from numbers become calls
//   of something that has no body and touches no memory. What is counted is then what the hardware
//   executes, the library's loops are none of the kernel's, and nobody inlines hundreds of
//   instructions for each call of powf. Those of sincos return what they write through pointers,
//   and the caller writes it.
// - Without the library's code so do all that compute such numbers, and those that are another name
//   for an intrinsic get a body.
// Everything else stays what it is: to be inlined.
void keepLibraryCalls(llvm::Module &M);

} // namespace divcost

#endif
