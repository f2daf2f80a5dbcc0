// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a flow by lattice and Boltzmann (D2Q9), on the cells of a list: in a fluid what comes
// from the cells around collides; walls throw it back; where it flows in it is as the inflow says.

__global__ void lattice_cells(const int *__restrict__ order,
                              const unsigned char *__restrict__ kinds,
                              const float *__restrict__ flow, float *__restrict__ next, int width,
                              int n) {
  const float weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                           1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  const int right[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, down[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int cell = order[t];
  switch (kinds[cell]) { // branch: kind
  case 0: {
    float f[9], density = 0.0f, x = 0.0f, y = 0.0f;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
      int from = cell - down[q] * width - right[q];
      from += from < 0 ? n : 0;
      from -= from >= n ? n : 0;
      f[q] = flow[q * n + from];
      density += f[q];
      x += (float)right[q] * f[q];
      y += (float)down[q] * f[q];
    }
    x /= density;
    y /= density;
    float rest = 1.0f - 1.5f * (x * x + y * y);
#pragma unroll
    for (int q = 0; q < 9; ++q) {
      float along = (float)right[q] * x + (float)down[q] * y;
      float even = weight[q] * density * (rest + 3.0f * along + 4.5f * along * along);
      next[q * n + cell] = f[q] + 1.2f * (even - f[q]);
    }
    break;
  }
  case 1:
#pragma unroll
    for (int q = 0; q < 9; ++q)
      next[q * n + cell] = flow[back[q] * n + cell];
    break;
  default:
#pragma unroll
    for (int q = 0; q < 9; ++q)
      next[q * n + cell] = weight[q] * (1.0f + 0.3f * (float)right[q]);
  }
}
