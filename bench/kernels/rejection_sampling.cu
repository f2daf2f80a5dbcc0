// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal deviates by Marsaglia's polar method: draw points of a square until one is in the circle.
// To be found: the outer loop is uniform; the inner one ends with a probability of pi/4 in each
// round, depending on the lane's random state: 1.27 rounds on average, about three for the slowest
// of 32 lanes.

__device__ float next_uniform(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state * (2.0f / 4294967296.0f) - 1.0f;
}

__global__ void sample_normal(float *__restrict__ means, int threads, int samples, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads)
    return;
  unsigned state = (seed + i) * 2654435761u | 1u;
  float sum = 0.0f;
  for (int s = 0; s < samples; ++s) { // expect: class=uniform
    float x;
    float radius2;
    do { // expect: class=data-dependent warn=data-dependent
      x = next_uniform(state);
      float y = next_uniform(state);
      radius2 = x * x + y * y;
    } while (radius2 >= 1.0f || radius2 == 0.0f);
    sum += x * sqrtf(-2.0f * logf(radius2) / radius2);
  }
  means[i] = sum / samples;
}

cudaError_t run_sample_normal(float *means, int threads, int samples, unsigned seed) {
  sample_normal<<<(threads + 127) / 128, 128>>>(means, threads, samples, seed);
  return cudaDeviceSynchronize();
}
