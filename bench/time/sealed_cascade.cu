// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cascade of 128 filters for each item, all in registers: few warps fit on a multiprocessor, and
// each stage waits for the one before it.

__global__ void __launch_bounds__(128)
    cascade(const int *__restrict__ order, const int *__restrict__ steps,
            const float *__restrict__ rate, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  float r = rate[item], stage[128];
#pragma unroll
  for (int i = 0; i < 128; ++i)
    stage[i] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < count; ++k) { // loop: steps
    float input = 1.0f;
#pragma unroll
    for (int i = 0; i < 128; ++i)
      input = stage[i] += r * (input - stage[i]);
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 128; ++i)
    sum += stage[i];
  out[item] = sum;
}
