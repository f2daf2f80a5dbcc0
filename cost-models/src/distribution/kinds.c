// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the kinds of distributions: their names, their parameters and the ranges of these;
// and the support (after the cut) and the masses of those that a formula gives. Binomial, Poisson
// and negative binomial distributions go from their mode outwards by the ratio f(k + 1) / f(k),
// which needs no factorials, and so loses no digits to large logarithms; what the mode's mass is
// follows when everything is divided by the sum. No allocation: finding the support walks the
// masses without storing them.
#include "distribution/distribution_internal.h"

#include <math.h>
#include <stdio.h>

unsigned dc__distribution_parameters(const dc_distribution_spec *spec) {
  const dc_distribution_rule *rule = &dc__distribution_rules[spec->kind];
  return rule->form == DC_FORM_COMBINE && spec->parts->next ? 0 : rule->parameters;
}

// The tail is summed from where it falls below this part of the cut, so its relative error is this.
#define TAIL_ACCURACY 1e-8

// The walk to there may be longer than the support that is left, by at most this factor (for an
// exponential tail and the largest cut: ln(1e-9) / ln(0.1) = 9).
#define WALK_MAX (16 * (int64_t)DC_POINTS_MAX)

void dc__parameter_range(const dc_parameter_rule *rule, char *text, size_t capacity) {
  if (rule->whole)
    snprintf(text, capacity, "a whole number from %.0f to %.0f", rule->low, rule->high);
  else
    snprintf(text, capacity, "in %c%g, %g]", rule->above_low ? '(' : '[', rule->low, rule->high);
}

dc_status dc__parameter_check(const dc_distribution_rule *rule, unsigned parameter, double value,
                              dc_error *error) {
  const dc_parameter_rule *p = &rule->parameter[parameter];
  // Written so that NaN fails.
  bool ok = value >= p->low && value <= p->high && !(p->above_low && value == p->low) &&
            (!p->whole || value == floor(value));
  if (ok)
    return DC_OK;
  char range[64];
  dc__parameter_range(p, range, sizeof range);
  return dc_fail(error, DC_ERROR_ARGUMENT, "%s of %s is %.10g, but must be %s", p->name, rule->name,
                 value, range);
}

dc_status dc__support_too_many(const dc_distribution_spec *spec, dc_error *error) {
  char text[64];
  dc_distribution_print(spec, text, sizeof text);
  return dc_fail(error, DC_ERROR_LIMIT, "%s has more than %zu values that matter; narrow it", text,
                 DC_POINTS_MAX);
}

dc_status dc__support_no_end(const dc_distribution_spec *spec, dc_error *error) {
  char text[64];
  dc_distribution_print(spec, text, sizeof text);
  return dc_fail(error, DC_ERROR_ARGUMENT, "%s has no largest value, so the cut must not be 0",
                 text);
}

// ---- distributions by ratios --------------------------------------------------------------------

// A distribution whose masses follow f(k + 1) / f(k) = (start + step k) factor / (k + 1).
typedef struct ratio_distribution {
  double start, step, factor;
  double mode;
  double first, last; // the values there are; last may be INFINITY
  double correction;  // relative error that the rounding of factor brings into each step
} ratio_distribution;

static ratio_distribution ratio_distribution_of(const dc_distribution_spec *spec) {
  double a = spec->parameter[0], b = spec->parameter[1];
  if (spec->kind == DC_DISTRIBUTION_POISSON) // l / (k + 1)
    return (ratio_distribution){
        .start = 1, .factor = a, .mode = floor(a), .last = a > 0 ? (double)INFINITY : 0};
  if (spec->kind == DC_DISTRIBUTION_BINOMIAL) { // (n - k) p / (1 - p) / (k + 1)
    if (b == 1)                                 // all mass at n; the factor would be infinite
      return (ratio_distribution){.mode = a, .first = a, .last = a};
    return (ratio_distribution){.start = a,
                                .step = -1,
                                .factor = b / (1 - b),
                                .mode = fmin(a, floor((a + 1) * b)),
                                .last = b > 0 ? a : 0};
  }
  // Negative binomial: (r + k) q / (k + 1). An error of half a unit in q = 1 - p would be raised to
  // the k-th power; what rounding took away is known, so it is put back.
  double q = 1 - b, lost = (1 - q) - b;
  return (ratio_distribution){.start = a,
                              .step = 1,
                              .factor = q,
                              .mode = a > 1 ? floor((a - 1) * q / b) : 0,
                              .last = q > 0 ? (double)INFINITY : 0,
                              .correction = q > 0 ? lost / q : 0};
}

static double ratio_at(const ratio_distribution *spec, double k) {
  return (spec->start + spec->step * k) * spec->factor / (k + 1);
}

// A bound on f(k + 1) + f(k + 2) + ... over f(k), or INFINITY where there is none yet.
static double tail_bound(const ratio_distribution *spec, double k) {
  // From here the ratio moves monotonically to its limit.
  double limit = spec->step > 0 ? spec->factor : 0;
  double worst = fmax(ratio_at(spec, k), limit);
  return worst < 1 ? worst / (1 - worst) : (double)INFINITY;
}

static dc_status ratio_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                               dc_error *error) {
  ratio_distribution r = ratio_distribution_of(spec);
  if (spec->kind == DC_DISTRIBUTION_BINOMIAL) // which has an end of its own
    cut = 0;
  if (cut == 0 && isinf(r.last))
    return dc__support_no_end(spec, error);
  if (!(r.mode <= (double)DC_TRIPS_MAX))
    return dc__support_too_many(spec, error);
  double first = r.mode, mass = 1, total = 1;
  while (first > r.first) {
    mass /= ratio_at(&r, first - 1);
    if (mass < DC_NEGLIGIBLE)
      break;
    total += mass;
    --first;
    if (r.mode - first > (double)DC_POINTS_MAX)
      return dc__support_too_many(spec, error);
  }
  double last = r.mode;
  mass = 1;
  while (last < r.last) {
    double enough = cut > 0 ? cut * TAIL_ACCURACY * total : DC_NEGLIGIBLE;
    if (mass * tail_bound(&r, last) < enough)
      break;
    mass *= ratio_at(&r, last);
    total += mass;
    ++last;
    if (last - r.mode > (double)WALK_MAX)
      return dc__support_too_many(spec, error);
  }
  double tail = 0;
  while (last > r.mode && tail + mass < cut * total) {
    tail += mass;
    --last;
    mass /= ratio_at(&r, last);
  }
  if (last - first >= (double)DC_POINTS_MAX || last > (double)DC_TRIPS_MAX)
    return dc__support_too_many(spec, error);
  *support = (dc_support){(int64_t)first, (int64_t)last, (int64_t)r.mode, tail / total};
  return DC_OK;
}

static void ratio_masses(const dc_distribution_spec *spec, const dc_support *support,
                         dc_point *points) {
  ratio_distribution r = ratio_distribution_of(spec);
  double mass = 1;
  for (int64_t k = support->mode;; ++k) {
    points[k - support->first] =
        (dc_point){k, mass * (1 + (double)(k - support->mode) * r.correction)};
    if (k == support->last)
      break;
    mass *= ratio_at(&r, (double)k);
  }
  mass = 1;
  for (int64_t k = support->mode - 1; k >= support->first; --k) {
    mass /= ratio_at(&r, (double)k);
    points[k - support->first] =
        (dc_point){k, mass * (1 + (double)(k - support->mode) * r.correction)};
  }
}

// ---- distributions by closed forms --------------------------------------------------------------

static dc_status geometric_support(const dc_distribution_spec *spec, double cut,
                                   dc_support *support, dc_error *error) {
  double p = spec->parameter[0];
  *support = (dc_support){1, 1, 1, 0};
  if (p == 1)
    return DC_OK;
  if (cut == 0)
    return dc__support_no_end(spec, error);
  double log_q = log1p(-p); // P(W > m) = q^m
  double last = fmax(1, ceil(log(cut) / log_q));
  if (!(last <= (double)DC_POINTS_MAX))
    return dc__support_too_many(spec, error);
  // The quotient may be off by its rounding.
  while (last > 1 && exp((last - 1) * log_q) < cut)
    --last;
  while (exp(last * log_q) >= cut)
    ++last;
  support->last = (int64_t)last;
  support->cut = exp(last * log_q);
  return DC_OK;
}

static void geometric_masses(const dc_distribution_spec *spec, const dc_support *support,
                             dc_point *points) {
  // Not log_q * 0 for p = 1, which is not a number.
  double log_q = spec->parameter[0] < 1 ? log1p(-spec->parameter[0]) : 0;
  for (int64_t k = 1; k <= support->last; ++k)
    points[k - 1] = (dc_point){k, exp((double)(k - 1) * log_q)};
}

static dc_status zipf_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                              dc_error *error) {
  (void)cut, (void)error;
  double s = spec->parameter[0], max = spec->parameter[1];
  double last = s > 0 ? fmin(max, floor(pow(DC_NEGLIGIBLE, -1 / s))) : max; // v^-s >= DC_NEGLIGIBLE
  *support = (dc_support){1, (int64_t)last, 1, 0};
  return DC_OK;
}

static void zipf_masses(const dc_distribution_spec *spec, const dc_support *support,
                        dc_point *points) {
  for (int64_t k = 1; k <= support->last; ++k)
    points[k - 1] = (dc_point){k, pow((double)k, -spec->parameter[0])};
}

static dc_status const_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                               dc_error *error) {
  (void)cut, (void)error;
  int64_t k = (int64_t)spec->parameter[0];
  *support = (dc_support){k, k, k, 0};
  return DC_OK;
}

static dc_status uniform_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                                 dc_error *error) {
  (void)cut;
  int64_t a = (int64_t)spec->parameter[0], b = (int64_t)spec->parameter[1];
  if (b - a >= (int64_t)DC_POINTS_MAX)
    return dc__support_too_many(spec, error);
  *support = (dc_support){a, b, a, 0};
  return DC_OK;
}

static void equal_masses(const dc_distribution_spec *spec, const dc_support *support,
                         dc_point *points) {
  (void)spec;
  for (int64_t k = support->first; k <= support->last; ++k)
    points[k - support->first] = (dc_point){k, 1};
}

// ---- the table ---------------------------------------------------------------------------------

#define TRIPS ((double)DC_TRIPS_MAX)

const dc_distribution_rule dc__distribution_rules[DC_DISTRIBUTION_KINDS] = {
    [DC_DISTRIBUTION_CONST] = {.name = "const",
                               .form = DC_FORM_FORMULA,
                               .parameters = 1,
                               .parameter = {{"k", 0, TRIPS, false, true}},
                               .support = const_support,
                               .masses = equal_masses},
    [DC_DISTRIBUTION_UNIFORM] = {.name = "uniform",
                                 .form = DC_FORM_FORMULA,
                                 .parameters = 2,
                                 .parameter = {{"a", 0, TRIPS, false, true},
                                               {"b", 0, TRIPS, false, true}},
                                 .ordered = true,
                                 .support = uniform_support,
                                 .masses = equal_masses},
    [DC_DISTRIBUTION_BINOMIAL] = {.name = "binomial",
                                  .form = DC_FORM_FORMULA,
                                  .parameters = 2,
                                  .parameter = {{"n", 0, TRIPS, false, true},
                                                {"p", 0, 1, false, false}},
                                  .support = ratio_support,
                                  .masses = ratio_masses},
    [DC_DISTRIBUTION_GEOMETRIC] = {.name = "geometric",
                                   .form = DC_FORM_FORMULA,
                                   .parameters = 1,
                                   .parameter = {{"p", 0, 1, true, false}},
                                   .support = geometric_support,
                                   .masses = geometric_masses},
    [DC_DISTRIBUTION_POISSON] = {.name = "poisson",
                                 .form = DC_FORM_FORMULA,
                                 .parameters = 1,
                                 .parameter = {{"l", 0, 1e12, false, false}},
                                 .support = ratio_support,
                                 .masses = ratio_masses},
    [DC_DISTRIBUTION_NEGBIN] = {.name = "negbin",
                                .form = DC_FORM_FORMULA,
                                .parameters = 2,
                                .parameter = {{"r", 0, 1e9, true, false}, {"p", 0, 1, true, false}},
                                .support = ratio_support,
                                .masses = ratio_masses},
    [DC_DISTRIBUTION_ZIPF] = {.name = "zipf",
                              .form = DC_FORM_FORMULA,
                              .parameters = 2,
                              .parameter = {{"s", 0, 1000, false, false},
                                            {"max", 1, (double)DC_POINTS_MAX, false, true}},
                              .support = zipf_support,
                              .masses = zipf_masses},
    [DC_DISTRIBUTION_LOGNORMAL] = {.name = "lognormal",
                                   .form = DC_FORM_FORMULA,
                                   .parameters = 2,
                                   .parameter = {{"mu", -1000, 30, false, false},
                                                 {"sigma", 0, 100, true, false}},
                                   .support = dc__lognormal_support,
                                   .masses = dc__lognormal_masses},
    [DC_DISTRIBUTION_LIST] = {.name = "list", .form = DC_FORM_POINTS},
    [DC_DISTRIBUTION_HISTOGRAM] = {.name = "histogram", .form = DC_FORM_FILE},
    [DC_DISTRIBUTION_MIXTURE] = {.form = DC_FORM_MIXTURE},
    [DC_DISTRIBUTION_SHIFT] = {.name = "shift",
                               .form = DC_FORM_MAP,
                               .parameters = 1,
                               .parameter = {{"k", -TRIPS, TRIPS, false, true}}},
    [DC_DISTRIBUTION_SCALE] = {.name = "scale",
                               .form = DC_FORM_MAP,
                               .parameters = 1,
                               .parameter = {{"k", 1, TRIPS, false, true}}},
    [DC_DISTRIBUTION_CLAMP] = {.name = "clamp",
                               .form = DC_FORM_MAP,
                               .parameters = 2,
                               .parameter = {{"a", 0, TRIPS, false, true},
                                             {"b", 0, TRIPS, false, true}},
                               .ordered = true},
    [DC_DISTRIBUTION_GIVEN] = {.name = "given",
                               .form = DC_FORM_MAP,
                               .parameters = 2,
                               .parameter = {{"a", 0, TRIPS, false, true},
                                             {"b", 0, TRIPS, false, true}},
                               .ordered = true},
    [DC_DISTRIBUTION_SUM] = {.name = "sum",
                             .form = DC_FORM_COMBINE,
                             .parameters = 1,
                             .parameter = {{"k", 1, 1e9, false, true}}},
    [DC_DISTRIBUTION_MAX] = {.name = "max",
                             .form = DC_FORM_COMBINE,
                             .parameters = 1,
                             .parameter = {{"k", 1, 1e9, false, true}}},
};

dc_status dc__distribution_support(const dc_distribution_spec *spec, double cut,
                                   dc_support *support, dc_error *error) {
  return dc__distribution_rules[spec->kind].support(spec, cut, support, error);
}

void dc__distribution_masses(const dc_distribution_spec *spec, const dc_support *support,
                             dc_point *points) {
  dc__distribution_rules[spec->kind].masses(spec, support, points);
}
