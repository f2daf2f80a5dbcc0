// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item throws so many numbers into the block's bins in shared memory; at the end the block
// adds them to those of the grid.

__global__ void histogram_shared(const int *__restrict__ order, const int *__restrict__ throws,
                                 const unsigned *__restrict__ seeds, unsigned *__restrict__ out,
                                 unsigned *__restrict__ total, int n) {
  __shared__ unsigned bins[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    bins[k] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = throws[item];
    unsigned state = seeds[item];
    for (int k = 0; k < count; ++k) { // loop: throws
      state = state * 1664525u + 1013904223u;
      atomicAdd(&bins[state >> 24], 1u);
    }
    out[item] = state;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    atomicAdd(&total[k], bins[k]);
}
