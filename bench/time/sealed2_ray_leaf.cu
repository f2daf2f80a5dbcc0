// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rays against the triangles of a leaf of a tree (Moeller and Trumbore); how near the nearest is.

__device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void ray_leaf(const int *__restrict__ order, const int *__restrict__ first,
                         const int *__restrict__ triangles, const float4 *__restrict__ corners,
                         const float4 *__restrict__ rays, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + triangles[item];
  float4 ray = rays[item]; // begins at (x, y, 0), goes to (z, w, 1)
  float3 way = make_float3(ray.z, ray.w, 1.0f);
  float nearest = 100.0f;
  for (int j = from; j < end; ++j) { // loop: triangles
    float4 corner = corners[3 * j], one = corners[3 * j + 1], two = corners[3 * j + 2];
    float3 edge1 = make_float3(one.x, one.y, one.z), edge2 = make_float3(two.x, two.y, two.z);
    float3 to = make_float3(ray.x - corner.x, ray.y - corner.y, -corner.z);
    float3 p = cross(way, edge2), q = cross(to, edge1);
    float scale = 1.0f / dot(edge1, p);
    float u = dot(to, p) * scale, v = dot(way, q) * scale, far = dot(edge2, q) * scale;
    if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && far > 0.0f && far < nearest)
      nearest = far;
  }
  out[item] = nearest;
}
