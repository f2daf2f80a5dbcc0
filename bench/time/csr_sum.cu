// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix times vector in CSR, a row per thread.

__global__ void csr_sum(const int *__restrict__ order, const int *__restrict__ begin,
                        const int *__restrict__ columns, const float *__restrict__ values,
                        const float *__restrict__ x, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float sum = 0.0f;
  for (int j = begin[item]; j < end; ++j) // loop: rows
    sum += values[j] * x[columns[j]];
  out[item] = sum;
}
