// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over the levels of a trip count, k = 1, 2, ... max: what happens in iteration k depends on
// P(W >= k) only, and that is constant between two values of the distribution. With the
// distribution tilted by exp(-u W), the same sum, integrated over u, gives the mean of (sum over k
// ...) / (sum of the lanes' counts): 1 / S is the integral of exp(-u S).
#ifndef DIVCOST_LEVELS_H
#define DIVCOST_LEVELS_H

#include "divcost/distribution.h"

#include <stdint.h>

// What one level contributes, given P(W >= k) and P(W < k), each to full relative accuracy.
typedef double (*dc_uniformity)(double at_least, double below, const void *context);

// Counts are taken in units: level j is reached by a lane if ceil(W / unit) >= j.
typedef struct dc_levels {
  const dc_distribution *distribution;
  int64_t unit; // at least 1
  dc_uniformity level;
  const void *context;
} dc_levels;

// The sum of the level's contributions over all levels. O(count) calls of level.
double dc__levels_sum(const dc_levels *levels);

// E[Y / S; S > 0], where S is the sum of `lanes` iid counts and Y a random number whose mean, under
// any tilted distribution, is the sum of the level's contributions; Y must be 0 where S is 0. On
// the double-exponential nodes of integral.c: relative error below 1e-12. The largest value must be
// positive. O(nodes * count) calls of level, 3 exp each.
double dc__levels_ratio(const dc_levels *levels, unsigned lanes);

// E[g(A)] for A ~ Binomial(n, p), with q = 1 - p given beside it so that neither loses digits; g is
// called for whole numbers in 0 .. n and must not be negative. O(sqrt(n p q) + 1).
double dc__binomial_mean(double n, double p, double q, double (*g)(double a, const void *context),
                         const void *context);

#endif
