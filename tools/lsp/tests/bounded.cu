// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose range is known, and one that a parameter decides about.
__global__ void bounded(const int *counts, const float *values, float *out, int n) {
  float sum = 0;
  for (int j = 0; j < (counts[threadIdx.x] & 15); ++j)
    sum += values[j];
  for (int k = threadIdx.x; k < n; k += 3 * threadIdx.x + 1)
    sum += values[k];
  out[threadIdx.x] = sum;
}
