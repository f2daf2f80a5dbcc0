// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workloads whose lanes are not iid: listed and affine counts, types of groups, sorted and binned
// items, items shared by lanes. The definitions and formulas are in workload.h.
#include "divcost/workload.h"

#include "imbalance/imbalance_internal.h"
#include "imbalance/levels.h"
#include "math/sum.h"

#include <math.h>
#include <stdlib.h>

static dc_status check_groups(uint64_t groups, dc_error *error) {
  if (groups >= 1 && groups <= DC_GROUPS_MAX)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT, "groups is %llu, but must be from 1 to %llu",
                 (unsigned long long)groups, (unsigned long long)DC_GROUPS_MAX);
}

// ---- counts that are known ---------------------------------------------------------------------

typedef struct totals {
  dc_sum imbalance, slots, work;
  uint64_t groups;
} totals;

static void add_group(totals *t, double lanes, double largest, double work) {
  dc__sum_add(&t->imbalance, work > 0 ? lanes * largest / work : 1);
  dc__sum_add(&t->slots, lanes * largest);
  dc__sum_add(&t->work, work);
  ++t->groups;
}

static dc_loss loss_of(const totals *t) {
  dc_loss loss = {dc__sum_value(&t->imbalance) / (double)t->groups, 1, 1};
  if (dc__sum_value(&t->work) > 0) {
    loss.aggregate = dc__sum_value(&t->slots) / dc__sum_value(&t->work);
    loss.efficiency = 1 / loss.aggregate;
  }
  return loss;
}

dc_status dc_listed_loss(const int64_t *counts, size_t count, unsigned lanes, dc_loss *result,
                         dc_error *error) {
  dc_status status = dc__check_lanes(lanes, error);
  if (status != DC_OK)
    return status;
  if (count == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "there are no trip counts, but must be some");
  totals t = {0};
  for (size_t first = 0; first < count; first += lanes) {
    int64_t largest = 0, work = 0;
    for (size_t i = first; i < count && i - first < lanes; ++i) {
      if (counts[i] < 0 || counts[i] > DC_TRIPS_MAX)
        return dc_fail(error, DC_ERROR_ARGUMENT,
                       "the trip count of lane %zu is %lld, but must be from 0 to %lld", i,
                       (long long)counts[i], (long long)DC_TRIPS_MAX);
      work += counts[i];
      largest = counts[i] > largest ? counts[i] : largest;
    }
    add_group(&t, lanes, (double)largest, (double)work);
  }
  *result = loss_of(&t);
  return DC_OK;
}

// base + stride * i, cut off at 0. In a double: exact wherever it is in range.
static double affine(int64_t base, int64_t stride, uint64_t i) {
  return fmax((double)base + (double)stride * (double)i, 0);
}

dc_status dc_affine_loss(int64_t base, int64_t stride, unsigned lanes, uint64_t groups,
                         dc_loss *result, dc_error *error) {
  dc_status status = dc__check_lanes(lanes, error);
  if (status == DC_OK)
    status = check_groups(groups, error);
  if (status != DC_OK)
    return status;
  if (stride < -DC_TRIPS_MAX || stride > DC_TRIPS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "stride is %lld, but must be from %lld to %lld",
                   (long long)stride, -(long long)DC_TRIPS_MAX, (long long)DC_TRIPS_MAX);
  if (base < -DC_TRIPS_MAX || base > DC_TRIPS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "base is %lld, but must be from %lld to %lld",
                   (long long)base, -(long long)DC_TRIPS_MAX, (long long)DC_TRIPS_MAX);
  uint64_t last = groups * lanes - 1;
  double greatest = fmax(affine(base, stride, 0), affine(base, stride, last));
  if (greatest > (double)DC_TRIPS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "a lane would run %.10g times, but may run %lld",
                   greatest, (long long)DC_TRIPS_MAX);
  totals t = {0};
  for (uint64_t g = 0; g < groups; ++g) {
    double first = affine(base, stride, g * lanes);
    double final = affine(base, stride, g * lanes + lanes - 1), work = 0;
    if (first > 0 && final > 0)
      work = lanes * (first + final) / 2;
    else if (first > 0 || final > 0) // cut off at 0 within the group
      for (unsigned lane = 0; lane < lanes; ++lane)
        work += affine(base, stride, g * lanes + lane);
    add_group(&t, lanes, fmax(first, final), work);
  }
  *result = loss_of(&t);
  return DC_OK;
}

// ---- types of groups ---------------------------------------------------------------------------

// Adds up one type's share; the result is the weighted means so far.
typedef struct shares {
  dc_sum weight, imbalance, maximum, mean;
} shares;

static dc_status add_type(shares *s, double weight, const dc_distribution *distribution,
                          unsigned lanes, dc_error *error) {
  double imbalance;
  dc_status status = dc_expected_imbalance(distribution, lanes, &imbalance, error);
  if (status != DC_OK)
    return status;
  dc__sum_add(&s->weight, weight);
  dc__sum_add(&s->imbalance, weight * imbalance);
  dc__sum_add(&s->maximum, weight * dc__maximum_mean(distribution, lanes));
  dc__sum_add(&s->mean, weight * dc_distribution_mean(distribution));
  return DC_OK;
}

static dc_loss loss_of_shares(const shares *s) {
  double mean = dc__sum_value(&s->mean);
  dc_loss loss = {dc__sum_value(&s->imbalance) / dc__sum_value(&s->weight), 1, 1};
  if (mean > 0) {
    loss.aggregate = fmax(dc__sum_value(&s->maximum) / mean, 1);
    loss.efficiency = 1 / loss.aggregate;
  }
  return loss;
}

dc_status dc_typed_loss(const dc_group_type *types, size_t count, unsigned lanes, dc_loss *result,
                        dc_error *error) {
  shares s = {0};
  for (size_t i = 0; i < count; ++i) {
    double weight = types[i].weight;
    if (!(weight >= 0 && weight <= 1e300))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the weight of type %zu is %.10g, but must be in [0, 1e300]", i, weight);
    dc_status status = add_type(&s, weight, &types[i].distribution, lanes, error);
    if (status != DC_OK)
      return status;
  }
  if (!(dc__sum_value(&s.weight) > 0))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the weights of the %zu types sum to 0, but one must be positive", count);
  *result = loss_of_shares(&s);
  return DC_OK;
}

// ---- items that were arranged ------------------------------------------------------------------

typedef struct sorted_level {
  double items, lanes;
} sorted_level;

static double groups_filled(double items, const void *context) {
  return ceil(items / *(const double *)context);
}

static double level_groups(double at_least, double below, const void *context) {
  const sorted_level *s = context;
  // E[z^A] = (1 - p + p z)^items bounds how far A modulo lanes is from uniform: for z^lanes = 1 its
  // modulus is at most exp(-8 items p q / lanes^2), here exp(-40).
  if (s->items * at_least * below > 5 * s->lanes * s->lanes)
    return (s->items * at_least + (s->lanes - 1) / 2) / s->lanes;
  return dc__binomial_mean(s->items, at_least, below, groups_filled, &s->lanes);
}

dc_status dc_sorted_aggregate(const dc_distribution *distribution, unsigned lanes, uint64_t groups,
                              double *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    status = check_groups(groups, error);
  if (status != DC_OK)
    return status;
  const sorted_level level = {(double)groups * lanes, lanes};
  double mean = dc_distribution_mean(distribution);
  double maxima = dc__levels_sum(&(dc_levels){distribution, 1, level_groups, &level});
  *result = mean > 0 ? fmax(maxima / ((double)groups * mean), 1) : 1;
  return DC_OK;
}

static dc_status check_class(size_t index, size_t classes, dc_error *error) {
  if (classes < 1 || classes > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "classes is %zu, but must be from 1 to %zu", classes,
                   DC_POINTS_MAX);
  if (index >= classes)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the class's index is %zu, but must be from 0 to %zu",
                   index, classes - 1);
  return DC_OK;
}

dc_status dc_class_build(const dc_distribution *distribution, size_t index, size_t classes,
                         dc_distribution *result, dc_error *error) {
  *result = (dc_distribution){0};
  dc_status status = check_class(index, classes, error);
  if (status != DC_OK)
    return status;
  dc_point *points = malloc(distribution->count * sizeof *points);
  if (!points)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a class of items");
  double low = (double)index / (double)classes, high = (double)(index + 1) / (double)classes;
  size_t count = 0;
  dc_sum head = {0, 0}, inside = {0, 0};
  for (size_t i = 0; i < distribution->count; ++i) {
    double before = dc__sum_value(&head);
    dc__sum_add(&head, distribution->points[i].mass);
    // The last point goes up to 1, whatever rounding has made of the sum.
    double after = i + 1 < distribution->count ? dc__sum_value(&head) : 1;
    double mass = fmin(after, high) - fmax(before, low);
    if (before >= low && after <= high)
      mass = distribution->points[i].mass; // whole, to its last digit
    if (mass <= 0 || (mass < 1e-15 && (before < low || after > high)))
      continue; // outside, but for rounding
    points[count++] = (dc_point){distribution->points[i].value, mass};
    dc__sum_add(&inside, mass);
  }
  for (size_t i = 0; i < count; ++i)
    points[i].mass /= dc__sum_value(&inside);
  *result = (dc_distribution){points, count, distribution->cut, points};
  return DC_OK;
}

dc_status dc_binned_loss(const dc_distribution *distribution, size_t classes, unsigned lanes,
                         dc_loss *result, dc_error *error) {
  shares s = {0};
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    status = check_class(0, classes, error);
  for (size_t i = 0; i < classes && status == DC_OK; ++i) {
    dc_distribution part;
    status = dc_class_build(distribution, i, classes, &part, error);
    if (status == DC_OK)
      status = add_type(&s, 1, &part, lanes, error);
    dc_distribution_free(&part);
  }
  if (status == DC_OK)
    *result = loss_of_shares(&s);
  return status;
}

// ---- lanes that share an item ------------------------------------------------------------------

static double level_reached(double at_least, double below, const void *context) {
  unsigned items = *(const unsigned *)context;
  return below > 0.5 ? dc__any_lane(at_least, items) : 1 - pow(below, items);
}

dc_status dc_shared_item_loss(const dc_distribution *distribution, unsigned lanes,
                              unsigned lanes_per_item, dc_loss *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  if (lanes_per_item == 0 || lanes % lanes_per_item != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "lanes_per_item is %u, but must divide the %u lanes of a group", lanes_per_item,
                   lanes);
  unsigned items = lanes / lanes_per_item;
  const dc_levels levels = {distribution, lanes_per_item, level_reached, &items};
  double mean = dc_distribution_mean(distribution);
  dc_loss loss = {1, 1, 1};
  if (mean > 0) {
    const dc_point *lowest = distribution->points;
    double all_zero = lowest->value == 0 ? pow(lowest->mass, items) : 0;
    loss.aggregate = fmax(lanes_per_item * dc__levels_sum(&levels) / mean, 1);
    loss.expected = distribution->count == 1 ? loss.aggregate
                                             : all_zero + lanes * dc__levels_ratio(&levels, items);
    loss.efficiency = 1 / loss.aggregate;
  }
  *result = loss;
  return DC_OK;
}
