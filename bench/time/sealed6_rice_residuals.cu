// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sound without loss (as in FLAC): what a predictor of second order missed by is packed in Rice's
// code, zeros up to a one and then so many bits. Frames of any length; adds up how loud they are.

__global__ void rice_residuals(const int *__restrict__ order, const int *__restrict__ samples,
                               const int *__restrict__ begin, const unsigned *__restrict__ packed,
                               unsigned *__restrict__ out, int width, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item], left = 0;
  const unsigned *next = packed + begin[item];
  unsigned long long bits = 0;
  unsigned one = 0, two = 0, loud = 0, mask = (1u << width) - 1;
  for (int k = 0; k < count; ++k) { // loop: samples
    if (left < 32) {                // branch: refill
      bits |= (unsigned long long)*next++ << left;
      left += 32;
    }
    int zeros = __ffs((int)(unsigned)bits) - 1;
    unsigned rest = (unsigned)(bits >> (zeros + 1)) & mask;
    bits >>= zeros + 1 + width;
    left -= zeros + 1 + width;
    unsigned coded = (unsigned)zeros << width | rest;
    unsigned missed = coded >> 1 ^ (0u - (coded & 1)); // its sign is the lowest bit
    unsigned value = (2 * one - two + missed) & 0xffffu;
    loud += value ^ one;
    two = one;
    one = value;
  }
  out[item] = loud;
}
