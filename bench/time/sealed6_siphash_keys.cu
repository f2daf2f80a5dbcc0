// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of a hash table that nobody may guess: digests (SipHash, four rounds for each word and eight
// at the end) of keys of any length, eight bytes at a time.

__device__ inline unsigned long long sip_turn(unsigned long long x, int by) {
  return x << by | x >> (64 - by);
}

__device__ inline void sip_rounds(unsigned long long *v, int count) {
#pragma unroll
  for (int k = 0; k < count; ++k) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = sip_turn(v[1], 13) ^ v[0];
    v[3] = sip_turn(v[3], 16) ^ v[2];
    v[0] = sip_turn(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = sip_turn(v[1], 17) ^ v[2];
    v[3] = sip_turn(v[3], 21) ^ v[0];
    v[2] = sip_turn(v[2], 32);
  }
}

__global__ void siphash_keys(const int *__restrict__ order, const int *__restrict__ begin,
                             const unsigned long long *__restrict__ words,
                             unsigned long long *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned long long v[4] = {0x7469766363757372ull, 0x646f6d6966737473ull, 0x6c7967656e657261ull,
                             0x7465646279746573ull};
  for (int k = begin[item]; k < end; ++k) { // loop: words
    unsigned long long word = words[k];
    v[3] ^= word;
    sip_rounds(v, 4);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  sip_rounds(v, 8);
  out[item] = v[0] ^ v[1] ^ v[2] ^ v[3];
}
