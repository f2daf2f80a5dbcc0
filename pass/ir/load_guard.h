// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the plugin was loaded by the LLVM that it was built for. LLVM's interfaces change with
// every version: used by another one, the plugin would crash the compiler.
#ifndef DIVCOST_PASS_IR_LOAD_GUARD_H
#define DIVCOST_PASS_IR_LOAD_GUARD_H

namespace divcost {

// The first call says so in one line on standard error where the version is another one.
bool isRightVersion();

} // namespace divcost

#endif
