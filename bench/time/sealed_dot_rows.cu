// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot products of rows of different lengths, two streams without any gather.

__global__ void dot_rows(const int *__restrict__ order, const int *__restrict__ begin,
                         const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], to = begin[item + 1];
  float sum = 0.0f;
  for (int j = from; j < to; ++j) // loop: rows
    sum += a[j] * b[j];
  out[item] = sum;
}
