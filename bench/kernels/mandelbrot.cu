// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set, one pixel per thread, blocks of 8 x 4 so that a warp covers a compact piece.
// To be found: the exit depends on a value that each lane carries round the loop; neighbours agree
// inside and far outside the set, and part at its border.

__global__ void mandelbrot(int *__restrict__ iterations, int width, int height, float left,
                           float top, float step, int limit) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  float cx = left + column * step;
  float cy = top - row * step;
  float x = 0.0f;
  float y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) { // expect: class=data-dependent warn=data-dependent
    float next_x = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next_x;
    ++n;
  }
  iterations[row * width + column] = n;
}

cudaError_t run_mandelbrot(int *iterations, int width, int height, int limit) {
  dim3 block(8, 4);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  mandelbrot<<<grid, block>>>(iterations, width, height, -2.0f, 1.25f, 2.5f / height, limit);
  return cudaDeviceSynchronize();
}
