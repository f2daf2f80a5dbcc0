// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings that follow from the skeleton alone, without an estimate.
#ifndef DIVCOST_PASS_BARRIERS_H
#define DIVCOST_PASS_BARRIERS_H

#include "analysis.h"

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds a finding of rule barrier for each barrier that part of the threads it waits for may not
// reach: __syncthreads() where control flow isn't the same in the block, __syncwarp() where it
// isn't the same in the warp; before sm_70 also where some lanes have returned. False: out of
// memory.
bool dcp_check_barriers(dc_unit_kernel *kernel, unsigned sm);

// Whether a branch decides which threads come to a block: the block lies between it and the place
// where its sides meet again. O(blocks).
bool dcp_decides(const dc_kernel *kernel, uint32_t branch, uint32_t block);

// Says of a kernel that the analysis of it, or of a function that it calls (demangled), has stopped
// at a limit: as not_analysed, and as a finding of rule gave-up. False: out of memory.
bool dcp_gave_up(dc_unit_kernel *kernel, const dcp_analysis *analysis, const char *function);

#ifdef __cplusplus
}
#endif

#endif
