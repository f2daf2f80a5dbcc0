// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exits that count: a comparison of two ends, whose distance shrinks by an invariant step.
#ifndef DIVCOST_PASS_ANALYSIS_COUNTED_H
#define DIVCOST_PASS_ANALYSIS_COUNTED_H

#include "analysis/analysis.h"

// The condition for staying in the loop, as lower < upper, lower <= upper, lower != upper ...
typedef struct dcp_condition {
  dc_expr_op op;
  dc_expr lower, upper;
} dcp_condition;

// What e, or its opposite, compares. False: it is no comparison.
bool dcp_stay_condition(const dcp_analysis *analysis, dc_expr e, bool stays_if_true,
                        dcp_condition *out);

// Fills the exit's trips and what they rest on; leaves it where there is no such distance.
// O(terms^2) of the two ends.
void dcp_count_exit(dcp_analysis *analysis, dcp_exit *exit, const dcp_condition *stay);

#endif
