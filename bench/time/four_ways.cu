// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items are of four kinds, each with a loop of its own; all loops are equally long.

__global__ void four_ways(const int *__restrict__ order, const int *__restrict__ kind,
                          const unsigned *__restrict__ seeds, unsigned *__restrict__ out,
                          int rounds, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned x = seeds[item], y = 1;
  switch (kind[item]) { // branch: kind
  case 0:
    for (int k = 0; k < rounds; ++k) {
      x = x * 1664525u + 1013904223u;
      y += x >> 16;
    }
    break;
  case 1:
    for (int k = 0; k < rounds; ++k) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
    }
    break;
  case 2:
    for (int k = 0; k < rounds; ++k) {
      unsigned z = max(x, y) - min(x, y);
      x = y + 0x9e3779b9u;
      y = z ^ z >> 3;
    }
    break;
  default:
    for (int k = 0; k < rounds; ++k) {
      x = (x << 7 | x >> 25) ^ y;
      y += x;
    }
  }
  out[item] = x ^ y;
}
