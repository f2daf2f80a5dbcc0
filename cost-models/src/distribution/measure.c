// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory a distribution's points take, with what building them needs on the way: a walk
// over the tree with bounds on the number and the range of each node's points. The stack is that of
// build.c.
#include "distribution/distribution_internal.h"

#include <math.h>

dc_status dc__at_distribution(const dc_distribution_spec *spec, dc_status status, dc_error *error) {
  if (status != DC_OK && error && error->offset == 0)
    error->offset = spec->offset;
  return status;
}

double dc__part_cut(const dc_distribution_spec *spec, double cut) {
  const double smallest = 1e-30;
  double draws = spec->parameter[0];
  if (cut == 0 || spec->kind == DC_DISTRIBUTION_GIVEN)
    return fmin(cut, smallest);
  if (spec->kind != DC_DISTRIBUTION_SUM && spec->kind != DC_DISTRIBUTION_MAX)
    return cut;
  if (spec->parts->next)
    draws = 0;
  for (const dc_distribution_spec *part = spec->parts; spec->parts->next && part; part = part->next)
    ++draws;
  return fmax(cut / draws, smallest);
}

// Bounds on a node's points, and the bytes from the node's first point on that building it takes.
typedef struct extent {
  size_t count;
  dc_range range;
  size_t bytes;
} extent;

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t at_most_points(size_t count) { return count < DC_POINTS_MAX ? count : DC_POINTS_MAX; }

static int64_t into_range(double value) {
  return (int64_t)fmin(fmax(value, 0), (double)DC_TRIPS_MAX);
}

static dc_status too_many(dc_error *error) {
  return dc_fail(error, DC_ERROR_LIMIT, "the distribution has more than %zu values; narrow it",
                 DC_POINTS_MAX);
}

static dc_status measure(const dc_distribution_spec *spec, double cut,
                         const dc_distribution_options *options, extent *out, dc_error *error);

static dc_status measure_formula(const dc_distribution_spec *spec, double cut, extent *out,
                                 dc_error *error) {
  dc_support support;
  dc_status status = dc__distribution_support(spec, cut, &support, error);
  if (status != DC_OK)
    return status;
  size_t count = (size_t)(support.last - support.first) + 1;
  *out = (extent){count, {support.first, support.last}, count * sizeof(dc_point)};
  return DC_OK;
}

static dc_status measure_points(const dc_point *points, size_t count, extent *out,
                                dc_error *error) {
  if (count > DC_POINTS_MAX)
    return too_many(error);
  dc_range range = {points[0].value, points[0].value};
  for (size_t i = 1; i < count; ++i) {
    range.first = points[i].value < range.first ? points[i].value : range.first;
    range.last = points[i].value > range.last ? points[i].value : range.last;
  }
  *out = (extent){count, range, count * sizeof(dc_point)};
  return DC_OK;
}

// Of a file only the number of points is known before it is read.
static dc_status measure_histogram(const dc_distribution_spec *spec,
                                   const dc_distribution_options *options, extent *out,
                                   dc_error *error) {
  if (spec->count > 0)
    return measure_points(spec->points, spec->count, out, error);
  if (!options->read_histogram)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") cannot be used here: nothing was given to read it with",
                   spec->name);
  size_t count = 0;
  dc_status status = options->read_histogram(options->context, spec->name, NULL, 0, &count, error);
  if (status != DC_OK)
    return status;
  if (count == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") has no values, but needs at least one", spec->name);
  if (count > DC_POINTS_MAX)
    return too_many(error);
  *out = (extent){count, {0, DC_TRIPS_MAX}, count * sizeof(dc_point)};
  return DC_OK;
}

static dc_status measure_mixture(const dc_distribution_spec *spec, double cut,
                                 const dc_distribution_options *options, extent *out,
                                 dc_error *error) {
  extent all = {0, {DC_TRIPS_MAX, 0}, 0};
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next) {
    extent e = {0};
    if (part->weight == 0)
      continue;
    dc_status status = measure(part, cut, options, &e, error);
    if (status != DC_OK)
      return status;
    all.bytes = larger(all.bytes, all.count * sizeof(dc_point) + e.bytes);
    all.count += e.count;
    if (all.count > DC_POINTS_MAX)
      return too_many(error);
    all.range.first = e.range.first < all.range.first ? e.range.first : all.range.first;
    all.range.last = e.range.last > all.range.last ? e.range.last : all.range.last;
  }
  *out = all;
  return DC_OK;
}

static extent map_extent(const dc_distribution_spec *spec, extent e) {
  double a = spec->parameter[0], b = spec->parameter[1];
  double first = (double)e.range.first, last = (double)e.range.last;
  if (spec->kind == DC_DISTRIBUTION_SHIFT)
    e.range = (dc_range){into_range(first + a), into_range(last + a)};
  else if (spec->kind == DC_DISTRIBUTION_SCALE)
    e.range = (dc_range){into_range(first * a), into_range(last * a)};
  else
    e.range = (dc_range){into_range(fmin(fmax(first, a), b)), into_range(fmax(fmin(last, b), a))};
  return e;
}

// Two operands side by side, and the work behind them.
static extent combine_extents(dc_distribution_kind kind, extent a, extent b) {
  if (kind == DC_DISTRIBUTION_MAX)
    return (extent){at_most_points(a.count + b.count),
                    {a.range.first > b.range.first ? a.range.first : b.range.first,
                     a.range.last > b.range.last ? a.range.last : b.range.last},
                    (a.count + b.count) * sizeof(dc_point) +
                        dc__points_max_bytes(a.count, b.count)};
  dc_range range = {into_range((double)a.range.first + (double)b.range.first),
                    into_range((double)a.range.last + (double)b.range.last)};
  size_t count = at_most_points(a.count * b.count), cells = (size_t)(range.last - range.first) + 1;
  return (extent){count < cells ? count : cells, range,
                  (a.count + b.count) * sizeof(dc_point) +
                      dc__points_sum_bytes(a.count, a.range, b.count, b.range)};
}

static dc_status measure_operands(const dc_distribution_spec *spec, double cut,
                                  const dc_distribution_options *options, extent *out,
                                  dc_error *error) {
  extent all = {0}, e = {0};
  dc_status status = measure(spec->parts, cut, options, &all, error);
  for (const dc_distribution_spec *part = spec->parts->next; part && status == DC_OK;
       part = part->next) {
    status = measure(part, cut, options, &e, error);
    if (status != DC_OK)
      break;
    size_t beside = all.count * sizeof(dc_point) + e.bytes, before = all.bytes;
    all = combine_extents(spec->kind, all, e);
    all.bytes = larger(larger(all.bytes, before), beside);
  }
  *out = all;
  return status;
}

int64_t dc__highest_bit(int64_t k) {
  int64_t bit = 1;
  while (bit <= k / 2)
    bit *= 2;
  return bit;
}

static dc_status measure_copies(const dc_distribution_spec *spec, double cut,
                                const dc_distribution_options *options, extent *out,
                                dc_error *error) {
  extent one = {0};
  dc_status status = measure(spec->parts, cut, options, &one, error);
  if (status != DC_OK)
    return status;
  int64_t k = (int64_t)spec->parameter[0];
  *out = one;
  if (spec->kind == DC_DISTRIBUTION_MAX || k == 1)
    return DC_OK;
  size_t base = one.count * sizeof(dc_point), bytes = larger(one.bytes, 2 * base);
  extent sum = one;
  for (int64_t bit = dc__highest_bit(k) / 2; bit > 0; bit /= 2) {
    sum = combine_extents(spec->kind, sum, sum);
    bytes = larger(bytes, base + sum.bytes);
    if (k & bit) {
      sum = combine_extents(spec->kind, sum, one);
      bytes = larger(bytes, base + sum.bytes);
    }
  }
  *out = (extent){sum.count, sum.range, bytes};
  return DC_OK;
}

static dc_status measure(const dc_distribution_spec *spec, double cut,
                         const dc_distribution_options *options, extent *out, dc_error *error) {
  dc_status status = DC_OK;
  *out = (extent){0};
  switch (dc__distribution_rules[spec->kind].form) {
  case DC_FORM_FORMULA:
    status = measure_formula(spec, cut, out, error);
    break;
  case DC_FORM_POINTS:
    status = measure_points(spec->points, spec->count, out, error);
    break;
  case DC_FORM_FILE:
    status = measure_histogram(spec, options, out, error);
    break;
  case DC_FORM_MIXTURE:
    status = measure_mixture(spec, cut, options, out, error);
    break;
  case DC_FORM_MAP:
    status = measure(spec->parts, dc__part_cut(spec, cut), options, out, error);
    if (status == DC_OK)
      *out = map_extent(spec, *out);
    break;
  case DC_FORM_COMBINE:
    status = spec->parts->next
                 ? measure_operands(spec, dc__part_cut(spec, cut), options, out, error)
                 : measure_copies(spec, dc__part_cut(spec, cut), options, out, error);
    break;
  }
  return dc__at_distribution(spec, status, error);
}

dc_status dc__distribution_measure(const dc_distribution_spec *spec,
                                   const dc_distribution_options *options, size_t *bytes,
                                   dc_error *error) {
  extent e = {0};
  dc_status status = measure(spec, options->cut, options, &e, error);
  if (status == DC_OK)
    *bytes = e.bytes;
  return status;
}
