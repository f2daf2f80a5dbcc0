// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies records of different lengths, 16 bytes at a time, and scales what is in them.

__global__ void record_copy(const int *__restrict__ order, const int *__restrict__ begin,
                            const float4 *__restrict__ from, float4 *__restrict__ to, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  for (int j = begin[item]; j < end; ++j) { // loop: records
    float4 part = from[j];
    to[j] = make_float4(2.0f * part.x, 2.0f * part.y, 2.0f * part.z, 2.0f * part.w);
  }
}
