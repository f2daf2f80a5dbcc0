// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skeletons that are moved between two keys of an animation: along a chain of bones each turn is
// interpolated on the sphere of quaternions, or straight where both keys are near, and multiplied
// with those before it. Skeletons share clips.

__global__ void slerp_chains(const int *__restrict__ order, const int *__restrict__ bones,
                             const int *__restrict__ first, const float *__restrict__ when,
                             const float4 *__restrict__ keys, float4 *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = bones[item], at = first[item];
  float part = when[item];
  float4 all = make_float4(0.0f, 0.0f, 0.0f, 1.0f);
  for (int k = 0; k < count; ++k) { // loop: bones
    float4 a = keys[at + 2 * k], b = keys[at + 2 * k + 1];
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float side = dot < 0.0f ? -1.0f : 1.0f, of_a = 1.0f - part, of_b = part;
    dot *= side;
    if (dot < 0.999f) { // branch: far
      float angle = acosf(dot), scale = 1.0f / sinf(angle);
      of_a = sinf(of_a * angle) * scale;
      of_b = sinf(of_b * angle) * scale;
    }
    of_b *= side;
    float x = of_a * a.x + of_b * b.x, y = of_a * a.y + of_b * b.y;
    float z = of_a * a.z + of_b * b.z, w = of_a * a.w + of_b * b.w;
    float scale = rsqrtf(x * x + y * y + z * z + w * w);
    x *= scale;
    y *= scale;
    z *= scale;
    w *= scale;
    all = make_float4(all.w * x + all.x * w + all.y * z - all.z * y,
                      all.w * y - all.x * z + all.y * w + all.z * x,
                      all.w * z + all.x * y - all.y * x + all.z * w,
                      all.w * w - all.x * x - all.y * y - all.z * z);
  }
  out[item] = all;
}
