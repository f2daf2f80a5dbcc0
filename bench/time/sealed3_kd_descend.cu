// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the leaf of a k-d tree that each point of the plane is in. The plane has tiles, each with
// a tree of its own, as deep as the tile is crowded.

__global__ void kd_descend(const int *__restrict__ order, const int *__restrict__ tile,
                           const float2 *__restrict__ points, const int *__restrict__ roots,
                           const int *__restrict__ children, const float *__restrict__ splits,
                           int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  float2 point = points[item];
  int node = roots[tile[item]], child = children[node];
  float here = point.x, other = point.y;
  while (child >= 0) { // loop: levels
    node = child + (here >= splits[node] ? 1 : 0);
    child = children[node];
    float swapped = here;
    here = other;
    other = swapped;
  }
  out[item] = node;
}
