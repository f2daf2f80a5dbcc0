// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookback options by simulation: a path for each item, as many days as it has to run, with normal
// steps by Box and Muller. It pays what was lost since the highest price.

__global__ void lookback_paths(const int *__restrict__ order, const int *__restrict__ days,
                               const unsigned *__restrict__ seeds,
                               const float *__restrict__ volatility, float *__restrict__ out,
                               int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = days[item];
  unsigned state = seeds[item];
  float sigma = volatility[item], price = 0.0f, highest = 0.0f;
  for (int day = 0; day < count; ++day) { // loop: days
    state = state * 1664525u + 1013904223u;
    float first = (float)((state >> 8) + 1) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float second = (float)(state >> 8) * (6.2831853f / 16777216.0f);
    float step = sqrtf(-2.0f * __logf(first)) * __cosf(second - 3.1415927f);
    price += sigma * step - 0.5f * sigma * sigma;
    highest = fmaxf(highest, price);
  }
  out[item] = __expf(highest) - __expf(price);
}
