// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How well a pattern of 32 bases is found in a text of DNA, at the best place: edit distance by
// bits, a column of the table in two words (Myers). Texts are packed, 16 bases to a word.

__global__ void edit_bits(const int *__restrict__ order, const int *__restrict__ begin,
                          const unsigned *__restrict__ text, const uint4 *__restrict__ pattern,
                          int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], score = 32, best = 32;
  uint4 masks = pattern[item]; // for each base, where it is in the pattern
  unsigned plus = 0xffffffffu, minus = 0;
  for (int w = begin[item]; w < end; ++w) { // loop: words
    unsigned bases = text[w];
    for (int k = 0; k < 16; ++k) {
      unsigned low = bases & 1 ? masks.y : masks.x, high = bases & 1 ? masks.w : masks.z;
      unsigned equal = bases & 2 ? high : low;
      unsigned vertical = equal | minus;
      unsigned horizontal = (((equal & plus) + plus) ^ plus) | equal;
      unsigned up = minus | ~(horizontal | plus), down = plus & horizontal;
      score += (int)(up >> 31) - (int)(down >> 31);
      up <<= 1;
      down <<= 1;
      plus = down | ~(vertical | up);
      minus = up & vertical;
      best = min(best, score);
      bases >>= 2;
    }
  }
  out[item] = best;
}
