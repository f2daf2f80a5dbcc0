// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Yields of bonds by their prices, in double precision: Newton's steps, each of which goes over all
// coupons of a bond, whose days of payment are at uneven distances.

__global__ void bond_yields64(const int *__restrict__ order, const int *__restrict__ coupons,
                              const int *__restrict__ first, const double *__restrict__ gaps,
                              const double *__restrict__ rates, const double *__restrict__ prices,
                              double *__restrict__ out, int steps, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = coupons[item];
  const double *gap = gaps + first[item];
  double rate = rates[item], price = prices[item], yield = 0.03;
  for (int step = 0; step < steps; ++step) {
    double factor = 1.0, slope = 0.0, value = 0.0, change = 0.0;
    for (int k = 0; k < count; ++k) { // loop: coupons
      double years = gap[k], over = 1.0 / (1.0 + yield * years);
      factor *= over;
      slope -= years * over;
      value += years * rate * factor;
      change += years * rate * factor * slope;
    }
    value += factor;
    change += factor * slope;
    yield -= (value - price) / change;
  }
  out[item] = yield;
}
