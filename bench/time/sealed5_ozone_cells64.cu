// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chemistry in the cells of an atmosphere, in double precision: three species, of which one reacts
// much faster than the others, by Euler's implicit method with two steps of Newton's each. The
// faster a cell's chemistry the more steps it takes.

__global__ void ozone_cells64(const int *__restrict__ order, const int *__restrict__ steps,
                              const double *__restrict__ heat, const double *__restrict__ start,
                              double *__restrict__ slow, double *__restrict__ fast, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = steps[item];
  double x = start[item], y = 0.0, temperature = heat[item];
  for (int k = 0; k < count; ++k) { // loop: steps
    double a = 0.04 * exp(1.0 - 1.0 / temperature), b = 40.0 * exp(-1.0 / temperature);
    double old_x = x, old_y = y;
    for (int i = 0; i < 2; ++i) {
      double z = 1.0 - x - y;
      double f = x - old_x + 0.5 * (a * x - b * y * z);
      double g = y - old_y - 0.5 * (a * x - b * y * z - 30.0 * y * y);
      double fx = 1.0 + 0.5 * (a + b * y), fy = 0.5 * b * (y - z);
      double gx = -0.5 * (a + b * y), gy = 1.0 - 0.5 * (b * (y - z) - 60.0 * y);
      double scale = 1.0 / (fx * gy - fy * gx);
      x -= scale * (f * gy - g * fy);
      y -= scale * (g * fx - f * gx);
    }
    temperature += 0.01 * (old_x - x);
  }
  slow[item] = x;
  fast[item] = y;
}
