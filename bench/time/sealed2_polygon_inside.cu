// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places on a map, each with the zone that it may lie in: whether a line from there crosses the
// polygon's edges an odd number of times.

__global__ void polygon_inside(const int *__restrict__ order, const int *__restrict__ zone,
                               const int *__restrict__ begin, const float2 *__restrict__ corners,
                               const float2 *__restrict__ places, int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int which = zone[item];
  int end = begin[which + 1], inside = 0;
  float2 place = places[item], last = corners[end - 1];
  for (int j = begin[which]; j < end; ++j) { // loop: corners
    float2 corner = corners[j];
    if ((corner.y > place.y) != (last.y > place.y)) { // branch: crosses
      float along = (place.y - corner.y) / (last.y - corner.y);
      if (place.x < corner.x + along * (last.x - corner.x))
        inside ^= 1;
    }
    last = corner;
  }
  out[item] = inside;
}
