// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in columns of soil of different depth: a tridiagonal system for each, solved by Thomas'
// method, down and up again.

__global__ void tridiagonal(const int *__restrict__ order, const int *__restrict__ begin,
                            const float4 *__restrict__ rows, float2 *__restrict__ swept,
                            float *__restrict__ heat, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  float upper = 0.0f, right = 0.0f;
  for (int k = from; k < end; ++k) { // loop: layers
    float4 row = rows[k];            // what is above, at and below, and the right side
    float scale = 1.0f / (row.y - row.x * upper);
    upper = row.z * scale;
    right = (row.w - row.x * right) * scale;
    swept[k] = make_float2(upper, right);
  }
  float below = 0.0f;
  for (int k = end - 1; k >= from; --k) { // loop: up
    float2 row = swept[k];
    below = row.y - row.x * below;
    heat[k] = below;
  }
}
