// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules, a file each, and the one way in which they add findings. A rule says what a finding is
// known by: its fingerprint, which users' baselines keep, so that neither the wording of a message
// nor a line elsewhere may be part of it.
#ifndef DIVCOST_PASS_FINDINGS_RULES_H
#define DIVCOST_PASS_FINDINGS_RULES_H

#include "findings/options.h"
#include "findings/places.h"

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DCP_MESSAGE_SIZE 640

// Adds a finding, with a copy of the message; one of a library's code at the user's call, and with
// words about that (one about a barrier as it is); suppressed where data decide
// there. Errors: DC_ERROR_MEMORY.
dc_status dcp_add_finding(dc_unit_kernel *kernel, dc_finding finding, const char *message,
                          dc_error *error);

// The same for a loop, which is known by rule and id; suppressed where the rule is about what loops
// cost and an annotation ignores this one.
dc_status dcp_add_loop_finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop,
                               const char *message, dc_error *error);

// Notes that the finding that was added to a kernel last is another kernel's, too (or the same
// kernel's in another place of its code, which is nothing to note). Errors: DC_ERROR_MEMORY.
dc_status dcp_note_other(dc_unit_kernel *kernel, const dc_unit_kernel *other, dc_error *error);

// Has the messages of all findings that are other kernels', too, name these. O(kernels * findings).
// Errors: DC_ERROR_MEMORY.
dc_status dcp_name_others(dc_unit *unit, dc_error *error);

// How many kernels n candidates of a place are of: it may be there in several launches of one. The
// numbers of the kernels are so many bytes apart, in the candidates. O(n^2).
unsigned dcp_count_kernels(const uint32_t *kernel, size_t apart, uint32_t n);

// A rule about single loops that lose a share of their kernel's issue cycles. Loops of one
// statement are one finding, in the worst instance.
typedef struct dcp_loop_rule {
  dc_rule rule;
  bool assumed;        // about loops whose own trip counts are assumed, or about the others
  bool one_per_kernel; // only the loop that loses most; of those that are ignored, one too
  void (*word)(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate,
               unsigned instances, char *text, size_t size);
} dcp_loop_rule;

// Adds its findings: loops of which the share, at the low end of dc_loop_share, is not below
// threshold. Errors: DC_ERROR_MEMORY. O(loops log loops).
dc_status dcp_find_loops(dc_unit *unit, const dcp_loop_rule *rule, double threshold,
                         dc_error *error);

// rule_efficiency.c: a finding about all of a kernel. Errors: DC_ERROR_MEMORY.
dc_status dcp_add_efficiency(dc_unit_kernel *kernel, const char *message, dc_error *error);

// rule_branch.c: whether a part of a condition at least goes by the lane's index alone, and parts
// the lanes of a warp: threadIdx.x % 32 == 0 && ..., but not threadIdx.x < n. `depth`: of
// conditions joined to one that are gone into. O(nodes).
bool dcp_parts_by_index(const dc_expr_pool *pool, dc_expr condition, unsigned depth);

// What is looked for, in the order in which the findings come: X(rule, function). A function adds
// all findings of its rule; where that is of_cost (divcost/rules.h), the kernels are estimated by
// then. Each is in a file of its own, rule_NAME.c. gave-up isn't here: what gives up says so
// (dcp_gave_up, dcp_not_estimated). Of kernels that were measured, the last one alone says what
// lanes they lose, and the one before it what their accesses take, if that was counted, under the
// names of the others.
#define DCP_RULES(X)                                                                               \
  X(DC_RULE_BARRIER, dcp_find_barrier)                                                             \
  X(DC_RULE_BARRIER_EXITED, dcp_find_barrier_exited)                                               \
  X(DC_RULE_IMBALANCE, dcp_find_imbalance)                                                         \
  X(DC_RULE_DATA_DEPENDENT, dcp_find_data_dependent)                                               \
  X(DC_RULE_EFFICIENCY, dcp_find_efficiency)                                                       \
  X(DC_RULE_BRANCH, dcp_find_branch)                                                               \
  X(DC_RULE_EFFICIENCY, dcp_find_spread)                                                           \
  X(DC_RULE_COALESCING, dcp_find_coalescing)                                                       \
  X(DC_RULE_BANK_CONFLICT, dcp_find_bank_conflict)                                                 \
  X(DC_RULE_CONSTANT, dcp_find_constant)                                                           \
  X(DC_RULE_COALESCING, dcp_find_measured_memory)                                                  \
  X(DC_RULE_IMBALANCE, dcp_find_measured)

// Errors: DC_ERROR_MEMORY.
#define DCP_DECLARE_RULE(rule, find)                                                               \
  dc_status find(dc_unit *unit, const dcp_options *options, dc_error *error);
DCP_RULES(DCP_DECLARE_RULE)
#undef DCP_DECLARE_RULE

// A kernel that can't be estimated, for a reason. Errors: DC_ERROR_MEMORY.
dc_status dcp_not_estimated(dc_unit_kernel *kernel, const char *reason, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
