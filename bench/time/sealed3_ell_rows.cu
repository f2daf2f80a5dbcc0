// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix times a vector in sliced ELLPACK: 32 rows are a slice, whose entries lie column
// by column.

__global__ void ell_rows(const int *__restrict__ order, const int *__restrict__ lengths,
                         const int *__restrict__ slices, const int *__restrict__ columns,
                         const float *__restrict__ values, const float *__restrict__ x,
                         float *__restrict__ y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int row = order[t];
  int length = lengths[row], at = slices[row >> 5] + (row & 31);
  float sum = 0.0f;
  for (int k = 0; k < length; ++k) { // loop: entries
    sum += values[at] * x[columns[at]];
    at += 32;
  }
  y[row] = sum;
}
