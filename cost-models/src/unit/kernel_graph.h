// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_UNIT_KERNEL_GRAPH_H
#define DIVCOST_UNIT_KERNEL_GRAPH_H

#include "measured/code_graph.h"

#include "divcost/kernel.h"

// The control-flow graph of a kernel's blocks, which keep their numbers; code[n_blocks] as
// dc__graph_of_blocks has it. False: out of memory. dc__graph_free in any case.
bool dc__kernel_graph(const dc_kernel *kernel, const dc_code_instruction *code,
                      dc_code_graph *graph);

#endif
