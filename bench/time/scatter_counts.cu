// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram of many bins in global memory: each item throws so many numbers into it.

__global__ void scatter_counts(const int *__restrict__ order, const int *__restrict__ throws,
                               const unsigned *__restrict__ seeds, unsigned *__restrict__ bins,
                               unsigned *__restrict__ out, unsigned mask, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = throws[item];
  unsigned state = seeds[item];
  for (int k = 0; k < count; ++k) { // loop: throws
    state = state * 1664525u + 1013904223u;
    atomicAdd(&bins[(state >> 8) & mask], 1u);
  }
  out[item] = state;
}
