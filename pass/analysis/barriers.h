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

// Adds the barriers of the function, whose blocks begin at `first_block`, to the kernel. What is
// wrong only in blocks that nobody launches, or if others change what is read, isn't worth a word:
// `analysis` is the one under these hypotheses, where there is one. False: out of memory.
bool dcp_build_barriers(dcp_analysis *analysis, uint32_t first_block);

// What the threads do meanwhile that part at a branch and don't come to a barrier, from the mildest
// to the worst.
typedef enum dcp_absence {
  DCP_COMES,           // there are none
  DCP_EXITED,          // nothing but leave the kernel
  DCP_RUNS,            // more than that
  DCP_WAITS_ELSEWHERE, // they may come to another barrier
} dcp_absence;

typedef struct dcp_missing {
  uint32_t branch; // the block at whose end they part
  dcp_absence absence;
  uint32_t elsewhere; // location of such a barrier, or DC_NONE
} dcp_missing;

// Adds to the kernel why threads miss a barrier, and gives the range of it.
void dcp_explain_barrier(dcp_analysis *analysis, const dcp_missing *missing, uint32_t *first,
                         uint32_t *count);

typedef enum dcp_barrier_fault {
  DCP_BARRIER_SOUND,
  DCP_BARRIER_DIVERGES,     // control flow isn't the same in all that it waits for: the block for
                            // __syncthreads(), the warp for __syncwarp()
  DCP_BARRIER_AFTER_RETURN, // some of these may have returned, and it waits for them: before sm_70
  DCP_BARRIER_EXITED,       // some may have returned, which counts as arrived
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
