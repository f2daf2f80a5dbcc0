// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log-normal distribution, rounded half up: P(W = k) is the normal distribution's probability
// from ln(k - 0.5) to ln(k + 0.5), standardised. Where these are close together a difference of two
// tails would lose its digits, so the density is integrated there, by Gauss-Legendre quadrature
// with eight nodes (Abramowitz and Stegun 25.4.30; its error is below rounding for intervals up to
// a quarter).
#include "distribution/distribution_internal.h"

#include <math.h>

static double standardised(const dc_distribution_spec *spec, double x) {
  return (log(x) - spec->parameter[0]) / spec->parameter[1];
}

// P(N > z)
static double tail(double z) { return 0.5 * erfc(z * sqrt(0.5)); }

// P(W > k)
static double above(const dc_distribution_spec *spec, double k) {
  return tail(standardised(spec, k + 0.5));
}

dc_status dc__lognormal_support(const dc_distribution_spec *spec, double cut, dc_support *support,
                                dc_error *error) {
  double mu = spec->parameter[0], sigma = spec->parameter[1];
  if (cut == 0)
    return dc__support_no_end(spec, error);
  if (above(spec, (double)DC_TRIPS_MAX) >= cut)
    return dc__support_too_many(spec, error);
  int64_t low = -1, high = DC_TRIPS_MAX; // P(W > low) >= cut > P(W > high)
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (above(spec, (double)middle) < cut)
      high = middle;
    else
      low = middle;
  }
  // The density is a normal one in ln x around mu - sigma^2, up to a factor.
  double first = floor(exp(mu - sigma * sigma - sigma * sqrt(-2 * log(DC_NEGLIGIBLE))));
  first = fmin(first, (double)high);
  if ((double)high - first >= (double)DC_POINTS_MAX)
    return dc__support_too_many(spec, error);
  *support = (dc_support){(int64_t)first, high, 0, above(spec, (double)high)};
  return DC_OK;
}

// Over [middle - half, middle + half]: the width is not the difference of two rounded ends.
static double integral(double middle, double half) {
  static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363};
  static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                   0.1012285362903763};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double low = middle - half * node[i], high = middle + half * node[i];
    sum += weight[i] * (exp(-low * low / 2) + exp(-high * high / 2));
  }
  return sum * half * 0.39894228040143268; // 1 / sqrt(2 pi)
}

static double probability(const dc_distribution_spec *spec, double k) {
  double to = standardised(spec, k + 0.5);
  if (k == 0)
    return tail(-to);
  double from = standardised(spec, k - 0.5), width = log1p(1 / (k - 0.5)) / spec->parameter[1];
  if (width < 0.25)
    return integral((from + to) / 2, width / 2);
  if (from > 0)
    return tail(from) - tail(to);
  if (to < 0)
    return tail(-to) - tail(-from);
  return 1 - tail(-from) - tail(to);
}

void dc__lognormal_masses(const dc_distribution_spec *spec, const dc_support *support,
                          dc_point *points) {
  for (int64_t k = support->first; k <= support->last; ++k)
    points[k - support->first] = (dc_point){k, probability(spec, (double)k)};
}
