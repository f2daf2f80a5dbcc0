// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seven-point stencil in three dimensions: each thread marches through a column along z and keeps
// the last three values in registers. To be found: the guard at the top takes whole lanes out for
// good; the loop after it is uniform.

__global__ void stencil(const float *__restrict__ input, float *__restrict__ output, int nx, int ny,
                        int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny;
  int at = y * nx + x;
  float below = input[at];
  float here = input[at + plane];
  for (int z = 1; z < nz - 1; ++z) { // expect: class=uniform
    at += plane;
    float above = input[at + plane];
    output[at] = below + above + input[at - nx] + input[at + nx] + input[at - 1] + input[at + 1] -
                 6.0f * here;
    below = here;
    here = above;
  }
}

cudaError_t run_stencil(const float *input, float *output, int nx, int ny, int nz) {
  dim3 block(32, 8);
  dim3 grid((nx + 29) / 32, (ny + 5) / 8);
  stencil<<<grid, block>>>(input, output, nx, ny, nz);
  return cudaDeviceSynchronize();
}
