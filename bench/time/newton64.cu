// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cube roots by Newton's method in double precision; how many steps an item needs was found before.

__global__ void newton64(const int *__restrict__ order, const int *__restrict__ steps,
                         const double *__restrict__ cube, double *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  double a = cube[item], x = 2.0;
  for (int k = 0; k < count; ++k) // loop: steps
    x -= (x * x * x - a) / (3.0 * x * x);
  out[item] = x;
}
