// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse tensor of three ways times the factors of two of them (MTTKRP, when tensors are
// decomposed): each item is a slice, whose entries multiply a row of each factor. Rows of eight.

__global__ void mttkrp_fibers(const int *__restrict__ order, const int *__restrict__ begin,
                              const int2 *__restrict__ places, const float *__restrict__ values,
                              const float4 *__restrict__ second, const float4 *__restrict__ third,
                              float4 *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 low = make_float4(0.0f, 0.0f, 0.0f, 0.0f), high = low;
  for (int k = begin[item]; k < end; ++k) { // loop: entries
    int2 place = places[k];
    float value = values[k];
    float4 a = second[2 * place.x], b = second[2 * place.x + 1];
    float4 c = third[2 * place.y], d = third[2 * place.y + 1];
    low.x += value * a.x * c.x;
    low.y += value * a.y * c.y;
    low.z += value * a.z * c.z;
    low.w += value * a.w * c.w;
    high.x += value * b.x * d.x;
    high.y += value * b.y * d.y;
    high.z += value * b.z * d.z;
    high.w += value * b.w * d.w;
  }
  out[2 * item] = low;
  out[2 * item + 1] = high;
}
