// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many machine instructions ptxas is expected to make of an instruction of the IR. A profiler
// counts these; the IR has others: addresses fold into loads, products into sums, and a division is
// a dozen.
#ifndef DIVCOST_PASS_IR_MACHINE_COUNT_H
#define DIVCOST_PASS_IR_MACHINE_COUNT_H

#include "divcost/machine_code.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace divcost {

// In the block where it stands, on the way that ordinary operands take; 0: nothing is left of it,
// or it is part of its user. What a block needs besides (constants for phis) counts for its
// terminator; but not the kernel's parameters that it reads. O(operands + uses), of a terminator
// O(phis).
unsigned machineInstructions(const llvm::Instruction &I, const dc_machine_code &Code);

// What was counted of an operation by itself: divisions, conversions and functions of the device
// library; else null.
const dc_operation_count *operationOf(const llvm::Instruction &I, const dc_machine_code &Code);

// Instructions of it, and beside these, that not all operands take, at most.
uint16_t slowInstructions(const llvm::Instruction &I, const dc_machine_code &Code);

// What a GPU executed of a function of the device library (__nv_*); 0: nobody counted.
unsigned countedInstructions(const llvm::Function &F, const dc_machine_code &Code);

// Registers of 32 bits that its result takes; 0: none, or a predicate.
unsigned registersOf(const llvm::Instruction &I);

// What LLVM's loop unrolling takes as its size for NVPTX.
unsigned sizeForUnrolling(const llvm::Instruction &I, const dc_machine_code &Code);

} // namespace divcost

#endif
