// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in a Mandelbrot set: each item iterates a complex square, as often as it has steps.

__global__ void escape(const int *__restrict__ order, const int *__restrict__ steps,
                       const float2 *__restrict__ start, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = steps[item];
    float2 c = start[item];
    float x = 0.0f, y = 0.0f;
    for (int k = 0; k < count; ++k) { // loop: steps
      float xx = x * x, yy = y * y;
      y = 2.0f * x * y + c.y;
      x = xx - yy + c.x;
    }
    out[item] = x + y;
  }
}
