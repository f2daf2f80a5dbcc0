// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of a small head over tiles of keys: the block reads a tile to shared memory, and each
// query goes over as many of its keys as its window is wide.

__global__ void window_attention(const int *__restrict__ order, const int *__restrict__ window,
                                 const int *__restrict__ first, const float4 *__restrict__ queries,
                                 const float4 *__restrict__ keys, const float *__restrict__ values,
                                 float *__restrict__ out, int tiles, int n) {
  __shared__ float4 key[256];
  __shared__ float value[256];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int width = window[item], from = first[item];
  float4 query = queries[item];
  float weights = 0.0f, sum = 0.0f;
  for (int tile = 0; tile < tiles; ++tile) {
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
      key[k] = keys[tile * 256 + k];
      value[k] = values[tile * 256 + k];
    }
    __syncthreads();
    for (int k = 0; k < width; ++k) { // loop: window
      int at = (from + k) & 255;
      float4 other = key[at];
      float score = query.x * other.x + query.y * other.y + query.z * other.z + query.w * other.w;
      float weight = __expf(score);
      weights += weight;
      sum += weight * value[at];
    }
  }
  if (t < n)
    out[item] = sum / (weights + 1.0f);
}
