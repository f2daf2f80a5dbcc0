// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be asked of specifications and distributions: checks, sizes, points, moments. How points
// come about is in build.c.
#include "distribution/distribution_internal.h"
#include "math/sum.h"

#include <math.h>
#include <stdlib.h>

// ---- checks ------------------------------------------------------------------------------------

dc_status dc__points_check(const char *what, const dc_point *points, size_t count,
                           dc_error *error) {
  if (count == 0 || !points)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s has no values, but needs at least one", what);
  double total = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t value = points[i].value;
    double mass = points[i].mass;
    if (value < 0 || value > DC_TRIPS_MAX)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "value %zu of %s is %lld, but must be a whole number from 0 to %lld", i + 1,
                     what, (long long)value, (long long)DC_TRIPS_MAX);
    if (!(mass >= 0) || isinf(mass))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the mass of value %lld in %s is %g, but must be finite and not negative",
                     (long long)value, what, mass);
    total += mass;
  }
  if (isinf(total))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the masses of %s sum to more than a number can hold, 1.8e308", what);
  if (total <= 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the masses of %s are all 0, but one must be positive",
                   what);
  return DC_OK;
}

// Weights only; the parts are looked at one by one.
static dc_status check_mixture(const dc_distribution_spec *spec, dc_error *error) {
  if (!spec->parts || !spec->parts->next)
    return dc_fail(error, DC_ERROR_ARGUMENT, "a mixture needs at least two components");
  double total = 0;
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next) {
    if (!(part->weight >= 0 && part->weight <= 1))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "a weight of a mixture is %.10g, but must be in [0, 1]", part->weight);
    total += part->weight;
  }
  if (fabs(total - 1) > DC_WEIGHT_TOLERANCE)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the weights of a mixture sum to %.10g, but must sum to 1", total);
  return DC_OK;
}

static dc_status check_operands(const dc_distribution_spec *spec, const dc_distribution_rule *rule,
                                dc_error *error) {
  if (!spec->parts)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s has no distribution to work on", rule->name);
  if (spec->parts->next && rule->form == DC_FORM_MAP)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s works on one distribution, but has several",
                   rule->name);
  if (spec->parts->next && spec->parameter[0] != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "k of %s is %.10g, but with several distributions must be 0", rule->name,
                   spec->parameter[0]);
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next)
    if (part->weight != 0)
      return dc_fail(
          error, DC_ERROR_ARGUMENT,
          "an operand of %s has the weight %.10g, but must have 0: only components of a mixture "
          "have weights",
          rule->name, part->weight);
  return DC_OK;
}

// A node without its parts.
static dc_status check_node(const dc_distribution_spec *spec, dc_error *error) {
  const dc_distribution_rule *rule = &dc__distribution_rules[spec->kind];
  dc_status status = DC_OK;
  if (rule->form == DC_FORM_MAP || rule->form == DC_FORM_COMBINE)
    status = check_operands(spec, rule, error);
  for (unsigned i = 0; status == DC_OK && i < dc__distribution_parameters(spec); ++i)
    status = dc__parameter_check(rule, i, spec->parameter[i], error);
  if (status != DC_OK)
    return status;
  if (rule->ordered && spec->parameter[0] > spec->parameter[1])
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "%s of %s is %.10g, but must not be above %s, which is %.10g",
                   rule->parameter[0].name, rule->name, spec->parameter[0], rule->parameter[1].name,
                   spec->parameter[1]);
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM && (!spec->name || !*spec->name))
    return dc_fail(error, DC_ERROR_ARGUMENT, "the file name of histogram is empty");
  if (spec->kind == DC_DISTRIBUTION_LIST ||
      (spec->kind == DC_DISTRIBUTION_HISTOGRAM && spec->count > 0))
    return dc__points_check(rule->name, spec->points, spec->count, error);
  return spec->kind == DC_DISTRIBUTION_MIXTURE ? check_mixture(spec, error) : DC_OK;
}

static dc_status check_distribution(const dc_distribution_spec *spec, unsigned depth,
                                    dc_error *error) {
  if (depth > DC_DISTRIBUTION_DEPTH_MAX)
    return dc_fail(error, DC_ERROR_LIMIT, "distributions nest deeper than %d",
                   DC_DISTRIBUTION_DEPTH_MAX);
  if ((unsigned)spec->kind >= DC_DISTRIBUTION_KINDS)
    return dc_fail(error, DC_ERROR_ARGUMENT, "distribution kind %d does not exist",
                   (int)spec->kind);
  dc_status status = check_node(spec, error);
  if (status != DC_OK && error)
    error->offset = spec->offset;
  if (dc__distribution_rules[spec->kind].form >= DC_FORM_MIXTURE)
    for (const dc_distribution_spec *part = spec->parts; part && status == DC_OK; part = part->next)
      status = check_distribution(part, depth + 1, error);
  return status;
}

dc_status dc_distribution_spec_check(const dc_distribution_spec *spec, dc_error *error) {
  return check_distribution(spec, 1, error);
}

dc_status dc_distribution_check(const dc_distribution *distribution, dc_error *error) {
  if (distribution->count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the distribution has %zu points, but may have %zu",
                   distribution->count, DC_POINTS_MAX);
  dc_status status =
      dc__points_check("the distribution", distribution->points, distribution->count, error);
  if (status != DC_OK)
    return status;
  double total = 0;
  for (size_t i = 0; i < distribution->count; ++i) {
    const dc_point *point = &distribution->points[i];
    if (i > 0 && point->value <= point[-1].value)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "value %zu of the distribution is %lld, but must be above the one before it",
                     i + 1, (long long)point->value);
    if (point->mass <= 0)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the mass of value %lld in the distribution is 0, but must be positive",
                     (long long)point->value);
    total += point->mass;
  }
  if (fabs(total - 1) > 1e-9)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the masses of the distribution sum to %.10g, but must sum to 1", total);
  return DC_OK;
}

// ---- building ----------------------------------------------------------------------------------

static dc_status check_options(const dc_distribution_spec *spec,
                               const dc_distribution_options *options, dc_error *error) {
  double cut = options->cut;
  if (!(cut == 0 || (cut >= 1e-30 && cut <= 0.1)))
    return dc_fail(error, DC_ERROR_ARGUMENT, "cut is %g, but must be 0 or in [1e-30, 0.1]", cut);
  return dc_distribution_spec_check(spec, error);
}

static const dc_distribution_options default_options = {DC_CUT_DEFAULT, NULL, NULL};

dc_status dc_distribution_bytes(const dc_distribution_spec *spec,
                                const dc_distribution_options *options, size_t *bytes,
                                dc_error *error) {
  options = options ? options : &default_options;
  dc_status status = check_options(spec, options, error);
  return status == DC_OK ? dc__distribution_measure(spec, options, bytes, error) : status;
}

// What was worked in is given back.
static void keep(void *memory, dc_distribution *distribution) {
  void *shrunk = realloc(memory, distribution->count * sizeof(dc_point));
  distribution->memory = shrunk ? shrunk : memory;
  distribution->points = distribution->memory;
}

dc_status dc_distribution_build(const dc_distribution_spec *spec,
                                const dc_distribution_options *options,
                                dc_distribution *distribution, dc_error *error) {
  size_t bytes = 0;
  options = options ? options : &default_options;
  *distribution = (dc_distribution){0};
  dc_status status = dc_distribution_bytes(spec, options, &bytes, error);
  if (status != DC_OK)
    return status;
  void *memory = malloc(bytes);
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution of %zu bytes", bytes);
  status = dc__distribution_build(spec, options, memory, bytes, distribution, error);
  if (status == DC_OK)
    keep(memory, distribution);
  else
    free(memory);
  return status;
}

dc_status dc_distribution_from_text(const char *text, const dc_distribution_options *options,
                                    dc_distribution *distribution, dc_error *error) {
  dc_distribution_spec *spec;
  *distribution = (dc_distribution){0};
  dc_status status = dc_distribution_parse(text, &spec, error);
  if (status == DC_OK)
    status = dc_distribution_build(spec, options, distribution, error);
  dc_distribution_spec_free(spec);
  return status;
}

void dc_distribution_free(dc_distribution *distribution) {
  free(distribution->memory);
  *distribution = (dc_distribution){0};
}

// ---- moments -----------------------------------------------------------------------------------

double dc_distribution_mean(const dc_distribution *distribution) {
  dc_sum sum = {0, 0};
  for (size_t i = 0; i < distribution->count; ++i)
    dc__sum_add(&sum, distribution->points[i].mass * (double)distribution->points[i].value);
  return dc__sum_value(&sum);
}

double dc_distribution_variance(const dc_distribution *distribution) {
  double mean = dc_distribution_mean(distribution);
  dc_sum sum = {0, 0};
  for (size_t i = 0; i < distribution->count; ++i) {
    double off = (double)distribution->points[i].value - mean;
    dc__sum_add(&sum, distribution->points[i].mass * off * off);
  }
  return dc__sum_value(&sum);
}

int64_t dc_distribution_min(const dc_distribution *distribution) {
  return distribution->points[0].value;
}

int64_t dc_distribution_max(const dc_distribution *distribution) {
  return distribution->points[distribution->count - 1].value;
}
