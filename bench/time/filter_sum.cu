// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item goes over its words, and stirs those that have a flag: a branch in a loop, where the
// lanes of a warp differ in both.

__global__ void filter_sum(const int *__restrict__ order, const int *__restrict__ begin,
                           const unsigned char *__restrict__ flags, unsigned *__restrict__ out,
                           int rounds, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned sum = 0;
  for (int j = begin[item]; j < end; ++j) { // loop: words
    unsigned word = (unsigned)j * 0x9e3779b9u;
    if (flags[j]) { // branch: flags
      for (int k = 0; k < rounds; ++k) {
        word ^= word >> 13;
        word = word * 0x5bd1e995u + (unsigned)k;
      }
    }
    sum += word;
  }
  out[item] = sum;
}
