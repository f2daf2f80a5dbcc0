// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixels of a picture that is drawn without a rasterizer: each goes through the triangles of its
// bin, whose three edges say whether the pixel is inside, and keeps the nearest. An edge is a line
// a x + b y + c; the fourth numbers of the three are the plane of the triangle's depth.

__global__ void raster_bins(const int *__restrict__ order, const int *__restrict__ triangles,
                            const int *__restrict__ first, const int2 *__restrict__ pixels,
                            const int *__restrict__ bins, const int4 *__restrict__ edges,
                            int *__restrict__ depth, int *__restrict__ seen, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = triangles[item];
  const int *bin = bins + first[item];
  int2 pixel = pixels[item];
  int nearest = 0x7fffffff, which = -1;
  for (int k = 0; k < count; ++k) { // loop: triangles
    int triangle = bin[k];
    int4 p = edges[3 * triangle], q = edges[3 * triangle + 1], r = edges[3 * triangle + 2];
    int e = p.x * pixel.x + p.y * pixel.y + p.z;
    int f = q.x * pixel.x + q.y * pixel.y + q.z;
    int g = r.x * pixel.x + r.y * pixel.y + r.z;
    if ((e | f | g) >= 0) { // branch: inside
      int z = p.w * pixel.x + q.w * pixel.y + r.w;
      if (z < nearest) {
        nearest = z;
        which = triangle;
      }
    }
  }
  depth[item] = nearest;
  seen[item] = which;
}
