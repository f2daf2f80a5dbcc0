// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a distribution to its points. A distribution is a tree; each node writes its points, in
// order and with sum 1, where the node before it ended, and a node made of others puts its own in
// their place. So memory is a stack; measure.c says how high it gets. Conventions: Swatman et al.
// 2022 as their table 1 shows them (geometric from 1, negbin counts failures, the upper tail cut
// where P(W > m) < cut).
#include "distribution/distribution_internal.h"

#include <math.h>
#include <string.h>

typedef struct builder {
  const dc_distribution_options *options;
  dc_point *memory; // the stack; offsets into it count points
  size_t capacity;  // bytes
  dc_error *error;
} builder;

// A node's points, on the stack from an offset on, and what was cut off above them.
typedef struct built {
  size_t count;
  double cut;
} built;

static dc_point *points_at(const builder *b, size_t at) { return b->memory + at; }

static dc_status reserve(const builder *b, size_t at, size_t bytes) {
  size_t points = b->capacity / sizeof(dc_point);
  if (at <= points && bytes <= b->capacity - at * sizeof(dc_point))
    return DC_OK;
  return dc_fail(b->error, DC_ERROR_ARGUMENT,
                 "the memory for the distribution is %zu bytes, but must be as many as "
                 "dc_distribution_bytes says",
                 b->capacity);
}

static dc_status build(const builder *b, const dc_distribution_spec *spec, double cut, size_t at,
                       built *out);

static dc_status build_formula(const builder *b, const dc_distribution_spec *spec, double cut,
                               size_t at, built *out) {
  dc_support support;
  dc_status status = dc__distribution_support(spec, cut, &support, b->error);
  if (status != DC_OK)
    return status;
  size_t count = (size_t)(support.last - support.first) + 1;
  status = reserve(b, at, count * sizeof(dc_point));
  if (status != DC_OK)
    return status;
  dc__distribution_masses(spec, &support, points_at(b, at));
  *out = (built){count, support.cut};
  return DC_OK;
}

static dc_status build_list(const builder *b, const dc_distribution_spec *spec, size_t at,
                            built *out) {
  dc_status status = reserve(b, at, spec->count * sizeof(dc_point));
  if (status != DC_OK)
    return status;
  memcpy(points_at(b, at), spec->points, spec->count * sizeof(dc_point));
  *out = (built){spec->count, 0};
  return DC_OK;
}

static dc_status build_histogram(const builder *b, const dc_distribution_spec *spec, size_t at,
                                 built *out) {
  if (spec->count > 0)
    return build_list(b, spec, at, out);
  if (!b->options->read_histogram) // only if sizes were never asked for
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") cannot be used here: nothing was given to read it with",
                   spec->name);
  size_t count = 0, points = b->capacity / sizeof(dc_point),
         capacity = at < points ? points - at : 0;
  dc_status status = b->options->read_histogram(b->options->context, spec->name, points_at(b, at),
                                                capacity, &count, b->error);
  if (status != DC_OK)
    return status;
  if (count > capacity || count > DC_POINTS_MAX)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") grew while it was read; try again", spec->name);
  *out = (built){count, 0};
  return dc__points_check("the histogram", points_at(b, at), count, b->error);
}

static dc_status build_mixture(const builder *b, const dc_distribution_spec *spec, double cut,
                               size_t at, built *out) {
  double total = 0;
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next)
    total += part->weight;
  *out = (built){0, 0};
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next) {
    built one = {0, 0};
    if (part->weight == 0)
      continue;
    size_t next = at + out->count;
    dc_status status = build(b, part, cut, next, &one);
    if (status != DC_OK)
      return status;
    dc__points_scale(points_at(b, next), one.count, part->weight / total);
    out->cut += part->weight / total * one.cut;
    out->count += one.count;
  }
  return DC_OK;
}

static dc_status build_shift(const builder *b, const dc_distribution_spec *spec, size_t at,
                             const built *out) {
  dc_point *points = points_at(b, at);
  int64_t k = (int64_t)spec->parameter[0];
  int64_t first = points[0].value + k, last = points[out->count - 1].value + k;
  if (first < 0 || last > DC_TRIPS_MAX)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "k of shift is %lld, which makes %lld of a value, but values must be from 0 to "
                   "%lld",
                   (long long)k, (long long)(first < 0 ? first : last), (long long)DC_TRIPS_MAX);
  for (size_t i = 0; i < out->count; ++i)
    points[i].value += k;
  return DC_OK;
}

static dc_status build_scale(const builder *b, const dc_distribution_spec *spec, size_t at,
                             const built *out) {
  dc_point *points = points_at(b, at);
  int64_t k = (int64_t)spec->parameter[0], last = points[out->count - 1].value;
  if (last > DC_TRIPS_MAX / k)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "k of scale is %lld, which makes %.10g of a value, but values must be from 0 to "
                   "%lld",
                   (long long)k, (double)k * (double)last, (long long)DC_TRIPS_MAX);
  for (size_t i = 0; i < out->count; ++i)
    points[i].value *= k;
  return DC_OK;
}

// What was cut off lies above the last point; if that is b or above, it is b now.
static void build_clamp(const builder *b, const dc_distribution_spec *spec, size_t at, built *out) {
  dc_point *points = points_at(b, at);
  int64_t low = (int64_t)spec->parameter[0], high = (int64_t)spec->parameter[1];
  size_t last = out->count - 1;
  if (points[last].value >= high) {
    dc__points_scale(points, out->count, 1 - out->cut);
    points[last].mass += out->cut;
    out->cut = 0;
  }
  for (size_t i = 0; i <= last; ++i) {
    points[i].value = points[i].value < low ? low : points[i].value;
    points[i].value = points[i].value > high ? high : points[i].value;
  }
}

static dc_status build_given(const builder *b, const dc_distribution_spec *spec, size_t at,
                             built *out) {
  dc_point *points = points_at(b, at);
  int64_t low = (int64_t)spec->parameter[0], high = (int64_t)spec->parameter[1];
  if (points[out->count - 1].value >= high)
    out->cut = 0;
  double mass = 0;
  size_t kept = 0;
  for (size_t i = 0; i < out->count; ++i)
    if (points[i].value >= low && points[i].value <= high) {
      mass += points[i].mass;
      points[kept++] = points[i];
    }
  if (kept == 0)
    return dc_fail(b->error, DC_ERROR_ARGUMENT,
                   "a to b of given is %lld to %lld, but no value in there has any mass; values "
                   "are from %lld to %lld",
                   (long long)low, (long long)high, (long long)points[0].value,
                   (long long)points[out->count - 1].value);
  *out = (built){kept, fmin(out->cut / mass, 1)};
  return DC_OK;
}

// Puts the combination of two nodes, which may be one and the same, in the place of the first; work
// is where the stack ends.
static dc_status combine(const builder *b, dc_distribution_kind kind, size_t at, built *first,
                         size_t from, const built *second, size_t work) {
  dc_point *x = points_at(b, at), *y = points_at(b, from);
  dc_range in_x = {x[0].value, x[first->count - 1].value},
           in_y = {y[0].value, y[second->count - 1].value};
  size_t needed = kind == DC_DISTRIBUTION_MAX
                      ? dc__points_max_bytes(first->count, second->count)
                      : dc__points_sum_bytes(first->count, in_x, second->count, in_y);
  dc_status status = reserve(b, work, needed);
  if (status != DC_OK)
    return status;
  first->cut = first->cut + second->cut - first->cut * second->cut;
  return (kind == DC_DISTRIBUTION_MAX ? dc__points_max : dc__points_sum)(
      x, first->count, y, second->count, points_at(b, work), x, &first->count, b->error);
}

static dc_status build_operands(const builder *b, const dc_distribution_spec *spec, double cut,
                                size_t at, built *out) {
  dc_status status = build(b, spec->parts, cut, at, out);
  for (const dc_distribution_spec *part = spec->parts->next; part && status == DC_OK;
       part = part->next) {
    built one = {0, 0};
    size_t behind = at + out->count;
    status = build(b, part, cut, behind, &one);
    if (status == DC_OK)
      status = combine(b, spec->kind, at, out, behind, &one, behind + one.count);
  }
  return status;
}

// By doubling: the distribution itself stays at `at`, the sum grows behind it.
static dc_status sum_copies(const builder *b, int64_t k, size_t at, built *out) {
  built one = *out, sum = one;
  size_t behind = at + one.count;
  dc_status status = reserve(b, behind, one.count * sizeof(dc_point));
  if (status != DC_OK)
    return status;
  memcpy(points_at(b, behind), points_at(b, at), one.count * sizeof(dc_point));
  for (int64_t bit = dc__highest_bit(k) / 2; bit > 0 && status == DC_OK; bit /= 2) {
    status = combine(b, DC_DISTRIBUTION_SUM, behind, &sum, behind, &sum, behind + sum.count);
    if (status == DC_OK && (k & bit))
      status = combine(b, DC_DISTRIBUTION_SUM, behind, &sum, at, &one, behind + sum.count);
  }
  if (status == DC_OK)
    memmove(points_at(b, at), points_at(b, behind), sum.count * sizeof(dc_point));
  *out = sum;
  return status;
}

static dc_status build_copies(const builder *b, const dc_distribution_spec *spec, double cut,
                              size_t at, built *out) {
  dc_status status = build(b, spec->parts, cut, at, out);
  double k = spec->parameter[0];
  if (status != DC_OK || k == 1)
    return status;
  if (spec->kind == DC_DISTRIBUTION_SUM)
    return sum_copies(b, (int64_t)k, at, out);
  out->count = dc__points_max_of(points_at(b, at), out->count, k);
  out->cut = -expm1(k * log1p(-out->cut));
  return DC_OK;
}

static dc_status build_transform(const builder *b, const dc_distribution_spec *spec, double cut,
                                 size_t at, built *out) {
  dc_status status = build(b, spec->parts, cut, at, out);
  if (status != DC_OK)
    return status;
  if (spec->kind == DC_DISTRIBUTION_SHIFT)
    return build_shift(b, spec, at, out);
  if (spec->kind == DC_DISTRIBUTION_SCALE)
    return build_scale(b, spec, at, out);
  if (spec->kind == DC_DISTRIBUTION_GIVEN)
    return build_given(b, spec, at, out);
  build_clamp(b, spec, at, out);
  return DC_OK;
}

static dc_status build(const builder *b, const dc_distribution_spec *spec, double cut, size_t at,
                       built *out) {
  dc_status status = DC_OK;
  *out = (built){0, 0};
  switch (dc__distribution_rules[spec->kind].form) {
  case DC_FORM_FORMULA:
    status = build_formula(b, spec, cut, at, out);
    break;
  case DC_FORM_POINTS:
    status = build_list(b, spec, at, out);
    break;
  case DC_FORM_FILE:
    status = build_histogram(b, spec, at, out);
    break;
  case DC_FORM_MIXTURE:
    status = build_mixture(b, spec, cut, at, out);
    break;
  case DC_FORM_MAP:
    status = build_transform(b, spec, dc__part_cut(spec, cut), at, out);
    break;
  case DC_FORM_COMBINE:
    status = spec->parts->next ? build_operands(b, spec, dc__part_cut(spec, cut), at, out)
                               : build_copies(b, spec, dc__part_cut(spec, cut), at, out);
    break;
  }
  if (status == DC_OK)
    out->count = dc__points_tidy(points_at(b, at), out->count);
  return dc__at_distribution(spec, status, b->error);
}

dc_status dc__distribution_build(const dc_distribution_spec *spec,
                                 const dc_distribution_options *options, void *memory, size_t bytes,
                                 dc_distribution *distribution, dc_error *error) {
  builder b = {options, memory, bytes, error};
  built all = {0, 0};
  dc_status status = build(&b, spec, options->cut, 0, &all);
  if (status == DC_OK)
    *distribution = (dc_distribution){memory, all.count, all.cut, NULL};
  return status;
}
