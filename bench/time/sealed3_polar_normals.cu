// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options to exchange one share for another, by simulation: so many samples for each, of two
// normal variables by Marsaglia's polar method, which rejects points outside of a circle.

inline __host__ __device__ float polar_draw(unsigned &state) { // in (-1, 1)
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((float)(state * 2654435761u >> 9) - 4194303.5f) * (1.0f / 4194304.0f);
}

__global__ void polar_normals(const int *__restrict__ order, const int *__restrict__ samples,
                              const unsigned *__restrict__ seeds,
                              const float2 *__restrict__ volatility, float *__restrict__ out,
                              int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item];
  unsigned state = seeds[item];
  float2 spread = volatility[item];
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    float x, y, square;
    do { // loop: tries
      x = polar_draw(state);
      y = polar_draw(state);
      square = x * x + y * y;
    } while (square >= 1.0f);
    float factor = sqrtf(-2.0f * __logf(square) / square);
    float one = __expf(spread.x * x * factor), other = __expf(spread.y * y * factor);
    sum += fmaxf(one - other, 0.0f);
  }
  out[item] = sum / (float)max(count, 1);
}
