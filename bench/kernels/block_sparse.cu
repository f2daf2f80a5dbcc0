// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-sparse matrix times vector: one block of threads per row of 64 x 64 tiles, one thread per
// row of a tile. To be found: the bounds are loaded, but at the block's index from memory that the
// kernel doesn't write, so the loop over the tiles is uniform in the block; the loop within a tile
// is uniform.

constexpr int TILE = 64;

__global__ void block_sparse(const int *__restrict__ row_begin, const int *__restrict__ columns,
                             const float *__restrict__ tiles, const float *__restrict__ x,
                             float *__restrict__ y) {
  int row = threadIdx.x;
  int end = row_begin[blockIdx.x + 1];
  float sum = 0.0f;
  for (int t = row_begin[blockIdx.x]; t < end; ++t) { // expect: class=block-uniform
    const float *tile = tiles + (size_t)t * TILE * TILE;
    const float *part = x + columns[t] * TILE;
    for (int k = 0; k < TILE; ++k) { // expect: class=uniform
      sum += tile[k * TILE + row] * part[k];
    }
  }
  y[blockIdx.x * TILE + row] = sum;
}

// The tiles are stored by columns.
cudaError_t run_block_sparse(const int *row_begin, const int *columns, const float *tiles,
                             const float *x, float *y, int tile_rows) {
  block_sparse<<<tile_rows, TILE>>>(row_begin, columns, tiles, x, y);
  return cudaDeviceSynchronize();
}
