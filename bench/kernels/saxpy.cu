// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = a x + y with a grid-stride loop. To be found: nothing to worry about. The lanes start side by
// side and step together, so in one warp of the whole grid some lanes make one round more.

__global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, int n) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) { // expect: class=strided
    y[i] = a * x[i] + y[i];
  }
}

cudaError_t run_saxpy(float a, const float *x, float *y, int n) {
  saxpy<<<256, 256>>>(a, x, y, n);
  return cudaDeviceSynchronize();
}
