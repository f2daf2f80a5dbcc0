// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes that say whether messages are genuine (CBC-MAC with AES): each block of 16 bytes is added
// to what came out for the one before it, and encrypted by a table that the block keeps in shared
// memory. Some senders have keys of 128 bits, others of 256, which take more rounds.

__global__ void aes_macs(const int *__restrict__ order, const int *__restrict__ begin,
                         const int *__restrict__ rounds, const uint4 *__restrict__ messages,
                         const unsigned *__restrict__ table, const unsigned *__restrict__ schedule,
                         uint4 *__restrict__ out, int n) {
  __shared__ unsigned boxes[256], keys[104];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    boxes[k] = table[k];
  for (int k = threadIdx.x; k < 104; k += blockDim.x)
    keys[k] = schedule[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], full = rounds[item];
  const unsigned *key = full > 9 ? keys + 44 : keys;
  unsigned a = 0, b = 0, c = 0, d = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: blocks
    uint4 block = messages[k];
    a ^= block.x ^ key[0];
    b ^= block.y ^ key[1];
    c ^= block.z ^ key[2];
    d ^= block.w ^ key[3];
    for (int round = 1; round <= full; ++round) { // loop: rounds
      auto column = [&](unsigned p, unsigned q, unsigned r, unsigned s) {
        unsigned u = boxes[p >> 24], v = boxes[q >> 16 & 255];
        unsigned w = boxes[r >> 8 & 255], x = boxes[s & 255];
        return u ^ (v >> 8 | v << 24) ^ (w >> 16 | w << 16) ^ (x >> 24 | x << 8);
      };
      unsigned e = column(a, b, c, d) ^ key[4 * round];
      unsigned f = column(b, c, d, a) ^ key[4 * round + 1];
      unsigned g = column(c, d, a, b) ^ key[4 * round + 2];
      unsigned h = column(d, a, b, c) ^ key[4 * round + 3];
      a = e;
      b = f;
      c = g;
      d = h;
    }
    auto last = [&](unsigned p, unsigned q, unsigned r, unsigned s) {
      unsigned u = boxes[p >> 24] >> 8 & 255, v = boxes[q >> 16 & 255] >> 8 & 255;
      unsigned w = boxes[r >> 8 & 255] >> 8 & 255, x = boxes[s & 255] >> 8 & 255;
      return u << 24 | v << 16 | w << 8 | x;
    };
    const unsigned *whitening = key + 4 * full + 4;
    unsigned e = last(a, b, c, d) ^ whitening[0], f = last(b, c, d, a) ^ whitening[1];
    unsigned g = last(c, d, a, b) ^ whitening[2], h = last(d, a, b, c) ^ whitening[3];
    a = e;
    b = f;
    c = g;
    d = h;
  }
  out[item] = make_uint4(a, b, c, d);
}
