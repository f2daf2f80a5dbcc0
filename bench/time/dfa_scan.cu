// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that an automaton reads, a byte at a time; counts how often it comes to a state that
// accepts. Each step waits for the one before it.

__global__ void dfa_scan(const int *__restrict__ order, const int *__restrict__ begin,
                         const unsigned char *__restrict__ text,
                         const unsigned short *__restrict__ next, int *__restrict__ out,
                         int accepting, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int end = begin[item + 1], state = 0, matches = 0;
    for (int j = begin[item]; j < end; ++j) { // loop: text
      state = next[state * 64 + (text[j] & 63)];
      matches += state >= accepting;
    }
    out[item] = matches;
  }
}
