// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of CUDA's device library (libdevice: __nv_*), which clang links into a module
// where a toolkit is there.
#ifndef DIVCOST_PASS_DEVICE_LIBRARY_H
#define DIVCOST_PASS_DEVICE_LIBRARY_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

bool isInDeviceLibrary(const llvm::Function &F);

// In a private copy of a module: functions that compute a floating-point number from numbers, and
// whose instructions a GPU has counted, become calls of something that has no body and touches no
// memory. What is counted is then what the hardware executes, the same with a toolkit and without,
// the library's loops are none of the kernel's, and nobody inlines hundreds of instructions for
// each call of powf. Short functions stay what they are: to be inlined.
void keepLibraryCalls(llvm::Module &M);

} // namespace divcost

#endif
