// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A robot's map: along each ray of its scanner the cells are free that it went through (Bresenham),
// and where it ended something is in the way.

__global__ void occupancy_rays(const int *__restrict__ order, const int2 *__restrict__ poses,
                               const int2 *__restrict__ ways, unsigned *__restrict__ map, int width,
                               int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int2 pose = poses[item], way = ways[item];
  int right = abs(way.x), down = abs(way.y);
  int along = way.x < 0 ? -1 : 1, across = way.y < 0 ? -width : width;
  if (right < down) {
    int swapped = right;
    right = down;
    down = swapped;
    swapped = along;
    along = across;
    across = swapped;
  }
  int at = pose.y * width + pose.x, rest = right / 2;
  for (int k = 0; k < right; ++k) { // loop: cells
    atomicAdd(map + at, 1u);
    at += along;
    rest -= down;
    if (rest < 0) {
      rest += right;
      at += across;
    }
  }
  atomicAdd(map + at, 65536u);
}
