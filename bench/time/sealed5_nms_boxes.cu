// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes that a detector found, and which of them others cover (before non-maximum suppression): on
// each level of a pyramid boxes are sorted by score, the block reads the best 128 of a level to
// shared memory, and each box looks at as many as have a higher score than it.

__global__ void nms_boxes(const int *__restrict__ order, const int *__restrict__ ranks,
                          const int4 *__restrict__ boxes, const int4 *__restrict__ best,
                          int *__restrict__ covered, int levels, int n) {
  __shared__ int4 tile[128];
  __shared__ int areas[128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int rank = ranks[item], count = 0;
  int4 box = boxes[item];
  int area = (box.z - box.x) * (box.w - box.y);
  for (int level = 0; level < levels; ++level) {
    __syncthreads();
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
      int4 other = best[level * 128 + k];
      tile[k] = other;
      areas[k] = (other.z - other.x) * (other.w - other.y);
    }
    __syncthreads();
    for (int k = 0; k < rank; ++k) { // loop: ranks
      int4 other = tile[k];
      int width = min(box.z, other.z) - max(box.x, other.x);
      int height = min(box.w, other.w) - max(box.y, other.y);
      int common = max(width, 0) * max(height, 0);
      count += 3 * common > area + areas[k];
    }
  }
  if (t < n)
    covered[item] = count;
}
