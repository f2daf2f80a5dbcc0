// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of messages (SHA-1), which are padded to whole blocks of 16 words.

inline __host__ __device__ unsigned sha1_turned(unsigned x, int by) {
  return x << by | x >> (32 - by);
}

__global__ void sha1_messages(const int *__restrict__ order, const int *__restrict__ begin,
                              const uint4 *__restrict__ words, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned digest[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
  for (int k = begin[item]; k < end; ++k) { // loop: blocks
    unsigned w[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      uint4 four = words[4 * k + i];
      w[4 * i] = four.x;
      w[4 * i + 1] = four.y;
      w[4 * i + 2] = four.z;
      w[4 * i + 3] = four.w;
    }
    unsigned a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4];
#pragma unroll
    for (int i = 0; i < 80; ++i) {
      if (i >= 16)
        w[i & 15] =
            sha1_turned(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[i & 15], 1);
      unsigned f;
      if (i < 20)
        f = ((b & c) | (~b & d)) + 0x5a827999u;
      else if (i < 40)
        f = (b ^ c ^ d) + 0x6ed9eba1u;
      else if (i < 60)
        f = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
      else
        f = (b ^ c ^ d) + 0xca62c1d6u;
      f += sha1_turned(a, 5) + e + w[i & 15];
      e = d;
      d = c;
      c = sha1_turned(b, 30);
      b = a;
      a = f;
    }
    digest[0] += a;
    digest[1] += b;
    digest[2] += c;
    digest[3] += d;
    digest[4] += e;
  }
  for (int i = 0; i < 5; ++i)
    out[5 * item + i] = digest[i];
}
