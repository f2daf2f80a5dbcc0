// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How stars attract each other (Barnes and Hut): a walk down an octree that lies depth first in an
// array. What is far enough for its size is taken as one mass, and the walk goes on behind it.

__global__ void octree_forces(const int *__restrict__ order, const float4 *__restrict__ stars,
                              const float4 *__restrict__ masses, const float *__restrict__ reach,
                              const int *__restrict__ behind, float4 *__restrict__ out, int nodes,
                              int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  float4 star = stars[item];
  float x = 0.0f, y = 0.0f, z = 0.0f;
  int at = 0;
  while (at < nodes) { // loop: visits
    float4 mass = masses[at];
    float dx = mass.x - star.x, dy = mass.y - star.y, dz = mass.z - star.z;
    float apart = dx * dx + dy * dy + dz * dz;
    if (apart > reach[at]) { // branch: far
      float inverse = rsqrtf(apart + 1e-4f);
      float pull = mass.w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
      at = behind[at];
    } else
      ++at;
  }
  out[item] = make_float4(x, y, z, 0.0f);
}
