// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How dense electrons are at points of a grid (density functional theory): goes over the shells
// that reach a point, each of which is a sum of 1 to 6 Gaussians.

__global__ void orbital_density(const int *__restrict__ order, const int *__restrict__ count,
                                const int *__restrict__ first, const float4 *__restrict__ points,
                                const float4 *__restrict__ shells, const int *__restrict__ basis,
                                const float2 *__restrict__ gaussians, float *__restrict__ out,
                                int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int shell = first[item], last = shell + count[item];
  float4 point = points[item];
  float density = 0.0f;
  for (; shell < last; ++shell) { // loop: shells
    float4 centre = shells[shell];
    float x = point.x - centre.x, y = point.y - centre.y, z = point.z - centre.z;
    float square = x * x + y * y + z * z, value = 0.0f;
    int g = basis[shell], end = basis[shell + 1];
    for (; g < end; ++g) { // loop: gaussians
      float2 one = gaussians[g];
      value += one.y * __expf(-one.x * square);
    }
    density += centre.w * value * value;
  }
  out[item] = density;
}
