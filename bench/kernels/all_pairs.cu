// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each unordered pair of points once: thread i meets the points after it. To be found: n - 1 - i
// rounds, affine in the lane with stride -1. The lanes of a warp differ by 31 rounds of n, which is
// little; that the blocks differ is the worse problem, and not one of divergence.

__global__ void count_near_pairs(const float2 *__restrict__ points, int n, float distance2,
                                 unsigned long long *near) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = points[i];
  int count = 0;
  for (int j = i + 1; j < n; ++j) { // expect: class=lane-affine
    float dx = points[j].x - p.x;
    float dy = points[j].y - p.y;
    if (dx * dx + dy * dy < distance2)
      ++count;
  }
  atomicAdd(near, (unsigned long long)count);
}

cudaError_t run_count_near_pairs(const float2 *points, int n, float distance,
                                 unsigned long long *near) {
  count_near_pairs<<<(n + 255) / 256, 256>>>(points, n, distance * distance, near);
  return cudaDeviceSynchronize();
}
