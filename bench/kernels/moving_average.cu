// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving average over a window that is cut off at both ends of the signal. To be found: the trip
// count is a known function of the lane (a difference of a minimum and a maximum), equal in all
// warps but those at the ends: divergent in principle, nothing to warn about.

__global__ void moving_average(const float *__restrict__ input, float *__restrict__ output, int n,
                               int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int first = max(i - radius, 0);
  int last = min(i + radius, n - 1);
  float sum = 0.0f;
  for (int j = first; j <= last; ++j) { // expect: class=lane-affine
    sum += input[j];
  }
  output[i] = sum / (last - first + 1);
}

cudaError_t run_moving_average(const float *input, float *output, int n, int radius) {
  moving_average<<<(n + 255) / 256, 256>>>(input, output, n, radius);
  return cudaDeviceSynchronize();
}
