// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single loop of Bialas and Strzelecki, "Benchmarking the cost of thread divergence in CUDA":
// each lane of one warp goes round as often as its entry of `limits` says, and the clock says what
// that took. To be found: the trip count is loaded at a divergent address, so every distinct limit
// is one divergent exit and one level of the reconvergence stack.

__global__ void single_loop(const int *__restrict__ limits, float *__restrict__ sums,
                            long long *__restrict__ cycles) {
  int limit = limits[threadIdx.x];
  float sum = 0.0f;
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < limit; ++i) { // expect: class=data-dependent warn=data-dependent
    sum = sum * 0.5f + 1.0f;
  }
  cycles[threadIdx.x] = clock64() - start;
  sums[threadIdx.x] = sum;
}

cudaError_t run_single_loop(const int *limits, float *sums, long long *cycles) {
  single_loop<<<1, 32>>>(limits, sums, cycles);
  return cudaDeviceSynchronize();
}
