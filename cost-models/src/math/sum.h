// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum that keeps what rounding takes away (Neumaier's), so that a million terms lose no digit.
#ifndef DIVCOST_SUM_H
#define DIVCOST_SUM_H

#include <math.h>

typedef struct dc_sum {
  double high, low;
} dc_sum;

static inline void dc__sum_add(dc_sum *sum, double x) {
  double high = sum->high + x;
  sum->low += fabs(sum->high) >= fabs(x) ? (sum->high - high) + x : (x - high) + sum->high;
  sum->high = high;
}

static inline double dc__sum_value(const dc_sum *sum) { return sum->high + sum->low; }

#endif
