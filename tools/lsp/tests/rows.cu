// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sessions of real clients edit (copies of it).
__global__ void sum_rows(const int *__restrict__ begin, const float *__restrict__ values,
                         float *__restrict__ sums, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int j = begin[row]; j < begin[row + 1]; ++j) {
    sum += values[j];
  }
  sums[row] = sum;
}
