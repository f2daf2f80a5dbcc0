// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix times vector in CSR, one row per warp. To be found: with blocks of 256 threads a
// row belongs to a whole warp, so the outer loop is uniform in the warp; the inner one is strided,
// because the row's bounds are the same in all lanes; the sum of the lanes takes five shuffles.

__global__ void spmv_csr_vector(const int *__restrict__ row_begin, const int *__restrict__ columns,
                                const float *__restrict__ values, const float *__restrict__ x,
                                float *__restrict__ y, int rows) {
  int lane = threadIdx.x % 32;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warps = gridDim.x * blockDim.x / 32;
  for (int row = warp; row < rows; row += warps) { // expect: class=warp-uniform
    int end = row_begin[row + 1];
    float sum = 0.0f;
    for (int j = row_begin[row] + lane; j < end; j += 32) { // expect: class=strided
      sum += values[j] * x[columns[j]];
    }
    for (int offset = 16; offset > 0; offset /= 2) { // expect: class=uniform
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0)
      y[row] = sum;
  }
}

cudaError_t run_spmv_csr_vector(const int *row_begin, const int *columns, const float *values,
                                const float *x, float *y, int rows) {
  spmv_csr_vector<<<1024, 256>>>(row_begin, columns, values, x, y, rows);
  return cudaDeviceSynchronize();
}
