// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules, a file each, and the one way in which they add findings. A rule says what a finding is
// known by: its fingerprint, which users' baselines keep, so that neither the wording of a message
// nor a line elsewhere may be part of it.
#ifndef DIVCOST_PASS_FINDINGS_RULES_H
#define DIVCOST_PASS_FINDINGS_RULES_H

#include "findings/options.h"

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DCP_MESSAGE_SIZE 640

// Adds a finding, with a copy of the message. Errors: DC_ERROR_MEMORY.
dc_status dcp_add_finding(dc_unit_kernel *kernel, dc_finding finding, const char *message,
                          dc_error *error);

// The same for a loop, which is known by rule and id; suppressed where an annotation ignores it.
dc_status dcp_add_loop_finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop,
                               const char *message, dc_error *error);

// rule_barrier.c: one for each barrier that part of the threads it waits for may not reach. `sm`:
// the architecture, 0: not known.
dc_status dcp_find_barriers(dc_unit *unit, unsigned sm, dc_error *error);

// rule_gave_up.c: a kernel that can't be estimated, for a reason.
dc_status dcp_not_estimated(dc_unit_kernel *kernel, const char *reason, dc_error *error);

// rule_imbalance.c: statements whose loops certainly lose a noteworthy share of their kernel's
// cycles.
dc_status dcp_find_imbalance(dc_unit *unit, const dcp_options *options, dc_error *error);

// rule_data_dependent.c: kernels that might lose as much, but only under an assumption.
dc_status dcp_find_data_dependent(dc_unit *unit, const dcp_options *options, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
