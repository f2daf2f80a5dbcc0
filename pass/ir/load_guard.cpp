// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares LLVM's version at run time with the one built for. Nothing here needs more of LLVM than
// its oldest C function.
#include "ir/load_guard.h"

#include "llvm/Config/llvm-config.h"

#include <cstdio>

extern "C" __attribute__((weak)) void LLVMGetVersion(unsigned *Major, unsigned *Minor,
                                                     unsigned *Patch);

static bool compareVersions() {
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, &Minor, &Patch);
  if (Major == LLVM_VERSION_MAJOR)
    return true;
  fprintf(stderr, "divcost: this plugin was built for LLVM %d and does nothing in LLVM %u\n",
          LLVM_VERSION_MAJOR, Major);
  return false;
}

bool divcost::isRightVersion() {
  static const bool Right = compareVersions();
  return Right;
}
