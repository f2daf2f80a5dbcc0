// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "imbalance/levels.h"

#include "math/sum.h"

#include <math.h>

// ---- levels ------------------------------------------------------------------------------------

// The mass of a point under the distribution tilted by exp(-u W), not normalised, relative to the
// first.
static double tilted(const dc_distribution *d, size_t i, double u) {
  double mass = d->points[i].mass;
  return u > 0 ? mass * exp(-u * (double)(d->points[i].value - d->points[0].value)) : mass;
}

// How many points have a tilted mass above 0: exp(-746) is none.
static size_t reached(const dc_distribution *d, double u) {
  size_t low = 1, high = d->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (u * (double)(d->points[middle].value - d->points[0].value) < 746)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int64_t units(const dc_levels *levels, size_t i) {
  int64_t value = levels->distribution->points[i].value;
  return value / levels->unit + (value % levels->unit > 0);
}

// The sum over the levels under the tilted distribution; *total is the sum of its masses. The
// probabilities are added up from the end that is nearer, so that small ones aren't differences of
// large ones.
static double levels_sum(const dc_levels *levels, double u, double *total) {
  const dc_distribution *d = levels->distribution;
  dc_sum all = {0, 0}, above = {0, 0}, below = {0, 0}, sum = {0, 0};
  size_t count = reached(d, u);
  for (size_t i = 0; i < count; ++i)
    dc__sum_add(&all, tilted(d, i, u));
  *total = dc__sum_value(&all);
  size_t i = count - 1;
  for (; i > 0; --i) {
    dc__sum_add(&above, tilted(d, i, u));
    double p = dc__sum_value(&above) / *total;
    if (p > 0.5)
      break;
    int64_t gap = units(levels, i) - units(levels, i - 1);
    if (gap > 0 && p > 0)
      dc__sum_add(&sum, (double)gap * levels->level(p, 1 - p, levels->context));
  }
  if (units(levels, 0) > 0)
    dc__sum_add(&sum, (double)units(levels, 0) * levels->level(1, 0, levels->context));
  for (size_t j = 1; j <= i; ++j) {
    dc__sum_add(&below, tilted(d, j - 1, u));
    double q = fmin(dc__sum_value(&below) / *total, 1);
    int64_t gap = units(levels, j) - units(levels, j - 1);
    if (gap > 0)
      dc__sum_add(&sum, (double)gap * levels->level(1 - q, q, levels->context));
  }
  return dc__sum_value(&sum);
}

double dc__levels_sum(const dc_levels *levels) {
  double total;
  return levels_sum(levels, 0, &total);
}

double dc__levels_ratio(const dc_levels *levels, unsigned lanes) {
  const dc_distribution *d = levels->distribution;
  double n = lanes, lowest = (double)d->points[0].value;
  double s_min = lowest > 0 ? n * lowest : (double)d->points[1].value;
  double s_max = n * (double)d->points[d->count - 1].value;
  const double L = 29.933606208922594; // -ln(1e-13), the tolerance
  const double h = 0.85 * 9.869604401089358 / L;
  double start = -log(L), end = log(s_max / s_min) + log(0.95 * L);
  unsigned nodes = (unsigned)ceil((end - start) / h) + 1;
  dc_sum sum = {0, 0};
  for (unsigned i = 0; i < nodes; ++i) {
    double x = start + i * h, u = exp(x - exp(-x)) / s_max, total;
    double weight = h * u * (1 + exp(-x)) * exp(-u * n * lowest);
    if (weight <= 0)
      continue;
    double mean = levels_sum(levels, u, &total);
    dc__sum_add(&sum, weight * pow(total, n) * mean);
  }
  return dc__sum_value(&sum);
}

// ---- the binomial distribution ------------------------------------------------------------------

// From the mode in steps of +1 or -1, by the ratio of neighbouring masses; the mode's own mass is
// what makes the sum 1. The first step is always taken: where the mode is 0 and g(0) = 0, it is
// what counts.
static void binomial_side(double n, double odds, double mode, int step,
                          double (*g)(double, const void *), const void *context, dc_sum *mass,
                          dc_sum *sum) {
  double weight = 1, first = 0;
  for (double a = mode;; a += step) {
    double ratio = step > 0 ? (n - a) / (a + 1) * odds : a / (n - a + 1) / odds;
    weight *= ratio;
    first = a == mode ? weight : first;
    if (!(weight > 1e-20 * first)) // 0 beyond the ends
      return;
    dc__sum_add(mass, weight);
    dc__sum_add(sum, weight * g(a + step, context));
  }
}

double dc__binomial_mean(double n, double p, double q, double (*g)(double a, const void *context),
                         const void *context) {
  if (p <= 0)
    return g(0, context);
  if (q <= 0)
    return g(n, context);
  double mode = fmin(floor((n + 1) * p), n);
  dc_sum mass = {1, 0}, sum = {g(mode, context), 0};
  binomial_side(n, p / q, mode, 1, g, context, &mass, &sum);
  binomial_side(n, p / q, mode, -1, g, context, &mass, &sum);
  return dc__sum_value(&sum) / dc__sum_value(&mass);
}
