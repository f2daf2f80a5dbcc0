// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Echoes of rooms, by sparse noise (velvet noise): each output is the sum of what was heard at the
// first so many taps before it, of which each has a sign and a place between two samples. Small
// rooms have few. A tap is a sign in the lowest bit, six bits of a fraction, and whole samples.

__global__ void velvet_taps(const int *__restrict__ order, const int *__restrict__ counts,
                            const int *__restrict__ places, const int *__restrict__ taps,
                            const float *__restrict__ sound, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = counts[item];
  const float *now = sound + places[item];
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: counts
    int tap = taps[k], back = tap >> 7;
    float part = (float)(tap >> 1 & 63) * 0.015625f;
    float after = now[-back], before = now[-back - 1];
    float heard = after + part * (before - after);
    sum += tap & 1 ? -heard : heard;
  }
  out[item] = sum;
}
