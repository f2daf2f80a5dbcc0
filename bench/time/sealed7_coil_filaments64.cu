// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coils that charge something without a wire: how much of the field of so many filaments of one
// coil goes through a filament of the other, in double precision, by elliptic integrals (means of
// means, five steps). What is far off is taken as a dipole.

__global__ void coil_filaments64(const int *__restrict__ order, const int *__restrict__ filaments,
                                 const int *__restrict__ first, const double *__restrict__ radii,
                                 const double *__restrict__ heights,
                                 const double *__restrict__ own_radii, double *__restrict__ out,
                                 int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + filaments[item];
  double own = own_radii[item], sum = 0.0;
  for (int k = from; k < end; ++k) { // loop: filaments
    double radius = radii[k], height = heights[k], high = height * height;
    if (high > 6.0 * own * radius) { // branch: far
      double away = radius * radius + high;
      sum += 0.5 * 3.14159265358979 * own * own * radius * radius / (away * sqrt(away));
    } else {
      double both = own + radius, all = both * both + high, part = 4.0 * own * radius / all;
      double a = 1.0, b = sqrt(1.0 - part), left = 1.0 - 0.5 * part, power = 0.5;
#pragma unroll
      for (int step = 0; step < 5; ++step) {
        double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        power *= 2.0;
        left -= power * c * c;
      }
      double first_kind = 1.57079632679490 / a, second_kind = first_kind * left;
      sum += sqrt(all) * ((1.0 - 0.5 * part) * first_kind - second_kind);
    }
  }
  out[item] = sum;
}
