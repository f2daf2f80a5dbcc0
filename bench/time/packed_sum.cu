// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A column of a database, packed in chunks: the numbers of a chunk take the same number of bits.
// Each item adds up those of a chunk that are in a range.

__global__ void packed_sum(const int *__restrict__ order, const int *__restrict__ rows,
                           const int *__restrict__ begin, const unsigned char *__restrict__ bits,
                           const unsigned *__restrict__ words, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = rows[item], from = begin[item], width = bits[item];
  unsigned mask = (1u << width) - 1, least = mask >> 3, most = mask - (mask >> 2), sum = 0;
  for (int k = 0; k < count; ++k) { // loop: rows
    int bit = k * width, shift = bit & 31;
    unsigned value = words[from + (bit >> 5)] >> shift;
    if (shift + width > 32) // branch: two
      value |= words[from + (bit >> 5) + 1] << (32 - shift);
    value &= mask;
    if (value >= least && value <= most)
      sum += value;
  }
  out[item] = sum;
}
