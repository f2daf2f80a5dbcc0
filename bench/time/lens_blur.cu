// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blurs an image as a lens does: each pixel is the mean of a square around it, as large as its
// depth says.

__global__ void lens_blur(const int *__restrict__ order, const unsigned char *__restrict__ radius,
                          const float *__restrict__ image, float *__restrict__ blurred, int width,
                          int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int r = radius[item], x = item % width, y = item / width, height = n / width;
  float sum = 0.0f;
  for (int dy = -r; dy <= r; ++dy) { // loop: rows
    int row = min(max(y + dy, 0), height - 1) * width;
    for (int dx = -r; dx <= r; ++dx) // loop: columns
      sum += image[row + min(max(x + dx, 0), width - 1)];
  }
  blurred[item] = sum / (float)((2 * r + 1) * (2 * r + 1));
}
