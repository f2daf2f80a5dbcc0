// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where satellites are at so many times, one after the other, in double precision: Kepler's
// equation by five steps of Newton's method for each.

__global__ void kepler64(const int *__restrict__ order, const int *__restrict__ times,
                         const double *__restrict__ eccentricity, const double *__restrict__ motion,
                         double *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = times[item];
  double e = eccentricity[item], step = motion[item], mean = 0.0, sum = 0.0;
  for (int k = 0; k < count; ++k) { // loop: times
    mean += step;
    if (mean > 3.141592653589793)
      mean -= 6.283185307179586;
    double anomaly = mean, sine, cosine;
    for (int i = 0; i < 5; ++i) {
      sincos(anomaly, &sine, &cosine);
      anomaly -= (anomaly - e * sine - mean) / (1.0 - e * cosine);
    }
    sincos(anomaly, &sine, &cosine);
    sum += cosine - e + sqrt(1.0 - e * e) * sine;
  }
  out[item] = sum;
}
