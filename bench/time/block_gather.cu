// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As lcg_gather, but a block has its greatest sum in shared memory, and all its warps wait for the
// longest item of each round.

__global__ void block_gather(const int *__restrict__ order, const int *__restrict__ draws,
                             const unsigned *__restrict__ seeds, const float *__restrict__ table,
                             float *__restrict__ out, int *__restrict__ greatest, unsigned mask,
                             int n) {
  __shared__ float best[512];
  int threads = blockDim.x;
  for (int base = blockIdx.x * threads; base < n; base += gridDim.x * threads) {
    int item = order[base + threadIdx.x];
    int count = draws[item];
    unsigned state = seeds[item];
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) { // loop: draws
      state = state * 1664525u + 1013904223u;
      sum += table[(state >> 4) & mask];
    }
    out[item] = sum;
    best[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
      if ((int)threadIdx.x < half)
        best[threadIdx.x] = max(best[threadIdx.x], best[threadIdx.x + half]);
      __syncthreads();
    }
    if (threadIdx.x == 0)
      atomicMax(greatest, (int)best[0]);
    __syncthreads();
  }
}
