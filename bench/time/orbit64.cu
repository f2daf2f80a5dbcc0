// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item goes so many steps of an orbit in the plane, in double precision.

__global__ void orbit64(const int *__restrict__ order, const int *__restrict__ steps,
                        const double *__restrict__ turn, double *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = steps[item];
    double a = turn[item], b = 0.9 - a, x = 1.0, y = 0.0;
    for (int k = 0; k < count; ++k) { // loop: steps
      double next = x * a - y * b + 0.125;
      y = x * b + y * a - 0.25;
      x = next;
    }
    out[item] = x + y;
  }
}
