// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of neurons: one applies a sigmoid again and again, the other a logarithm and a cosine.

__global__ void activation(const int *__restrict__ order, const int *__restrict__ kind,
                           const float *__restrict__ start, float *__restrict__ out, int rounds,
                           int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  float x = start[item];
  if (kind[item]) { // branch: kind
    for (int k = 0; k < rounds; ++k)
      x = __fdividef(1.0f, 1.0f + __expf(-x));
  } else {
    for (int k = 0; k < rounds; ++k)
      x = __logf(2.0f + x * x) + 0.25f * __cosf(x);
  }
  out[item] = x;
}
