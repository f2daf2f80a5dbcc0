// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower triangular systems. `invert_tiles` inverts the 32 x 32 tiles on the diagonal, as a blocked
// solver does first: lane j computes column j. `solve_columns` solves for many right sides, one per
// thread. To be found: column j has 31 - j rows below the diagonal, so the outer loop is affine in
// the lane and half of the lanes' time is lost; its inner loop runs from `column` to `row`, which
// both differ from lane to lane, but their distance doesn't. `solve_columns` is uniform.

constexpr int TILE = 32;

__global__ void invert_tiles(const float *__restrict__ matrix, float *__restrict__ inverses,
                             int n) {
  __shared__ float lower[TILE][TILE + 1];
  __shared__ float inverse[TILE][TILE + 1];
  int column = threadIdx.x;
  const float *tile = matrix + (size_t)blockIdx.x * TILE * (n + 1);
  for (int row = 0; row < TILE; ++row) { // expect: class=uniform
    lower[row][column] = tile[(size_t)row * n + column];
    inverse[row][column] = 0.0f;
  }
  __syncthreads();
  inverse[column][column] = 1.0f / lower[column][column];
  for (int row = column + 1; row < TILE; ++row) { // expect: class=lane-affine warn=imbalance
    float sum = 0.0f;
    for (int k = column; k < row; ++k) { // expect: class=uniform
      sum += lower[row][k] * inverse[k][column];
    }
    inverse[row][column] = -sum / lower[row][row];
  }
  for (int row = 0; row < TILE; ++row) { // expect: class=uniform
    inverses[((size_t)blockIdx.x * TILE + row) * TILE + column] = inverse[row][column];
  }
}

__global__ void solve_columns(const float *__restrict__ matrix, float *__restrict__ sides, int n,
                              int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns)
    return;
  for (int row = 0; row < n; ++row) { // expect: class=uniform
    float sum = sides[(size_t)row * columns + column];
    for (int k = 0; k < row; ++k) { // expect: class=uniform
      sum -= matrix[(size_t)row * n + k] * sides[(size_t)k * columns + column];
    }
    sides[(size_t)row * columns + column] = sum / matrix[(size_t)row * n + row];
  }
}

// n is a multiple of TILE.
cudaError_t run_invert_tiles(const float *matrix, float *inverses, int n) {
  invert_tiles<<<n / TILE, TILE>>>(matrix, inverses, n);
  return cudaDeviceSynchronize();
}

cudaError_t run_solve_columns(const float *matrix, float *sides, int n, int columns) {
  solve_columns<<<(columns + 127) / 128, 128>>>(matrix, sides, n, columns);
  return cudaDeviceSynchronize();
}
