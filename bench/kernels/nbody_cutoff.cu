// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forces between n bodies that are nearer than a cut-off, all pairs, bodies staged in shared memory
// a tile at a time. To be found: both loops are uniform; the branch on the distance diverges, and a
// warp pays for the force if one of its lanes is near. What helps: bodies sorted by place.

constexpr int TILE = 128;

__global__ void nbody_cutoff(const float4 *__restrict__ bodies, float3 *__restrict__ forces, int n,
                             float cutoff2) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 self = bodies[min(i, n - 1)];
  float3 force = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < n; first += TILE) { // expect: class=uniform
    int staged = first + threadIdx.x;
    tile[threadIdx.x] = staged < n ? bodies[staged] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) { // expect: class=uniform
      float4 other = tile[k];
      float dx = other.x - self.x;
      float dy = other.y - self.y;
      float dz = other.z - self.z;
      float distance2 = dx * dx + dy * dy + dz * dz + 1e-6f;
      if (distance2 >= cutoff2)
        continue;
      float inverse = rsqrtf(distance2);
      float scale = other.w * inverse * inverse * inverse;
      force.x += scale * dx;
      force.y += scale * dy;
      force.z += scale * dz;
    }
    __syncthreads();
  }
  if (i < n)
    forces[i] = force;
}

cudaError_t run_nbody_cutoff(const float4 *bodies, float3 *forces, int n, float cutoff) {
  nbody_cutoff<<<(n + TILE - 1) / TILE, TILE>>>(bodies, forces, n, cutoff * cutoff);
  return cudaDeviceSynchronize();
}
