// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of messages by a sponge (Keccak, as in SHA3-256): each block of 17 words of 64 bits is
// soaked up by 25 words of state, which 24 rounds stir. Messages are padded to whole blocks.

__device__ inline unsigned long long turned(unsigned long long x, int by) {
  return by ? x << by | x >> (64 - by) : x;
}

__global__ void keccak_messages(const int *__restrict__ order, const int *__restrict__ begin,
                                const unsigned long long *__restrict__ words,
                                const unsigned long long *__restrict__ constants,
                                unsigned long long *__restrict__ out, int n) {
  const int by[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                      25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned long long a[25];
#pragma unroll
  for (int k = 0; k < 25; ++k)
    a[k] = 0;
  for (int block = begin[item]; block < end; ++block) { // loop: blocks
#pragma unroll
    for (int k = 0; k < 17; ++k)
      a[k] ^= words[17 * block + k];
#pragma unroll 1
    for (int round = 0; round < 24; ++round) {
      unsigned long long b[25], c[5];
#pragma unroll
      for (int x = 0; x < 5; ++x)
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
      for (int x = 0; x < 5; ++x) {
        unsigned long long d = c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1);
#pragma unroll
        for (int y = 0; y < 5; ++y)
          b[y + 5 * ((2 * x + 3 * y) % 5)] = turned(a[x + 5 * y] ^ d, by[x + 5 * y]);
      }
#pragma unroll
      for (int k = 0; k < 25; ++k)
        a[k] = b[k] ^ (~b[k / 5 * 5 + (k + 1) % 5] & b[k / 5 * 5 + (k + 2) % 5]);
      a[0] ^= constants[round];
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[4 * item + k] = a[k];
}
