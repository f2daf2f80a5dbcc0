// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of bits that came over a noisy channel, by a convolutional code of rate 1/2 with 16
// states (Viterbi): for each state how likely the best way there is, and its last 32 bits. A word
// of 16 bits has what was received of a step, twice a number with sign.

__global__ void viterbi_windows(const int *__restrict__ order, const int *__restrict__ begin,
                                const unsigned short *__restrict__ received,
                                unsigned *__restrict__ bits, int *__restrict__ likely, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  int metric[16];
  unsigned way[16];
#pragma unroll
  for (int s = 0; s < 16; ++s) {
    metric[s] = s ? -100000 : 0;
    way[s] = 0;
  }
  for (int k = begin[item]; k < end; ++k) { // loop: steps
    unsigned both = received[k];
    int first = (int)(both & 255) - 128, second = (int)(both >> 8) - 128;
    int next[16];
    unsigned next_way[16];
#pragma unroll
    for (int s = 0; s < 16; ++s) {
      // Both ways here differ in the oldest bit, which both generators see.
      int a = (s ^ s >> 1 ^ s >> 4) & 1, b = (s ^ s >> 2 ^ s >> 3) & 1;
      int here = (a ? first : -first) + (b ? second : -second);
      int low = metric[s >> 1] + here, high = metric[s >> 1 | 8] - here;
      bool from_high = high > low;
      next[s] = from_high ? high : low;
      next_way[s] = (from_high ? way[s >> 1 | 8] : way[s >> 1]) << 1 | (s & 1);
    }
#pragma unroll
    for (int s = 0; s < 16; ++s) {
      metric[s] = next[s];
      way[s] = next_way[s];
    }
  }
  int best = metric[0];
  unsigned last = way[0];
#pragma unroll
  for (int s = 1; s < 16; ++s)
    if (metric[s] > best) {
      best = metric[s];
      last = way[s];
    }
  bits[item] = last;
  likely[item] = best;
}
