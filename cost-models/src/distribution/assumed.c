// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With and without a bound on the trip count.
#include "divcost/assumed.h"

#include "math/decimal.h"

#include <math.h>
#include <stdio.h>

#define MEAN 64 // of trips that nobody knows

int64_t dc_trips_assumed(int64_t most) {
  return most < 0 || most >= 2 * MEAN ? MEAN : (most + 1) / 2;
}

// Mean of a geometric distribution on 1 ... m: without the bound 1 / p, and what is cut off taken
// out.
static double mean_below(double p, double m) {
  double beyond = exp(m * log1p(-p));
  return 1 / p - m * beyond / (1 - beyond);
}

// The probability for which that mean is MEAN; m > 2 * MEAN, so there is one below 1 / MEAN. The
// mean falls as p grows. To seven decimal places, to be readable.
static double fit(double m) {
  double low = 1e-6, high = 1.0 / MEAN;
  for (int k = 0; k < 60; ++k) {
    double middle = (low + high) / 2;
    if (mean_below(middle, m) > MEAN)
      low = middle;
    else
      high = middle;
  }
  return round(low * 1e7) / 1e7;
}

dc_assumed_distributions dc_distributions_assumed(int64_t most) {
  dc_assumed_distributions distributions = {"poisson(64)", "geometric(0.015625)", "zipf(2, 4096)"};
  char number[40];
  if (most < 0)
    return distributions;
  dc__number_write(most <= 2 * MEAN ? 0.5 : round(1e7 * MEAN / (double)most) / 1e7, number);
  snprintf(distributions.low, sizeof distributions.low, "binomial(%lld, %.20s)", (long long)most,
           number);
  dc__number_write(fit((double)most), number);
  if (most <= 2 * MEAN)
    snprintf(distributions.high, sizeof distributions.high, "uniform(0, %lld)", (long long)most);
  else
    snprintf(distributions.high, sizeof distributions.high, "given(geometric(%.14s), 1, %lld)",
             number, (long long)most);
  snprintf(distributions.heavy, sizeof distributions.heavy, "zipf(2, %lld)",
           (long long)(most < 1 ? 1 : most));
  return distributions;
}
