// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the three files of the distributions share: the table of laws, and the laws given by a
// formula.
#ifndef DIVCOST_DISTRIBUTION_INTERNAL_H
#define DIVCOST_DISTRIBUTION_INTERNAL_H

#include "divcost/distribution.h"

#include <stdbool.h>

// One parameter of a law, as written and as checked.
typedef struct dc_parameter_rule {
  const char *name;
  double low, high;
  bool above_low; // low itself is excluded
  bool whole;
} dc_parameter_rule;

typedef struct dc_law_rule {
  const char *name; // NULL for a mixture, which has none
  unsigned parameters;
  dc_parameter_rule parameter[2];
} dc_law_rule;

extern const dc_law_rule dc_law_rules[DC_LAW_MIXTURE + 1];

// How far the weights of a mixture may be from summing to 1: three times 0.333 passes.
#define DC_WEIGHT_TOLERANCE 0.002

// Fails with the text "p of geometric is 2, but must be in (0, 1]".
dc_status dc_parameter_check(const dc_law_rule *rule, unsigned parameter, double value,
                             dc_error *error);

// The range of a parameter, as "in (0, 1]" or "a whole number from 0 to 10".
void dc_parameter_range(const dc_parameter_rule *rule, char *text, size_t capacity);

// The values that a law given by a formula takes after the cut: first, first + 1, ... last.
typedef struct dc_support {
  int64_t first, last;
  int64_t mode;
  double cut; // probability above last
} dc_support;

// Finds the support of a checked law with a formula (const ... zipf), which ends where P(W > last)
// < cut. O(points). Errors: DC_ERROR_LIMIT for more than DC_POINTS_MAX points; DC_ERROR_ARGUMENT
// for cut 0 where the law has no end.
dc_status dc_law_support(const dc_law *law, double cut, dc_support *support, dc_error *error);

// Writes the masses for a support, not normalised: points[0 .. last - first]. O(points).
void dc_law_masses(const dc_law *law, const dc_support *support, dc_point *points);

#endif
