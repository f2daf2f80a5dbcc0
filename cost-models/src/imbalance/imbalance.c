// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The imbalance of iid lanes (expected, aggregate), of listed lanes, and its bound from a range;
// the definitions are Swatman et al. 2022's, see imbalance.h. The expected imbalance's integral is
// in integral.c. Not here: the distribution of X, lanes that are not iid.
#include "divcost/imbalance.h"

#include "imbalance/imbalance_internal.h"
#include "math/sum.h"

dc_status dc__check_lanes(unsigned lanes, dc_error *error) {
  if (lanes >= 1 && lanes <= DC_LANES_MAX)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT, "lanes is %u, but must be a whole number from 1 to %u",
                 lanes, DC_LANES_MAX);
}

dc_status dc__check_iid(const dc_distribution *distribution, unsigned lanes, dc_error *error) {
  if (!distribution->points || distribution->count == 0 || distribution->count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the distribution has %zu points, but must have 1 to %zu",
                   distribution->points ? distribution->count : 0, DC_POINTS_MAX);
  return dc__check_lanes(lanes, error);
}

dc_status dc__check_counts(const int64_t *counts, unsigned lanes, dc_error *error) {
  dc_status status = dc__check_lanes(lanes, error);
  for (unsigned i = 0; i < lanes && status == DC_OK; ++i)
    if (counts[i] < 0 || counts[i] > DC_TRIPS_MAX)
      status = dc_fail(error, DC_ERROR_ARGUMENT,
                       "the trip count of lane %u is %lld, but must be from 0 to %lld", i,
                       (long long)counts[i], (long long)DC_TRIPS_MAX);
  return status;
}

double dc__maximum_mean(const dc_distribution *distribution, unsigned lanes) {
  const dc_point *points = distribution->points;
  // From the top, so that the tail's probabilities are sums of small terms, not 1 - (nearly 1).
  dc_sum tail = {0, 0}, mean = {0, 0};
  for (size_t i = distribution->count - 1; i > 0; --i) {
    dc__sum_add(&tail, points[i].mass);
    double gap = (double)(points[i].value - points[i - 1].value);
    dc__sum_add(&mean, gap * dc__any_lane(dc__sum_value(&tail), lanes));
  }
  dc__sum_add(&mean, (double)points[0].value);
  return dc__sum_value(&mean);
}

dc_status dc_expected_maximum(const dc_distribution *distribution, unsigned lanes, double *result,
                              dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    *result = dc__maximum_mean(distribution, lanes);
  return status;
}

// Rounding must not leave the range that callers were promised.
static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

dc_status dc_expected_imbalance(const dc_distribution *distribution, unsigned lanes, double *result,
                                dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  const dc_point *lowest = distribution->points;
  if (distribution->count == 1 || lanes == 1) {
    *result = 1;
    return DC_OK;
  }
  double all_zero = lowest->value == 0 ? pow(lowest->mass, lanes) : 0;
  *result = clamp(all_zero + dc__imbalance_integral(distribution, lanes, false).first, 1, lanes);
  return DC_OK;
}

dc_status dc_imbalance_moments(const dc_distribution *distribution, unsigned lanes,
                               dc_moments *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  dc_integrals moments = {0, 0};
  if (distribution->count > 1 && lanes > 1)
    moments = dc__imbalance_integral(distribution, lanes, true);
  *result = (dc_moments){1 + moments.first, moments.first, moments.second,
                         moments.second - moments.first * moments.first};
  return DC_OK;
}

static double aggregate(const dc_distribution *distribution, unsigned lanes) {
  double mean = dc_distribution_mean(distribution);
  return mean > 0 ? clamp(dc__maximum_mean(distribution, lanes) / mean, 1, lanes) : 1;
}

dc_status dc_aggregate_imbalance(const dc_distribution *distribution, unsigned lanes,
                                 double *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    *result = aggregate(distribution, lanes);
  return status;
}

dc_status dc_simt_efficiency(const dc_distribution *distribution, unsigned lanes, double *result,
                             dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    *result = 1 / aggregate(distribution, lanes);
  return status;
}

dc_status dc_worst_imbalance(int64_t low, int64_t high, unsigned lanes, double *result,
                             dc_error *error) {
  if (low < 0 || low > DC_TRIPS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "low is %lld, but must be from 0 to %lld",
                   (long long)low, (long long)DC_TRIPS_MAX);
  if (high < low || high > DC_TRIPS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "high is %lld, but must be from low, %lld, to %lld",
                   (long long)high, (long long)low, (long long)DC_TRIPS_MAX);
  dc_status status = dc__check_lanes(lanes, error);
  if (status == DC_OK)
    *result = high > 0 ? (double)lanes * (double)high / (double)(high + (lanes - 1) * low) : 1;
  return status;
}

dc_status dc_listed_imbalance(const int64_t *counts, unsigned lanes, double *result,
                              dc_error *error) {
  dc_status status = dc__check_counts(counts, lanes, error);
  if (status != DC_OK)
    return status;
  int64_t sum = 0, largest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    sum += counts[i];
    largest = counts[i] > largest ? counts[i] : largest;
  }
  *result = sum > 0 ? (double)(largest * lanes) / (double)sum : 1;
  return DC_OK;
}
