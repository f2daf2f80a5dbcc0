// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step that smooths a mesh: each vertex moves towards its neighbours, the more so the nearer they
// are.

__global__ void smooth_vertices(const int *__restrict__ order, const int *__restrict__ begin,
                                const int *__restrict__ neighbours,
                                const float4 *__restrict__ places, float4 *__restrict__ moved,
                                int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 own = places[item];
  float x = 0.0f, y = 0.0f, z = 0.0f, weights = 1e-6f;
  for (int k = begin[item]; k < end; ++k) { // loop: neighbours
    float4 other = places[neighbours[k]];
    float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    float weight = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    weights += weight;
    x += weight * dx;
    y += weight * dy;
    z += weight * dz;
  }
  float scale = 0.5f / weights;
  moved[item] = make_float4(own.x + scale * x, own.y + scale * y, own.z + scale * z, own.w);
}
