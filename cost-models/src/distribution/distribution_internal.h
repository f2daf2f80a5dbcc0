// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the distributions share: the table of distributions, the distributions given by
// a formula, and what can be done with points.
#ifndef DIVCOST_DISTRIBUTION_INTERNAL_H
#define DIVCOST_DISTRIBUTION_INTERNAL_H

#include "math/decimal.h"

#include "divcost/distribution.h"

#include <stdbool.h>

// ---- the table of distributions -----------------------------------------------------------------

// One parameter of a distribution, as written and as checked.
typedef struct dc_parameter_rule {
  const char *name;
  double low, high;
  bool above_low; // low itself is excluded
  bool whole;
} dc_parameter_rule;

// The values that a distribution given by a formula takes after the cut: first, first + 1, ...
// last.
typedef struct dc_support {
  int64_t first, last;
  int64_t mode; // only for the distributions by ratios
  double cut;   // probability above last
} dc_support;

// What a distribution is given by, which decides how it is read, measured and built. From mixtures
// on it is made of others.
typedef enum dc_form {
  DC_FORM_FORMULA, // parameters, and the row's two functions
  DC_FORM_POINTS,  // list: values and masses
  DC_FORM_FILE,    // histogram: a file's name, points once it was read
  DC_FORM_MIXTURE, // other distributions with weights
  DC_FORM_MAP,     // shift: first a distribution, then the parameters
  DC_FORM_COMBINE, // sum: several distributions, or one and the parameter
} dc_form;

// A row of the table (kinds.c): all that the parser, the printer, checks and messages know of a
// kind.
typedef struct dc_distribution_rule {
  const char *name; // NULL for a mixture, which has none
  dc_form form;
  unsigned parameters;
  dc_parameter_rule parameter[2];
  bool ordered; // the first parameter must not be above the second
  // Of formulas: as dc__distribution_support and dc__distribution_masses.
  dc_status (*support)(const dc_distribution_spec *spec, double cut, dc_support *support,
                       dc_error *error);
  void (*masses)(const dc_distribution_spec *spec, const dc_support *support, dc_point *points);
} dc_distribution_rule;

extern const dc_distribution_rule dc__distribution_rules[DC_DISTRIBUTION_KINDS];

// How far the weights of a mixture may be from summing to 1: three times 0.333 passes.
#define DC_WEIGHT_TOLERANCE 0.002

// Writes all names, "const, uniform, ...", cut to fit.
void dc__distribution_names(char *text, size_t capacity);

// How many of the rule's parameters this distribution has: none for a sum of several distributions.
unsigned dc__distribution_parameters(const dc_distribution_spec *spec);

// Fails with the text "p of geometric is 2, but must be in (0, 1]".
dc_status dc__parameter_check(const dc_distribution_rule *rule, unsigned parameter, double value,
                              dc_error *error);

// The range of a parameter, as "in (0, 1]" or "a whole number from 0 to 10".
void dc__parameter_range(const dc_parameter_rule *rule, char *text, size_t capacity);

// Fails unless there are points with values in range, and finite masses that are not negative and
// not all 0. what: "list".
dc_status dc__points_check(const char *what, const dc_point *points, size_t count, dc_error *error);

// ---- distributions given by a formula -----------------------------------------------------------

// Masses under this part of the largest are left out, as far as a distribution has such.
#define DC_NEGLIGIBLE 1e-40

// Finds the support of a checked distribution with a formula, which ends where P(W >
// last) < cut. O(points). Errors: DC_ERROR_LIMIT for more than DC_POINTS_MAX points;
// DC_ERROR_ARGUMENT for cut 0 where the distribution has no end.
dc_status dc__distribution_support(const dc_distribution_spec *spec, double cut,
                                   dc_support *support, dc_error *error);

// Writes the masses for a support, not normalised: points[0 .. last - first]. O(points).
void dc__distribution_masses(const dc_distribution_spec *spec, const dc_support *support,
                             dc_point *points);

// The same two for lognormal.
dc_status dc__lognormal_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                                dc_error *error);
void dc__lognormal_masses(const dc_distribution_spec *spec, const dc_support *support,
                          dc_point *points);

// How a support fails: too many values; no end, but cut 0.
dc_status dc__support_too_many(const dc_distribution_spec *spec, dc_error *error);
dc_status dc__support_no_end(const dc_distribution_spec *spec, dc_error *error);

// ---- points ------------------------------------------------------------------------------------

// Scales the masses to sum to weight. O(count).
void dc__points_scale(dc_point *points, size_t count, double weight);

// Sorts by value, adds up points of equal value, drops masses of 0, scales the sum to 1; returns
// how many are left. O(count) if they are in order, else O(count log count).
size_t dc__points_tidy(dc_point *points, size_t count);

// Bytes of work that dc__points_sum and dc__points_max need for operands of na and nb points, or
// fewer, whose values lie within a and b. O(1).
typedef struct dc_range {
  int64_t first, last;
} dc_range;

size_t dc__points_sum_bytes(size_t na, dc_range a, size_t nb, dc_range b);
size_t dc__points_max_bytes(size_t na, size_t nb);

// The distribution of the sum, or of the larger one, of two independent draws: into work, which
// lies behind a and b, and from there to result, which may be where a or b is. Operands are tidy,
// and so is the result. *count is how many points there are. Errors: DC_ERROR_LIMIT for more than
// DC_POINTS_MAX points; dc__points_sum also for more than DC_PAIRS_MAX pairs, where it cannot be
// done by convolution, and DC_ERROR_ARGUMENT for a value above DC_TRIPS_MAX.
dc_status dc__points_sum(const dc_point *a, size_t na, const dc_point *b, size_t nb, void *work,
                         dc_point *result, size_t *count, dc_error *error);
dc_status dc__points_max(const dc_point *a, size_t na, const dc_point *b, size_t nb, void *work,
                         dc_point *result, size_t *count, dc_error *error);

// The distribution of the largest of k draws, in place. O(count).
size_t dc__points_max_of(dc_point *points, size_t count, double k);

// ---- building ----------------------------------------------------------------------------------

// Bytes that building takes, with what is needed on the way.
dc_status dc__distribution_measure(const dc_distribution_spec *spec,
                                   const dc_distribution_options *options, size_t *bytes,
                                   dc_error *error);

// Writes the points to memory, tidy.
dc_status dc__distribution_build(const dc_distribution_spec *spec,
                                 const dc_distribution_options *options, void *memory, size_t bytes,
                                 dc_distribution *distribution, dc_error *error);

// The distribution's place becomes the error's, unless a part of it has said its own. Returns
// status.
dc_status dc__at_distribution(const dc_distribution_spec *spec, dc_status status, dc_error *error);

// The cut for a distribution's operands, so that the whole loses no more than its own: each of
// several draws may lose its share; what is conditioned on loses relatively more, so it starts with
// all it can.
double dc__part_cut(const dc_distribution_spec *spec, double cut);

// The largest power of two up to k. A sum of k copies goes through the bits of k below it, from
// above: each doubles the sum, and a 1 adds one more.
int64_t dc__highest_bit(int64_t k);

#endif
