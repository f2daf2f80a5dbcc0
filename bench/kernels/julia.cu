// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Julia set, one pixel per thread, blocks of 16 x 16. To be found: the loop has two exits. That
// of the count is the same in all lanes; the break depends on a value carried round the loop. A
// warp covers two rows of sixteen pixels.

__global__ void julia(unsigned char *__restrict__ image, int width, int height, float cx, float cy,
                      int max_iterations) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  float x = 3.0f * (column - width / 2) / width;
  float y = 3.0f * (row - height / 2) / height;
  int n = 0;
  for (; n < max_iterations; ++n) { // expect: class=data-dependent warn=data-dependent
    float xx = x * x;
    float yy = y * y;
    if (xx + yy > 4.0f)
      break;
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
  }
  image[row * width + column] = (unsigned char)(255 * n / max_iterations);
}

cudaError_t run_julia(unsigned char *image, int width, int height, int max_iterations) {
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  julia<<<grid, block>>>(image, width, height, -0.8f, 0.156f, max_iterations);
  return cudaDeviceSynchronize();
}
