// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rays march through a cube of 128^3 voxels, in fixed point; how far a step goes is what the voxel
// says, and the number of steps is the item's.

__global__ void voxel_march(const int *__restrict__ order, const int *__restrict__ steps,
                            const unsigned *__restrict__ seeds, const int *__restrict__ voxels,
                            int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  unsigned seed = seeds[item];
  unsigned x = seed << 3, y = seed << 13, z = seed << 23;
  unsigned dx = (seed >> 8 & 0xffff) + 1, dy = (seed >> 16 & 0xffff) + 1, dz = (seed & 0xffff) + 1;
  int depth = 0;
  for (int k = 0; k < count; ++k) { // loop: steps
    int far = voxels[(x >> 25 << 14) + (y >> 25 << 7) + (z >> 25)];
    x += dx * (unsigned)far;
    y += dy * (unsigned)far;
    z += dz * (unsigned)far;
    depth += far;
  }
  out[item] = depth;
}
