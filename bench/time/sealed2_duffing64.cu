// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pendulum with two places to rest (Duffing), in double precision: so many steps of Runge's and
// Kutta's method for each start.

__device__ double push(double x, double v) { return x - x * x * x - 0.3 * v; }

__global__ void duffing64(const int *__restrict__ order, const int *__restrict__ steps,
                          const double *__restrict__ start, double *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  const double h = 0.02;
  double x = start[item], v = 0.0;
  for (int k = 0; k < count; ++k) { // loop: steps
    double v1 = v, a1 = push(x, v);
    double v2 = v + 0.5 * h * a1, a2 = push(x + 0.5 * h * v1, v2);
    double v3 = v + 0.5 * h * a2, a3 = push(x + 0.5 * h * v2, v3);
    double v4 = v + h * a3, a4 = push(x + h * v3, v4);
    x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  out[item] = x;
}
