// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the imbalance and reconvergence files share.
#ifndef DIVCOST_IMBALANCE_INTERNAL_H
#define DIVCOST_IMBALANCE_INTERNAL_H

#include "divcost/distribution.h"

#include <math.h>
#include <stdbool.h>

// Fails unless lanes is in 1 .. DC_LANES_MAX and the distribution has points.
dc_status dc__check_lanes(unsigned lanes, dc_error *error);
dc_status dc__check_iid(const dc_distribution *distribution, unsigned lanes, dc_error *error);

// Fails unless lanes is in range and all counts are trip counts.
dc_status dc__check_counts(const int64_t *counts, unsigned lanes, dc_error *error);

// The probability that at least one of the lanes is in a set of probability p: 1 - (1 - p)^lanes,
// without cancellation. p may exceed 1 by rounding.
static inline double dc__any_lane(double p, unsigned lanes) {
  return p < 1 ? -expm1(lanes * log1p(-p)) : 1;
}

// E[max] for checked arguments.
double dc__maximum_mean(const dc_distribution *distribution, unsigned lanes);

// E[X; sum > 0] as first, or the moments E[X - 1] and E[(X - 1)^2], see integral.c. For
// checked arguments, two lanes and two values at least.
typedef struct dc_integrals {
  double first, second;
} dc_integrals;
dc_integrals dc__imbalance_integral(const dc_distribution *distribution, unsigned lanes,
                                    bool moments);

#endif
