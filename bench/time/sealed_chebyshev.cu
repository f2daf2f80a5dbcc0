// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of Chebyshev polynomials at several points: items differ in points and in degree.

__global__ void chebyshev(const int *__restrict__ order, const int *__restrict__ points,
                          const int *__restrict__ degrees, const float *__restrict__ width,
                          float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = points[item], degree = degrees[item];
    float step = width[item], total = 0.0f;
    for (int p = 0; p < count; ++p) { // loop: points
      float x = step * (float)p, last = 1.0f, now = x, sum = 1.0f;
      for (int d = 0; d < degree; ++d) { // loop: degrees
        float next = 2.0f * x * now - last;
        sum += now;
        last = now;
        now = next;
      }
      total += sum;
    }
    out[item] = total;
  }
}
