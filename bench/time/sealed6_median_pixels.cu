// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects in an image, row by row: of each run of pixels that a mask covers, the medians of the
// squares of 3 by 3 around its pixels are added up, and how far pixels are from them. Columns are
// sorted once, and 16 pixels of three rows are read at a time.

__device__ inline int middle_of(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

__global__ void median_pixels(const int *__restrict__ order, const int *__restrict__ strips,
                              const int *__restrict__ first, const uint4 *__restrict__ image,
                              int *__restrict__ sums, int *__restrict__ noise, int width, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = strips[item];
  const uint4 *row = image + first[item];
  int low[2] = {0, 0}, mid[2] = {0, 0}, high[2] = {0, 0}, centre = 0, sum = 0, apart = 0;
  for (int k = 0; k < count; ++k) { // loop: strips
    uint4 a = row[k], b = row[width + k], c = row[2 * width + k];
#pragma unroll
    for (int x = 0; x < 16; ++x) { // loop: pixels
      unsigned aw = x < 4 ? a.x : x < 8 ? a.y : x < 12 ? a.z : a.w;
      unsigned bw = x < 4 ? b.x : x < 8 ? b.y : x < 12 ? b.z : b.w;
      unsigned cw = x < 4 ? c.x : x < 8 ? c.y : x < 12 ? c.z : c.w;
      int p = (int)(aw >> x % 4 * 8 & 255), q = (int)(bw >> x % 4 * 8 & 255);
      int r = (int)(cw >> x % 4 * 8 & 255);
      int least = min(min(p, q), r), most = max(max(p, q), r), between = middle_of(p, q, r);
      int median = middle_of(max(max(low[0], low[1]), least), middle_of(mid[0], mid[1], between),
                             min(min(high[0], high[1]), most));
      sum += median;
      apart += abs(centre - median);
      centre = q;
      low[0] = low[1];
      low[1] = least;
      mid[0] = mid[1];
      mid[1] = between;
      high[0] = high[1];
      high[1] = most;
    }
  }
  sums[item] = sum;
  noise[item] = apart;
}
