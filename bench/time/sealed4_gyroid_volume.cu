// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light through a foam, whose density is said by a formula (a gyroid): a ray is sampled as often as
// its way is long, and what comes from a sample is weakened by those in front of it.

__global__ void gyroid_volume(const int *__restrict__ order, const int *__restrict__ samples,
                              const float4 *__restrict__ rays, float *__restrict__ out,
                              float *__restrict__ seen, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item];
  float4 ray = rays[item];
  float x = 3.0f * ray.x, y = 3.0f * ray.y, z = 0.0f;
  float dx = 0.02f * ray.z, dy = 0.02f * ray.w, dz = 0.03f;
  float light = 0.0f, through = 1.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    float surface = __sinf(x) * __cosf(y) + __sinf(y) * __cosf(z) + __sinf(z) * __cosf(x);
    float pass = __expf(-0.04f * fmaxf(surface, 0.0f));
    light += through * (1.0f - pass) * (0.5f + 0.25f * z);
    through *= pass;
    x += dx;
    y += dy;
    z += dz;
    if (z > 3.1415927f)
      z -= 6.2831853f;
  }
  out[item] = light;
  seen[item] = through;
}
