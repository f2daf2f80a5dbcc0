// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void rows(const int *row, float *out) {
  for (int j = row[threadIdx.x]; j < row[threadIdx.x + 1]; ++j)
    out[threadIdx.x] += j;
}
