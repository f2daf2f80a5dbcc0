// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix times vector in CSR, one row per thread. To be found: the trip count is the length
// of the row, a difference of two loads at divergent addresses; the warp waits for its longest row.
// What helps: a warp per row (spmv_csr_vector.cu), or rows sorted by length.

__global__ void spmv_csr_scalar(const int *__restrict__ begin, const int *__restrict__ columns,
                                const float *__restrict__ values, const float *__restrict__ x,
                                float *__restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int j = begin[row]; j < begin[row + 1]; ++j) { // expect: class=data-dependent warn
    sum += values[j] * x[columns[j]];
  }
  y[row] = sum;
}

cudaError_t run_spmv_csr_scalar(const int *begin, const int *columns, const float *values,
                                const float *x, float *y, int rows) {
  int block = 256;
  spmv_csr_scalar<<<(rows + block - 1) / block, block>>>(begin, columns, values, x, y, rows);
  return cudaDeviceSynchronize();
}
