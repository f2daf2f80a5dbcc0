// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A crowd's skin: each vertex moves with some bones of its figure, as much as its weights say. The
// matrices of bones, three rows of four, are blended, and then move the vertex.

__device__ inline void blend(float4 &sum, float weight, float4 row) {
  sum.x += weight * row.x;
  sum.y += weight * row.y;
  sum.z += weight * row.z;
  sum.w += weight * row.w;
}

__global__ void skin_vertices(const int *__restrict__ order, const int *__restrict__ begin,
                              const int *__restrict__ links, const float *__restrict__ weights,
                              const float4 *__restrict__ bones, const float4 *__restrict__ vertices,
                              float4 *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 vertex = vertices[item];
  float4 x = make_float4(0.0f, 0.0f, 0.0f, 0.0f), y = x, z = x;
  for (int k = begin[item]; k < end; ++k) { // loop: bones
    const float4 *bone = bones + 3 * links[k];
    float weight = weights[k];
    blend(x, weight, bone[0]);
    blend(y, weight, bone[1]);
    blend(z, weight, bone[2]);
  }
  out[item] = make_float4(x.x * vertex.x + x.y * vertex.y + x.z * vertex.z + x.w,
                          y.x * vertex.x + y.y * vertex.y + y.z * vertex.z + y.w,
                          z.x * vertex.x + z.y * vertex.y + z.z * vertex.z + z.w, vertex.w);
}
