// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strokes along Bezier's curves: a curve is cut into as many segments as its bend needs, and at
// each cut a point lies beside it, half a stroke away.

__global__ void bezier_strips(const int *__restrict__ order, const int *__restrict__ begin,
                              const float4 *__restrict__ curves, float *__restrict__ xs,
                              float *__restrict__ ys, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], count = begin[item + 1] - from;
  float4 one = curves[2 * item], two = curves[2 * item + 1];
  float step = 1.0f / (float)max(count, 1);
  for (int k = 0; k < count; ++k) { // loop: cuts
    float v = step * ((float)k + 0.5f), u = 1.0f - v;
    // De Casteljau's steps, down to the tangent.
    float ax = u * one.x + v * one.z, ay = u * one.y + v * one.w;
    float bx = u * one.z + v * two.x, by = u * one.w + v * two.y;
    float cx = u * two.x + v * two.z, cy = u * two.y + v * two.w;
    float dx = u * ax + v * bx, dy = u * ay + v * by;
    float ex = u * bx + v * cx, ey = u * by + v * cy;
    float along = ex - dx, up = ey - dy;
    float scale = 0.01f * rsqrtf(along * along + up * up + 1e-6f);
    xs[from + k] = u * dx + v * ex - up * scale;
    ys[from + k] = u * dy + v * ey + along * scale;
  }
}
