// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot products of numbers whose exponents take more bits the further they are from 1 (posits of 16
// bits, with one bit of exponent), without rounding: products are added up in fixed point. Two
// numbers are a word.

__device__ inline void posit_parts(unsigned bits, unsigned &mantissa, int &scale, bool &negative) {
  unsigned word = bits << 16;
  negative = word >> 31;
  word = (negative ? 0u - word : word) << 1;
  int run = __clz((int)(word >> 31 ? ~word : word));
  scale = word >> 31 ? 2 * run - 2 : -2 * run;
  word <<= run + 1;
  scale += (int)(word >> 31);
  mantissa = 4096 | (word << 1 >> 20);
}

__global__ void posit_dots(const int *__restrict__ order, const int *__restrict__ begin,
                           const unsigned *__restrict__ pairs, unsigned long long *__restrict__ out,
                           int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned long long sum = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: entries
    unsigned pair = pairs[k], a, b;
    int up, down;
    bool less, more;
    posit_parts(pair & 0xffff, a, up, less);
    posit_parts(pair >> 16, b, down, more);
    unsigned long long product = (unsigned long long)(a * b) << (up + down + 22);
    sum += less != more ? 0 - product : product;
  }
  out[item] = sum;
}
