// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item takes so many Collatz steps from its number, and keeps the highest number that it
// meets.

__global__ void collatz(const int *__restrict__ order, const int *__restrict__ steps,
                        const unsigned *__restrict__ start, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  unsigned x = start[item], highest = x;
  for (int k = 0; k < count; ++k) { // loop: steps
    x = x & 1 ? 3 * x + 1 : x >> 1;
    highest = max(highest, x);
  }
  out[item] = highest;
}
