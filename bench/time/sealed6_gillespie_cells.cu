// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Molecules of a protein in cells, one reaction after the other (Gillespie): one is made, one
// decays, or two join and are gone. Which is next is drawn by how fast each goes, and the time
// until it happens.

__global__ void gillespie_cells(const int *__restrict__ order, const int *__restrict__ reactions,
                                const int *__restrict__ makes, const unsigned *__restrict__ seeds,
                                int *__restrict__ left, float *__restrict__ times, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = reactions[item], molecules = 0;
  unsigned make = (unsigned)makes[item], state = seeds[item];
  float time = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: reactions
    unsigned decay = 8u * (unsigned)molecules;
    unsigned join = (unsigned)(molecules * (molecules - 1)) / 2u;
    unsigned all = make + decay + join;
    state = state * 1664525u + 1013904223u;
    time -= __logf(((float)(state >> 8) + 0.5f) * (1.0f / 16777216.0f)) / (float)all;
    state = state * 1664525u + 1013904223u;
    unsigned which = (unsigned)((unsigned long long)state * all >> 32);
    if (which < make) { // branch: made
      ++molecules;
    } else {
      molecules -= which < make + decay ? 1 : 2;
    }
  }
  left[item] = molecules;
  times[item] = time;
}
