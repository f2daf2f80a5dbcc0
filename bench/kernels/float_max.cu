// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The greatest of n numbers: a grid-stride loop, a reduction of the warp by shuffles, and one lane
// of each warp that retries a compare-and-swap. To be found: the first loop is strided, the second
// uniform, the third depends on what other warps do meanwhile; but only one lane of a warp runs it,
// so there is nothing to warn about.

__global__ void float_max(const float *__restrict__ values, int n, float *greatest) {
  float mine = -3.402823466e38f;
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) { // expect: class=strided
    mine = fmaxf(mine, values[i]);
  }
  for (int offset = 16; offset > 0; offset /= 2) { // expect: class=uniform
    mine = fmaxf(mine, __shfl_xor_sync(0xffffffffu, mine, offset));
  }
  if (threadIdx.x % 32 == 0) {
    int *address = (int *)greatest;
    int seen = __float_as_int(-3.402823466e38f);
    while (__int_as_float(seen) < mine) { // expect: class=data-dependent
      int previous = atomicCAS(address, seen, __float_as_int(mine));
      if (previous == seen)
        break;
      seen = previous;
    }
  }
}

// `greatest` is the least float at the start.
cudaError_t run_float_max(const float *values, int n, float *greatest) {
  float_max<<<128, 256>>>(values, n, greatest);
  return cudaDeviceSynchronize();
}
