// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions of a video's syntax, as an arithmetic decoder finds them (CABAC, as in H.264): each has
// a context, which learns how likely what is. A thread has sixteen contexts in a column of shared
// memory, which also has tables of ranges and of where a context goes when it was wrong. A state is
// twice how sure it is, and what it expects.

__global__ void cabac_bins(const int *__restrict__ order, const int *__restrict__ bins,
                           const int *__restrict__ first, const unsigned *__restrict__ stream,
                           const int *__restrict__ ranges, const int *__restrict__ falls,
                           unsigned *__restrict__ out, int n) {
  __shared__ int range_of[64 * 4];
  __shared__ int fall_of[64];
  __shared__ unsigned short states[16 * 256];
  for (int k = threadIdx.x; k < 64 * 4; k += blockDim.x)
    range_of[k] = ranges[k];
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    fall_of[k] = falls[k];
  for (int k = 0; k < 16; ++k)
    states[k * blockDim.x + threadIdx.x] = (unsigned short)(4 * k);
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = bins[item];
  const unsigned *next = stream + first[item];
  unsigned long long bits = (unsigned long long)next[0] << 32 | next[1];
  next += 2;
  int left = 55, range = 510;
  int value = min((int)(bits >> 55), 509);
  bits <<= 9;
  unsigned history = 0, sum = 0;
  for (int k = 0; k < count; ++k) { // loop: bins
    unsigned short *place = states + ((k ^ history) & 15) * blockDim.x + threadIdx.x;
    int state = *place, bin = state & 1;
    int least = range_of[(state >> 1) * 4 + (range >> 6 & 3)];
    range -= least;
    if (value >= range) { // branch: unlikely
      value -= range;
      range = least;
      bin ^= 1;
      state = state < 2 ? state ^ 1 : 2 * fall_of[state >> 1] | (state & 1);
    } else {
      state = min(state + 2, 124 | (state & 1));
    }
    *place = (unsigned short)state;
    int shift = __clz(range) - 23;
    range <<= shift;
    value = value << shift | (int)(bits >> 32 >> (32 - shift));
    bits <<= shift;
    left -= shift;
    if (left < 32) { // branch: refill
      bits |= (unsigned long long)*next++ << (32 - left);
      left += 32;
    }
    history = history << 1 | (unsigned)bin;
    sum = sum * 3 + (unsigned)bin;
  }
  out[item] = sum;
}
