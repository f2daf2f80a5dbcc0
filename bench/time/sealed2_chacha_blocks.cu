// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of ChaCha20, as many blocks of 16 words as each message has, all in registers.

__device__ void quarter_round(unsigned &a, unsigned &b, unsigned &c, unsigned &d) {
  a += b;
  d ^= a;
  d = d << 16 | d >> 16;
  c += d;
  b ^= c;
  b = b << 12 | b >> 20;
  a += b;
  d ^= a;
  d = d << 8 | d >> 24;
  c += d;
  b ^= c;
  b = b << 7 | b >> 25;
}

__global__ void chacha_blocks(const int *__restrict__ order, const int *__restrict__ blocks,
                              const unsigned *__restrict__ nonce, unsigned *__restrict__ out,
                              int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = blocks[item];
  unsigned number = nonce[item], sum = 0;
  for (int block = 0; block < count; ++block) { // loop: blocks
    unsigned start[16] = {0x61707865u, 0x3320646eu, 0x79622d32u,     0x6b206574u, 1, 2, 3, 4, 5, 6,
                          7,           8,           (unsigned)block, number,      0, 0};
    unsigned s[16];
    for (int k = 0; k < 16; ++k)
      s[k] = start[k];
    for (int twice = 0; twice < 10; ++twice) {
      quarter_round(s[0], s[4], s[8], s[12]);
      quarter_round(s[1], s[5], s[9], s[13]);
      quarter_round(s[2], s[6], s[10], s[14]);
      quarter_round(s[3], s[7], s[11], s[15]);
      quarter_round(s[0], s[5], s[10], s[15]);
      quarter_round(s[1], s[6], s[11], s[12]);
      quarter_round(s[2], s[7], s[8], s[13]);
      quarter_round(s[3], s[4], s[9], s[14]);
    }
    for (int k = 0; k < 16; ++k)
      sum ^= s[k] + start[k];
  }
  out[item] = sum;
}
