// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product through tiles in shared memory, blocks of 16 x 16. To be found: everything is
// uniform; the only divergent branches are those at the ragged edge.

constexpr int TILE = 16;

__global__ void matmul_tiled(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c, int rows, int inner, int columns) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int column = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += TILE) { // expect: class=uniform
    tile_a[ty][tx] = row < rows && first + tx < inner ? a[row * inner + first + tx] : 0.0f;
    tile_b[ty][tx] =
        column < columns && first + ty < inner ? b[(first + ty) * columns + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) { // expect: class=uniform may-vanish
      sum += tile_a[ty][k] * tile_b[k][tx];
    }
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

cudaError_t run_matmul_tiled(const float *a, const float *b, float *c, int rows, int inner,
                             int columns) {
  dim3 block(TILE, TILE);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  matmul_tiled<<<grid, block>>>(a, b, c, rows, inner, columns);
  return cudaDeviceSynchronize();
}
