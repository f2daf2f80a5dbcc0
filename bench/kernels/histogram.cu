// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram of bytes, counted in shared memory and added up at the end. To be found: three strided
// loops, two with the block's stride and one with the grid's; the atomics may collide, but they
// don't make the loops diverge.

__global__ void histogram(const unsigned char *__restrict__ bytes, int n,
                          unsigned *__restrict__ bins, int bin_count) {
  extern __shared__ unsigned counts[];
  for (int b = threadIdx.x; b < bin_count; b += blockDim.x) { // expect: class=strided
    counts[b] = 0;
  }
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) { // expect: class=strided
    atomicAdd(&counts[bytes[i] * bin_count / 256], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bin_count; b += blockDim.x) { // expect: class=strided
    atomicAdd(&bins[b], counts[b]);
  }
}

cudaError_t run_histogram(const unsigned char *bytes, int n, unsigned *bins, int bin_count) {
  histogram<<<256, 256, bin_count * sizeof(unsigned)>>>(bytes, n, bins, bin_count);
  return cudaDeviceSynchronize();
}
