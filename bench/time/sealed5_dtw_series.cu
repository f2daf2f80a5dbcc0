// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far series are from a pattern if time may be stretched (dynamic time warping). The block
// keeps the pattern in shared memory, and each thread a row of the table, in a column of it.

__global__ void dtw_series(const int *__restrict__ order, const int *__restrict__ begin,
                           const short *__restrict__ series, const int *__restrict__ pattern,
                           int *__restrict__ out, int points, int n) {
  __shared__ int shape[32], rows[32 * 256];
  for (int k = threadIdx.x; k < points; k += blockDim.x)
    shape[k] = pattern[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], width = blockDim.x;
  int *row = rows + threadIdx.x;
  for (int j = 0; j < points; ++j)
    row[j * width] = 1 << 29;
  int corner = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: samples
    int value = series[k], left = 1 << 29, diagonal = corner;
    for (int j = 0; j < points; ++j) {
      int above = row[j * width];
      left = abs(value - shape[j]) + min(min(left, above), diagonal);
      row[j * width] = left;
      diagonal = above;
    }
    corner = 1 << 29;
  }
  out[item] = row[(points - 1) * width];
}
