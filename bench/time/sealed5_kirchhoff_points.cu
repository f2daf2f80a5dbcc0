// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points below the ground, from echoes at many receivers (Kirchhoff migration): of each trace in
// the aperture above a point, what came after the time that an echo takes there and back.

__global__ void kirchhoff_points(const int *__restrict__ order, const int *__restrict__ apertures,
                                 const int2 *__restrict__ points, const float *__restrict__ traces,
                                 float *__restrict__ out, int samples, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = apertures[item], deep = points[item].y;
  int trace = points[item].x, aside = -(count / 2);
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: apertures
    int away = 8 * (aside + k);
    float when = sqrtf((float)(deep * deep + away * away));
    int whole = (int)when;
    float part = when - (float)whole;
    const float *at = traces + (trace + k) * samples + whole;
    sum += (at[0] + part * (at[1] - at[0])) * ((float)deep / when);
  }
  out[item] = sum;
}
