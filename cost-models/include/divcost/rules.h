// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules: the kinds of findings, and all that is said of a kind rather than of one finding.
// Options, help texts, formats of reports and editors take it from here, so that a new rule is a
// row (docs/internals/how-to-add.md).
#ifndef DIVCOST_RULES_H
#define DIVCOST_RULES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Fingerprints and SARIF files count them: a new one stands right before DC_RULE_COUNT.
typedef enum dc_rule {
  DC_RULE_IMBALANCE,      // a loop loses a noteworthy share of its kernel
  DC_RULE_DATA_DEPENDENT, // a loop is expected to, but its trip counts are assumed
  DC_RULE_BARRIER,        // reached in control flow that is not uniform enough
  DC_RULE_GAVE_UP,        // a function that could not be analysed
  DC_RULE_BARRIER_EXITED, // reached by those alone that have not left the kernel
  DC_RULE_EFFICIENCY,     // a kernel's warps certainly have idle lanes
  DC_RULE_BRANCH,         // lanes idle behind a branch at which others go another way
  DC_RULE_COALESCING,     // a warp's request to global memory touches more sectors than it needs
  DC_RULE_BANK_CONFLICT,  // one to shared memory takes several passes over its banks
  DC_RULE_CONSTANT,       // lanes read different addresses of constant memory
  DC_RULE_COUNT
} dc_rule;

typedef struct dc_rule_info {
  const char *name; // "gave-up", as users' scripts and baselines know it: it never changes
  bool warns;       // from the start; else its findings are remarks until somebody asks for them
  // Its findings say what a loop, a branch or an access costs. So they depend on an estimate and go
  // when figures are made anew; reports show them with their loop; an annotation that ignores the
  // loop suppresses them.
  bool of_cost;
  // How many of its findings are true, in the four words of GitHub's code scanning: "very-high" to
  // "low". What data may make untrue is medium: bench/foreign has the counts.
  const char *precision;
  const char *title; // one sentence on what is wrong, for lists of rules
  const char *help;  // why that matters, and what to do about it
} dc_rule_info;

// What is known of a rule below DC_RULE_COUNT. O(1).
const dc_rule_info *dc_rule_about(dc_rule rule);

// A rule's name, and back: the enumerator, or -1.
const char *dc_rule_name(dc_rule rule);
int dc_rule_parse(const char *name);

// Writes all names, "imbalance, data-dependent, ...", cut to size - 1 bytes and ended with 0.
// Returns the length without the cut. O(rules).
size_t dc_rule_names(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
