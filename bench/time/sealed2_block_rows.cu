// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix of blocks of 4 by 4 numbers times a vector (BSR), a row of blocks per thread.

__global__ void block_rows(const int *__restrict__ order, const int *__restrict__ begin,
                           const int *__restrict__ columns, const float4 *__restrict__ blocks,
                           const float4 *__restrict__ x, float *__restrict__ y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int row = order[t];
  int end = begin[row + 1];
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int j = begin[row]; j < end; ++j) { // loop: blocks
    float4 v = x[columns[j]];
    for (int i = 0; i < 4; ++i) {
      float4 b = blocks[4 * j + i];
      sum[i] += b.x * v.x + b.y * v.y + b.z * v.z + b.w * v.w;
    }
  }
  for (int i = 0; i < 4; ++i)
    y[4 * row + i] = sum[i];
}
