// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clouds above a landscape: noise between the points of a lattice, in as many octaves as a place
// needs for its distance.

__device__ float noise_at(int x, int y, int z) {
  unsigned h = (unsigned)x * 0x8da6b343u ^ (unsigned)y * 0xd8163841u ^ (unsigned)z * 0xcb1ab31fu;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  return (float)(h >> 16) * (1.0f / 65536.0f);
}
__device__ float between(float a, float b, float share) { return a + share * (b - a); }

__global__ void terrain_octaves(const int *__restrict__ order, const int *__restrict__ octaves,
                                const float4 *__restrict__ places, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = octaves[item];
  float4 at = places[item];
  float height = 0.0f, scale = at.w;
  for (int octave = 0; octave < count; ++octave) { // loop: octaves
    int x = (int)floorf(at.x), y = (int)floorf(at.y), z = (int)floorf(at.z);
    float u = at.x - (float)x, v = at.y - (float)y, w = at.z - (float)z;
    u = u * u * (3.0f - 2.0f * u);
    v = v * v * (3.0f - 2.0f * v);
    w = w * w * (3.0f - 2.0f * w);
    float low = between(between(noise_at(x, y, z), noise_at(x + 1, y, z), u),
                        between(noise_at(x, y + 1, z), noise_at(x + 1, y + 1, z), u), v);
    float high = between(between(noise_at(x, y, z + 1), noise_at(x + 1, y, z + 1), u),
                         between(noise_at(x, y + 1, z + 1), noise_at(x + 1, y + 1, z + 1), u), v);
    height += scale * between(low, high, w);
    scale *= 0.55f;
    at.x *= 2.0f;
    at.y *= 2.0f;
    at.z *= 2.0f;
  }
  out[item] = height;
}
