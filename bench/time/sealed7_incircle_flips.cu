// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points that are put into a Delaunay triangulation: which of so many triangles nearby have a point
// inside of the circle through their corners, and so must go. Exact, in 64 bits. Of those it is
// kept how many they are, and how far their first corners are at most.

__global__ void incircle_flips(const int *__restrict__ order, const int *__restrict__ triangles,
                               const int *__restrict__ first, const int2 *__restrict__ points,
                               const int4 *__restrict__ corners, const int2 *__restrict__ thirds,
                               int *__restrict__ gone, int *__restrict__ farthest, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + triangles[item], count = 0, most = 0;
  int2 point = points[item];
  for (int k = from; k < end; ++k) { // loop: triangles
    int4 two = corners[k];
    int2 third = thirds[k];
    int ax = two.x - point.x, ay = two.y - point.y, bx = two.z - point.x, by = two.w - point.y;
    int cx = third.x - point.x, cy = third.y - point.y;
    int a = ax * ax + ay * ay, b = bx * bx + by * by, c = cx * cx + cy * cy;
    long long sign = (long long)a * (bx * cy - cx * by) + (long long)b * (cx * ay - ax * cy) +
                     (long long)c * (ax * by - bx * ay);
    if (sign > 0) { // branch: inside
      ++count;
      most = max(most, a);
    }
  }
  gone[item] = count;
  farthest[item] = most;
}
