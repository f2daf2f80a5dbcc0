// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// People in an epidemic: those who are ill go about for so many days and meet others anywhere on a
// map, those who aren't only grow less immune.

__global__ void epidemic(const int *__restrict__ order, const int *__restrict__ ill,
                         const int *__restrict__ days, const unsigned *__restrict__ seeds,
                         const float *__restrict__ crowd, float *__restrict__ out, unsigned mask,
                         int weeks, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned state = seeds[item];
  float result;
  if (ill[item]) { // branch: ill
    int count = days[item];
    float met = 0.0f, strength = 1.0f;
    for (int day = 0; day < count; ++day) { // loop: days
      state = (state ^ state >> 15) * 0x2c1b3c6du + 1;
      met += strength * crowd[state & mask];
      strength *= 0.97f;
    }
    result = met;
  } else {
    float immune = (float)(state >> 8) * (1.0f / 16777216.0f);
    for (int week = 0; week < weeks; ++week)
      immune = immune * (1.0f - 0.1f * immune) + 0.001f;
    result = immune;
  }
  out[item] = result;
}
