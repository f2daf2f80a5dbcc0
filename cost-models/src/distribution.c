// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a law to its probabilities, and their moments. A law is a tree whose leaves are formulas,
// lists or histograms; each leaf writes its points behind those of the leaf before, scaled by its
// weight, and the whole is then sorted, points of equal value are added up, and the sum is made 1.
// Conventions: Swatman et al. 2022 as their table 1 shows them (geometric from 1, negbin counts
// failures, the upper tail cut where P(W > m) < cut).
#include "distribution_internal.h"
#include "sum.h"

#include <math.h>
#include <string.h>

// ---- checks ------------------------------------------------------------------------------------

static dc_status check_points(const char *what, const dc_point *points, size_t count,
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
static dc_status check_mixture(const dc_law *law, dc_error *error) {
  if (!law->parts || !law->parts->next)
    return dc_fail(error, DC_ERROR_ARGUMENT, "a mixture needs at least two parts");
  double total = 0;
  for (const dc_law *part = law->parts; part; part = part->next) {
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

static dc_status check_law(const dc_law *law, unsigned depth, dc_error *error) {
  if (depth > DC_LAW_DEPTH_MAX)
    return dc_fail(error, DC_ERROR_LIMIT, "mixtures nest deeper than %d", DC_LAW_DEPTH_MAX);
  if ((unsigned)law->kind > DC_LAW_MIXTURE)
    return dc_fail(error, DC_ERROR_ARGUMENT, "law kind %d does not exist", (int)law->kind);
  const dc_law_rule *rule = &dc_law_rules[law->kind];
  dc_status status = DC_OK;
  for (unsigned i = 0; i < rule->parameters && status == DC_OK; ++i)
    status = dc_parameter_check(rule, i, law->parameter[i], error);
  if (status == DC_OK && law->kind == DC_LAW_UNIFORM && law->parameter[0] > law->parameter[1])
    status = dc_fail(error, DC_ERROR_ARGUMENT,
                     "a of uniform is %.10g, but must not be above b, which is %.10g",
                     law->parameter[0], law->parameter[1]);
  if (status == DC_OK && law->kind == DC_LAW_LIST)
    status = check_points("list", law->points, law->count, error);
  if (status == DC_OK && law->kind == DC_LAW_HISTOGRAM && (!law->name || !*law->name))
    status = dc_fail(error, DC_ERROR_ARGUMENT, "the file name of histogram is empty");
  if (status == DC_OK && law->kind == DC_LAW_MIXTURE)
    status = check_mixture(law, error);
  if (status != DC_OK && error)
    error->offset = law->offset;
  if (law->kind == DC_LAW_MIXTURE)
    for (const dc_law *part = law->parts; part && status == DC_OK; part = part->next)
      status = check_law(part, depth + 1, error);
  return status;
}

dc_status dc_law_check(const dc_law *law, dc_error *error) { return check_law(law, 1, error); }

dc_status dc_distribution_check(const dc_distribution *distribution, dc_error *error) {
  if (distribution->count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the distribution has %zu points, but may have %zu",
                   distribution->count, DC_POINTS_MAX);
  dc_status status =
      check_points("the distribution", distribution->points, distribution->count, error);
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

// The walk over the leaves. Without points, it only counts.
typedef struct builder {
  const dc_distribution_options *options;
  dc_point *points;
  size_t capacity;
  size_t count;
  double cut;
  dc_error *error;
} builder;

static dc_status reserve(builder *b, size_t count) {
  if (count > DC_POINTS_MAX - b->count)
    return dc_fail(b->error, DC_ERROR_LIMIT, "the distribution has more than %zu values; narrow it",
                   DC_POINTS_MAX);
  if (b->points && count > b->capacity - b->count)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "the memory for the distribution is %zu bytes, but must be as many as "
                   "dc_distribution_bytes says",
                   b->capacity * sizeof(dc_point));
  b->count += count;
  return DC_OK;
}

// Scales the masses to sum to weight.
static void scale(dc_point *points, size_t count, double weight) {
  dc_sum total = {0, 0};
  for (size_t i = 0; i < count; ++i)
    dc_sum_add(&total, points[i].mass);
  // Divided first: the weight over a very small sum could overflow.
  for (size_t i = 0; i < count; ++i)
    points[i].mass = points[i].mass / (dc_sum_value(&total)) * weight;
}

static dc_status add_formula(builder *b, const dc_law *law, double weight) {
  dc_support support;
  dc_status status = dc_law_support(law, b->options->cut, &support, b->error);
  if (status != DC_OK)
    return status;
  size_t at = b->count, count = (size_t)(support.last - support.first) + 1;
  status = reserve(b, count);
  if (status != DC_OK || !b->points)
    return status;
  dc_law_masses(law, &support, b->points + at);
  scale(b->points + at, count, weight);
  b->cut += weight * support.cut;
  return DC_OK;
}

static dc_status add_list(builder *b, const dc_law *law, double weight) {
  size_t at = b->count;
  dc_status status = reserve(b, law->count);
  if (status != DC_OK || !b->points)
    return status;
  memcpy(b->points + at, law->points, law->count * sizeof(dc_point));
  scale(b->points + at, law->count, weight);
  return DC_OK;
}

static dc_status add_histogram(builder *b, const dc_law *law, double weight) {
  if (!b->options->read_histogram)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") cannot be used here: nothing was given to read it with",
                   law->name);
  size_t at = b->count, count = 0;
  size_t capacity = b->points ? b->capacity - at : 0;
  dc_status status =
      b->options->read_histogram(b->options->context, law->name, b->points ? b->points + at : NULL,
                                 capacity, &count, b->error);
  if (status != DC_OK)
    return status;
  if (count == 0)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") has no values, but needs at least one", law->name);
  if (b->points && count > capacity)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") grew while it was read; try again", law->name);
  status = reserve(b, count);
  if (status != DC_OK || !b->points)
    return status;
  status = check_points("the histogram", b->points + at, count, b->error);
  if (status != DC_OK)
    return status;
  scale(b->points + at, count, weight);
  return DC_OK;
}

static dc_status add_law(builder *b, const dc_law *law, double weight);

static dc_status add_mixture(builder *b, const dc_law *law, double weight) {
  double total = 0;
  for (const dc_law *part = law->parts; part; part = part->next)
    total += part->weight;
  dc_status status = DC_OK;
  for (const dc_law *part = law->parts; part && status == DC_OK; part = part->next)
    if (part->weight > 0)
      status = add_law(b, part, weight * part->weight / total);
  return status;
}

static dc_status add_law(builder *b, const dc_law *law, double weight) {
  switch (law->kind) {
  case DC_LAW_CONST:
  case DC_LAW_UNIFORM:
  case DC_LAW_BINOMIAL:
  case DC_LAW_GEOMETRIC:
  case DC_LAW_POISSON:
  case DC_LAW_NEGBIN:
  case DC_LAW_ZIPF:
    return add_formula(b, law, weight);
  case DC_LAW_LIST:
    return add_list(b, law, weight);
  case DC_LAW_HISTOGRAM:
    return add_histogram(b, law, weight);
  case DC_LAW_MIXTURE:
    return add_mixture(b, law, weight);
  }
  return dc_fail(b->error, DC_ERROR_ARGUMENT, "law kind %d does not exist", (int)law->kind);
}

static void sift_down(dc_point *points, size_t root, size_t count) {
  dc_point moving = points[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && points[child].value < points[child + 1].value)
      ++child;
    if (points[child].value <= moving.value)
      break;
    points[root] = points[child];
  }
  points[root] = moving;
}

// Heapsort by value, where needed: qsort may allocate.
static void sort_points(dc_point *points, size_t count) {
  size_t sorted = 1;
  while (sorted < count && points[sorted - 1].value < points[sorted].value)
    ++sorted;
  if (sorted >= count)
    return;
  for (size_t i = count / 2; i > 0; --i)
    sift_down(points, i - 1, count);
  for (size_t i = count; i > 1; --i) {
    dc_point last = points[i - 1];
    points[i - 1] = points[0];
    points[0] = last;
    sift_down(points, 0, i - 1);
  }
}

// Adds up neighbours of equal value, drops masses of 0; returns how many are left.
static size_t merge_points(dc_point *points, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (points[i].mass <= 0)
      continue;
    if (kept > 0 && points[kept - 1].value == points[i].value)
      points[kept - 1].mass += points[i].mass;
    else
      points[kept++] = points[i];
  }
  return kept;
}

static dc_status check_options(const dc_law *law, const dc_distribution_options *options,
                               dc_error *error) {
  double cut = options->cut;
  if (!(cut == 0 || (cut >= 1e-30 && cut <= 0.1)))
    return dc_fail(error, DC_ERROR_ARGUMENT, "cut is %g, but must be 0 or in [1e-30, 0.1]", cut);
  return dc_law_check(law, error);
}

static const dc_distribution_options default_options = {DC_CUT_DEFAULT, NULL, NULL};

dc_status dc_distribution_bytes(const dc_law *law, const dc_distribution_options *options,
                                size_t *bytes, dc_error *error) {
  builder b = {.options = options ? options : &default_options, .error = error};
  dc_status status = check_options(law, b.options, error);
  if (status == DC_OK)
    status = add_law(&b, law, 1);
  if (status == DC_OK)
    *bytes = b.count * sizeof(dc_point);
  return status;
}

dc_status dc_distribution_build(const dc_law *law, const dc_distribution_options *options,
                                void *memory, size_t bytes, dc_distribution *distribution,
                                dc_error *error) {
  builder b = {.options = options ? options : &default_options,
               .points = memory,
               .capacity = bytes / sizeof(dc_point),
               .error = error};
  if (!memory)
    return dc_fail(error, DC_ERROR_ARGUMENT, "memory for the distribution is NULL");
  dc_status status = check_options(law, b.options, error);
  if (status == DC_OK)
    status = add_law(&b, law, 1);
  if (status != DC_OK)
    return status;
  sort_points(b.points, b.count);
  size_t count = merge_points(b.points, b.count);
  scale(b.points, count, 1);
  *distribution = (dc_distribution){b.points, count, b.cut};
  return DC_OK;
}

// ---- moments -----------------------------------------------------------------------------------

double dc_distribution_mean(const dc_distribution *distribution) {
  dc_sum sum = {0, 0};
  for (size_t i = 0; i < distribution->count; ++i)
    dc_sum_add(&sum, distribution->points[i].mass * (double)distribution->points[i].value);
  return dc_sum_value(&sum);
}

double dc_distribution_variance(const dc_distribution *distribution) {
  double mean = dc_distribution_mean(distribution);
  dc_sum sum = {0, 0};
  for (size_t i = 0; i < distribution->count; ++i) {
    double off = (double)distribution->points[i].value - mean;
    dc_sum_add(&sum, distribution->points[i].mass * off * off);
  }
  return dc_sum_value(&sum);
}

int64_t dc_distribution_min(const dc_distribution *distribution) {
  return distribution->points[0].value;
}

int64_t dc_distribution_max(const dc_distribution *distribution) {
  return distribution->points[distribution->count - 1].value;
}
