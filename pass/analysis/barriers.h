// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that part of the threads they wait for may not reach.
#ifndef DIVCOST_PASS_ANALYSIS_BARRIERS_H
#define DIVCOST_PASS_ANALYSIS_BARRIERS_H

#include "analysis/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a barrier is in control flow that isn't uniform enough, as far as this analysis can tell.
bool dcp_doubts_barrier(const dcp_analysis *analysis);

// Adds the barriers of the function, whose blocks begin at `first_block`, to the kernel; `kind` is
// as dcp_build_skeleton has it. False: out of memory.
bool dcp_build_barriers(const dcp_analysis *analysis, const dcp_analysis *kind,
                        uint32_t first_block);

typedef enum dcp_barrier_fault {
  DCP_BARRIER_SOUND,
  DCP_BARRIER_DIVERGES,     // control flow isn't the same in all that it waits for: the block for
                            // __syncthreads(), the warp for __syncwarp()
  DCP_BARRIER_AFTER_RETURN, // some of these may have returned; before sm_70 it waits for them
} dcp_barrier_fault;

// What is wrong with a barrier of a kernel, on an architecture (0: not known which).
dcp_barrier_fault dcp_barrier_fault_of(const dc_barrier *barrier, unsigned sm);

// Whether a branch decides which threads come to a block: the block lies between it and the block
// where its ways meet again. O(blocks).
bool dcp_decides(const dc_kernel *kernel, uint32_t branch, uint32_t block);

#ifdef __cplusplus
}
#endif

#endif
