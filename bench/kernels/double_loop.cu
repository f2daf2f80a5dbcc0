// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The double loop of Bialas and Strzelecki: the single loop within itself, with the same limit. To
// be found: in each round of the outer loop the lanes that are left part again in the inner one, so
// the divergent exits add up (n (65 - n) / 2 for n divergent lanes), though the stack is only one
// level deeper.

__global__ void double_loop(const int *__restrict__ limits, float *__restrict__ sums,
                            long long *__restrict__ cycles) {
  int limit = limits[threadIdx.x];
  float sum = 0.0f;
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < limit; ++i) { // expect: class=data-dependent
#pragma unroll 1
    for (int j = 0; j < limit; ++j) { // expect: class=data-dependent warn=data-dependent
      sum = sum * 0.5f + 1.0f;
    }
  }
  cycles[threadIdx.x] = clock64() - start;
  sums[threadIdx.x] = sum;
}

cudaError_t run_double_loop(const int *limits, float *sums, long long *cycles) {
  double_loop<<<1, 32>>>(limits, sums, cycles);
  return cudaDeviceSynchronize();
}
