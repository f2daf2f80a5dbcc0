// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random walks: from each node eight edges lead on, and a generator of random numbers takes one.

__global__ void graph_walk(const int *__restrict__ order, const int *__restrict__ steps,
                           const unsigned *__restrict__ seeds, const int *__restrict__ edges,
                           int *__restrict__ out, unsigned mask, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = steps[item];
    unsigned state = seeds[item];
    int node = state & mask;
    for (int k = 0; k < count; ++k) { // loop: steps
      state = state * 1664525u + 1013904223u;
      node = edges[node * 8 + (state >> 29)];
    }
    out[item] = node;
  }
}
