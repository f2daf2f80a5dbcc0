// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scene that a small network learned, whose features lie in a table by a hash of where they are:
// along each ray samples are taken, those in cells that something is in are interpolated between
// eight corners, on two levels, the second of which is three times as fine, and their sum is
// blended. Places have 12 bits behind the point.

__device__ inline unsigned grid_place(unsigned x, unsigned y, unsigned z, unsigned mask) {
  return (x ^ y * 2654435761u ^ z * 805459861u) & mask;
}

__global__ void hashgrid_rays(const int *__restrict__ order, const int *__restrict__ samples,
                              const uint4 *__restrict__ starts, const uint4 *__restrict__ ways,
                              const unsigned *__restrict__ occupied,
                              const float2 *__restrict__ features, float *__restrict__ out,
                              unsigned mask, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item];
  uint4 at = starts[item], way = ways[item];
  float light = 0.0f, through = 1.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    unsigned row = occupied[(at.y >> 12 & 31) * 32 + (at.z >> 12 & 31)];
    if (row >> (at.x >> 12 & 31) & 1) { // branch: occupied
      float density = 0.0f, colour = 0.0f;
#pragma unroll
      for (unsigned level = 1; level <= 3; level += 2) {
        unsigned px = at.x * level, py = at.y * level, pz = at.z * level;
        unsigned x = px >> 12, y = py >> 12, z = pz >> 12;
        float u = (float)(px & 4095) / 4096.0f, v = (float)(py & 4095) / 4096.0f;
        float w = (float)(pz & 4095) / 4096.0f;
#pragma unroll
        for (unsigned corner = 0; corner < 8; ++corner) {
          unsigned i = corner & 1, j = corner >> 1 & 1, l = corner >> 2;
          float2 feature = features[grid_place(x + i, y + j, z + l, mask)];
          float weight = (i ? u : 1.0f - u) * (j ? v : 1.0f - v) * (l ? w : 1.0f - w);
          density += weight * feature.x;
          colour += weight * feature.y;
        }
      }
      float alpha = density / (density + 8.0f);
      light += through * alpha * colour;
      through *= 1.0f - alpha;
    }
    at.x += way.x;
    at.y += way.y;
    at.z += way.z;
  }
  out[item] = light;
}
