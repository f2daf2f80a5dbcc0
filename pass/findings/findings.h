// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From skeletons to what is worth saying: estimates of every kernel for all its launches, and the
// findings of all rules (rules.h).
#ifndef DIVCOST_PASS_FINDINGS_FINDINGS_H
#define DIVCOST_PASS_FINDINGS_FINDINGS_H

#include "analysis/ssa.h"
#include "divcost/unit.h"
#include "findings/options.h"

#ifdef __cplusplus
extern "C" {
#endif

// Estimates the kernels of the unit for the options' architecture, or else for sm, worst launch
// first, and adds findings. Where these are all that is wanted, kernels that can't get one are not
// estimated. A kernel that cannot be estimated gets a finding of rule gave-up. Fails only when
// memory is out.
dc_status dcp_find(dc_unit *unit, unsigned sm, const dcp_options *options, bool only_findings,
                   dc_error *error);

// Marks a finding as suppressed; whoever did that first is told.
void dcp_suppress(dc_finding *finding, dc_suppressor by);

// Whether a value is made of a parameter that nobody gave the value of.
bool dcp_needs_parameter(const dc_kernel *kernel, dc_expr e, uint32_t parameter);

// Whether a value follows from the launch alone, its parameters included.
bool dcp_rests_on_launch(const dc_kernel *kernel, dc_expr e);

// Whether an operand of a comparison is low bits of something, or something with such flipped: of
// an index, they part lanes side by side.
bool dcp_compares_low_bits(const dc_expr_pool *pool, const dc_expr_node *comparison);

// Whether a launch is known to be one block of less than a warp.
bool dcp_is_serial(const dc_launch *launch);

// Whether blocks of these dimensions have a warp that isn't full.
bool dcp_has_part_warp(const uint32_t block[3]);

// Whether a rule of cost may find something: lanes may leave a loop in different iterations, or
// part at a branch by more than a bound on their index; or a launch that is known has a warp that
// isn't full, or lanes part at branches and nothing about that has to be assumed.
bool dcp_may_lose(const dc_kernel *kernel);

// Whether a rule of memory may find something: a request of some access, of the first 500, takes
// this many times what it needs, or more, in a launch of the kernel.
#define DCP_MEMORY_EXCESS 2
bool dcp_may_scatter(const dc_kernel *kernel);

// Says of a kernel that the analysis of it, or of a function that it calls (demangled), has stopped
// at a limit: as not_analysed, and as a finding of rule gave-up. False: out of memory.
bool dcp_gave_up(dc_unit_kernel *kernel, const ssa_function *f, const char *function);

// Makes the fingerprints of a kernel's barrier findings from where they are: dcp_find has done so,
// but whoever moves findings to better locations calls it again. Errors: DC_ERROR_MEMORY.
dc_status dcp_identify_barriers(dc_unit_kernel *kernel, dc_error *error);

// The launch in which a loop loses most, of those that decide (dc_estimate_decides): an index into
// kernel->estimates; kernel must have one.
uint32_t dcp_deciding_estimate(const dc_unit_kernel *kernel, uint32_t loop);

// Whether a kernel has a finding about what it costs.
bool dcp_is_told_of(const dc_unit_kernel *kernel);

// The launch in which most of a kernel's lanes certainly idle, likewise, but for serial ones where
// there are others; DC_NONE: none is estimated.
uint32_t dcp_least_efficient(const dc_unit_kernel *kernel);

#ifdef __cplusplus
}
#endif

#endif
