// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items are slices of one long list of columns, which overlap; each adds up what its columns point
// to.

__global__ void slice_gather(const int *__restrict__ order, const int *__restrict__ begin,
                             const int *__restrict__ length, const int *__restrict__ columns,
                             const float *__restrict__ values, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], to = from + length[item];
  float sum = 0.0f;
  for (int j = from; j < to; ++j) // loop: length
    sum += values[columns[j]];
  out[item] = sum;
}
