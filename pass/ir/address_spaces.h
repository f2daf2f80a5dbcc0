// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVPTX's address spaces. LLVM has them in a header (llvm/Support/NVPTXAddrSpace.h) from 20 on.
#ifndef DIVCOST_PASS_IR_ADDRESS_SPACES_H
#define DIVCOST_PASS_IR_ADDRESS_SPACES_H

namespace divcost {

constexpr unsigned GenericSpace = 0, GlobalSpace = 1, SharedSpace = 3, ConstantSpace = 4,
                   LocalSpace = 5, ParameterSpace = 101;

} // namespace divcost

#endif
