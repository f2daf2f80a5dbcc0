// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bags of words for a neural network: adds up the words' rows of a table, 16 numbers each. Which
// row is a word's is said by a hash of it.

__global__ void embedding_bag(const int *__restrict__ order, const int *__restrict__ begin,
                              const unsigned *__restrict__ words, const float4 *__restrict__ table,
                              float *__restrict__ out, int shift, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 sum[4];
  for (int k = 0; k < 4; ++k)
    sum[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int j = begin[item]; j < end; ++j) { // loop: words
    unsigned row = words[j] * 0x9e3779b1u >> shift;
    for (int k = 0; k < 4; ++k) {
      float4 part = table[4 * row + k];
      sum[k].x += part.x;
      sum[k].y += part.y;
      sum[k].z += part.z;
      sum[k].w += part.w;
    }
  }
  float norm = 0.0f;
  for (int k = 0; k < 4; ++k)
    norm += sum[k].x * sum[k].x + sum[k].y * sum[k].y + sum[k].z * sum[k].z + sum[k].w * sum[k].w;
  out[item] = sqrtf(norm);
}
