// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far texels are from an outline (for letters of any size, as a field of distances), and on
// which side of it: each goes through the first so many segments, sorted by what they can be
// nearest to, keeps the least distance, and counts how often a ray from it crosses them.

__global__ void outline_texels(const int *__restrict__ order, const int *__restrict__ segments,
                               const float2 *__restrict__ texels,
                               const float4 *__restrict__ outline, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = segments[item], crossed = 0;
  float2 at = texels[item];
  float least = 1e12f;
  for (int k = 0; k < count; ++k) { // loop: segments
    float4 line = outline[k];
    float dx = line.z - line.x, dy = line.w - line.y;
    float x = at.x - line.x, y = at.y - line.y;
    float along = __fdividef(x * dx + y * dy, dx * dx + dy * dy);
    along = fminf(fmaxf(along, 0.0f), 1.0f);
    float offx = x - along * dx, offy = y - along * dy;
    least = fminf(least, offx * offx + offy * offy);
    if ((line.y <= at.y) != (line.w <= at.y)) { // branch: crosses
      float side = dx * y - x * dy;
      crossed += (side < 0.0f) == (dy > 0.0f) ? 1 : 0;
    }
  }
  float far = sqrtf(least);
  out[item] = crossed & 1 ? -far : far;
}
