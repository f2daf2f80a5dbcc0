// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light curves of stars that planets pass: at each time that a telescope saw the star, the part of
// its disc that the planet covers. Times are spread evenly over the part of the orbit that is in
// sight; a star is the planet's radius, how far from the middle it passes, how far it moves from
// the first time to the last, and where it begins.

__global__ void transit_flux(const int *__restrict__ order, const int *__restrict__ samples,
                             const float4 *__restrict__ stars, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item];
  float4 star = stars[item];
  float p = star.x, reach = (1.0f + p) * (1.0f + p), when = star.w, lost = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    when += 0.618034f;
    when -= when >= 1.0f ? 1.0f : 0.0f;
    float x = (when - 0.5f) * star.z;
    float square = x * x + star.y * star.y;
    if (square < reach) { // branch: covered
      float z = fmaxf(sqrtf(square), 1e-4f);
      float one = (square + p * p - 1.0f) / (2.0f * z * p);
      float two = (square + 1.0f - p * p) / (2.0f * z);
      float kite = (reach - square) * (square - (1.0f - p) * (1.0f - p));
      float area = p * p * acosf(fminf(fmaxf(one, -1.0f), 1.0f)) +
                   acosf(fminf(fmaxf(two, -1.0f), 1.0f)) - 0.5f * sqrtf(fmaxf(kite, 0.0f));
      lost += area;
    }
  }
  out[item] = count > 0 ? lost / (3.14159265f * (float)count) : 0.0f;
}
