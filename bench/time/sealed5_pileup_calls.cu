// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which base a genome has at a place: of each read that covers it one base votes, with how sure the
// sequencer was of it, if it was sure enough. Reads have 128 bases, packed 16 to a word.

__global__ void pileup_calls(const int *__restrict__ order, const int *__restrict__ begin,
                             const unsigned *__restrict__ hits, const unsigned *__restrict__ reads,
                             const unsigned char *__restrict__ quality, int *__restrict__ out,
                             int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  int a = 0, c = 0, g = 0, u = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: hits
    unsigned hit = hits[k];
    int sure = quality[hit];
    if (sure >= 20) { // branch: good
      unsigned base = reads[hit >> 4] >> 2 * (hit & 15) & 3;
      a += base == 0 ? sure : 0;
      c += base == 1 ? sure : 0;
      g += base == 2 ? sure : 0;
      u += base == 3 ? sure : 0;
    }
  }
  int best = a, called = 0;
  if (c > best) {
    best = c;
    called = 1;
  }
  if (g > best) {
    best = g;
    called = 2;
  }
  if (u > best) {
    best = u;
    called = 3;
  }
  out[item] = 4 * (2 * best - (a + c + g + u)) + called;
}
