// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of `divcost profile show` share.
#ifndef DIVCOST_TOOLS_MEASURED_PRINT_H
#define DIVCOST_TOOLS_MEASURED_PRINT_H

#include "divcost/measured.h"

// "FILE:LINE: text", and the line's end.
void print_line(const dc_measured_line *line);

// part / all; 0 of nothing.
double per(double part, double all);

// What warps wait for, and the lines that they wait at; what accesses take beyond what they need,
// and the lines of these. Nothing, where a profiler wasn't asked. False: out of memory.
bool print_uses(const dc_measured *measured, const dc_measured_kernel *kernel);

// The share of what a kernel's accesses to a kind of memory take that they don't need; 0 where it
// isn't known.
double excess_share(const dc_measured_kernel *kernel, dc_traffic_kind kind);

// The wait that most samples have, of those that don't issue; DC_WAIT_SELECTED: none.
dc_wait main_wait(const dc_instruction_use *use);

#endif
