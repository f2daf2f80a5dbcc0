// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums down the columns of a table, whose columns end at different rows; a row has n entries, so
// each entry that an item reads is in another sector.

__global__ void column_sums(const int *__restrict__ order, const int *__restrict__ heights,
                            const float *__restrict__ table, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int height = heights[item];
  float sum = 0.0f;
  for (int row = 0; row < height; ++row) // loop: heights
    sum += table[row * n + item];
  out[item] = sum;
}
