// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decompresses blocks (Lempel and Ziv, as LZ4 packs them): a token says how many letters follow,
// and how many of those that were written before are repeated.

__global__ void lz_blocks(const int *__restrict__ order, const int *__restrict__ begin,
                          const int *__restrict__ place, const unsigned char *__restrict__ packed,
                          unsigned char *__restrict__ text, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int in = begin[item], end = begin[item + 1], at = place[item];
  while (in < end) { // loop: tokens
    int token = packed[in++];
    int letters = token >> 4, repeated = (token & 15) + 3;
    for (int k = 0; k < letters; ++k) // loop: letters
      text[at++] = packed[in++];
    int back = packed[in] | packed[in + 1] << 8;
    in += 2;
    for (int k = 0; k < repeated; ++k) { // loop: repeated
      text[at] = text[at - back];
      ++at;
    }
  }
}
