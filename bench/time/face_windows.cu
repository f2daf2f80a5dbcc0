// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cascade of detectors (Viola and Jones): windows of an image pass as many stages as they look
// like a face. A stage adds up eight boxes, by the image's sums from its corner.

__global__ void face_windows(const int *__restrict__ order, const int *__restrict__ stages,
                             const int2 *__restrict__ corner, const int4 *__restrict__ boxes,
                             const unsigned *__restrict__ sums, unsigned *__restrict__ out,
                             int width, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = stages[item];
  int2 at = corner[item];
  const unsigned *window = sums + at.y * width + at.x;
  unsigned score = 0;
  for (int stage = 0; stage < count; ++stage) { // loop: stages
    for (int k = 0; k < 8; ++k) {
      int4 box = boxes[(stage & 31) * 8 + k]; // left, top, right, bottom
      unsigned sum = window[box.w * width + box.z] - window[box.w * width + box.x] -
                     window[box.y * width + box.z] + window[box.y * width + box.x];
      score += k & 1 ? sum : 0u - sum;
    }
  }
  out[item] = score;
}
