// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items are of two kinds: one is a number that is stirred, the other a polynomial. What both do is
// known from the launch, but not which item is of which kind.

__global__ void two_ways(const int *__restrict__ order, const int *__restrict__ kind,
                         const unsigned *__restrict__ seeds, float *__restrict__ out, int first,
                         int second, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned seed = seeds[item];
  float result;
  if (kind[item]) { // branch: kind
    unsigned x = seed;
    for (int k = 0; k < first; ++k) {
      x ^= x >> 15;
      x = x * 0x2c1b3c6du + (unsigned)k;
    }
    result = (float)(x >> 8);
  } else {
    float x = (float)(seed >> 8) * (1.0f / 16777216.0f), y = 0.0f, z = 1.0f;
    for (int k = 0; k < second; ++k) {
      y = y * x + 0.5f;
      z = z * 0.25f + y;
    }
    result = y + z;
  }
  out[item] = result;
}
