// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square roots by Newton's method in single precision: each step waits for the division before it.

__global__ void newton_chain(const int *__restrict__ order, const int *__restrict__ steps,
                             const float *__restrict__ square, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = steps[item];
    float a = square[item], x = 1.0f;
    for (int k = 0; k < count; ++k) // loop: steps
      x = 0.5f * (x + a / x);
    out[item] = x;
  }
}
