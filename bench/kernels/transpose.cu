// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transposition through a padded tile in shared memory, blocks of 32 x 8. To be found: two
// loops of four rounds, uniform, that the compiler may unroll; branches only at the ragged edge.

constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(const float *__restrict__ input, float *__restrict__ output, int width,
                          int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int r = 0; r < TILE; r += ROWS) { // expect: class=uniform
    if (x < width && y + r < height)
      tile[threadIdx.y + r][threadIdx.x] = input[(y + r) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int r = 0; r < TILE; r += ROWS) { // expect: class=uniform
    if (x < height && y + r < width)
      output[(y + r) * height + x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

cudaError_t run_transpose(const float *input, float *output, int width, int height) {
  dim3 block(TILE, ROWS);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  transpose<<<grid, block>>>(input, output, width, height);
  return cudaDeviceSynchronize();
}
