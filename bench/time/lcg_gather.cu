// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item adds up places of a table that a generator of random numbers chooses. The table has
// mask + 1 entries: it is the table's size that decides which memory is waited for.

__global__ void lcg_gather(const int *__restrict__ order, const int *__restrict__ draws,
                           const unsigned *__restrict__ seeds, const float *__restrict__ table,
                           float *__restrict__ out, unsigned mask, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = draws[item];
  unsigned state = seeds[item];
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: draws
    state = state * 1664525u + 1013904223u;
    sum += table[(state >> 4) & mask];
  }
  out[item] = sum;
}
