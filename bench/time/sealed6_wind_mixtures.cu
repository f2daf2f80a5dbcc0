// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How likely directions of the wind are under mixtures of distributions on the circle (generalized
// von Mises, with two waves each): the first so many components of the table are the model of a
// station at its time. A component is a weight in the exponent, two concentrations, and where it
// is.

__global__ void wind_mixtures(const int *__restrict__ order, const int *__restrict__ components,
                              const float *__restrict__ angles, const float4 *__restrict__ table,
                              float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = components[item];
  float angle = angles[item], sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: components
    float4 one = table[k];
    float off = angle - one.w;
    sum += __expf(one.x + one.y * __cosf(off) + one.z * __cosf(2.0f * off));
  }
  out[item] = sum;
}
