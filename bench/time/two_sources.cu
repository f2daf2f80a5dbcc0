// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of one kind look numbers up in a table in memory, those of the other compute theirs.

__global__ void two_sources(const int *__restrict__ order, const int *__restrict__ kind,
                            const unsigned *__restrict__ seeds, const float *__restrict__ table,
                            float *__restrict__ out, unsigned mask, int gathers, int rounds,
                            int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned state = seeds[item];
  float sum = 0.0f;
  if (kind[item]) { // branch: kind
    for (int k = 0; k < gathers; ++k) {
      state = state * 1664525u + 1013904223u;
      sum += table[(state >> 4) & mask];
    }
  } else {
    for (int k = 0; k < rounds; ++k) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      sum += (float)(state >> 16) * (1.0f / 65536.0f);
    }
  }
  out[item] = sum;
}
