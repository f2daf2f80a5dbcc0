// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixels of four materials under the same lights: matt, glossy, glass and hair.

__global__ void shade_materials(const int *__restrict__ order, const int *__restrict__ material,
                                const float4 *__restrict__ normals,
                                const float4 *__restrict__ lights, float *__restrict__ out,
                                int count, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  float4 normal = normals[item];
  float sum = 0.0f;
  switch (material[item]) { // branch: material
  case 0:
    for (int k = 0; k < count; ++k) {
      float4 light = lights[k];
      float cosine = normal.x * light.x + normal.y * light.y + normal.z * light.z;
      sum += light.w * fmaxf(cosine, 0.0f);
    }
    break;
  case 1:
    for (int k = 0; k < count; ++k) {
      float4 light = lights[k];
      float cosine = normal.x * light.x + normal.y * light.y + normal.z * light.z;
      float shine = fmaxf(cosine, 0.01f);
      sum += light.w * (shine + __expf(20.0f * __logf(shine)));
    }
    break;
  case 2:
    for (int k = 0; k < count; ++k) {
      float4 light = lights[k];
      float cosine = fabsf(normal.x * light.x + normal.y * light.y + normal.z * light.z);
      float inside = sqrtf(1.0f + 1.25f + cosine * cosine);
      float across = (cosine - inside) / (cosine + inside);
      float along = (cosine * inside - 1.0f) / (cosine * inside + 1.0f);
      sum += light.w * 0.5f * (across * across + along * along);
    }
    break;
  default:
    for (int k = 0; k < count; ++k) {
      float4 light = lights[k];
      float cosine = normal.x * light.x + normal.y * light.y + normal.z * light.z;
      sum += light.w * __expf(-4.0f * cosine * cosine) * (1.0f + __sinf(3.0f * cosine));
    }
  }
  out[item] = sum;
}
