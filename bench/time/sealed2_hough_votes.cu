// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds lines in an image (Hough): each edge votes for those through it, in as many directions as
// its gradient leaves open.

__global__ void hough_votes(const int *__restrict__ order, const int *__restrict__ directions,
                            const int *__restrict__ first, const int2 *__restrict__ edges,
                            const int2 *__restrict__ normals, unsigned *__restrict__ votes, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = directions[item], from = first[item];
    int2 edge = edges[item];
    for (int k = 0; k < count; ++k) { // loop: directions
      int direction = (from + k) & 1023;
      int2 normal = normals[direction];
      int distance = (edge.x * normal.x + edge.y * normal.y) >> 14;
      atomicAdd(&votes[direction * 2048 + distance + 1024], 1u);
    }
  }
}
