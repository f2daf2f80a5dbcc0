// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grains of sound, each played faster or slower: from a place of a recording on so many samples are
// filtered by eight taps, of which the block keeps a set for each of 64 fractions between samples
// in shared memory. What is told of a grain is its energy.

__global__ void resample_grains(const int *__restrict__ order, const int *__restrict__ samples,
                                const int2 *__restrict__ grains, const float *__restrict__ sound,
                                const float *__restrict__ taps, float *__restrict__ out, int n) {
  __shared__ float filter[8 * 64];
  for (int k = threadIdx.x; k < 8 * 64; k += blockDim.x)
    filter[k] = taps[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item], speed = grains[item].y;
  const float *from = sound + grains[item].x;
  int place = 0;
  float energy = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    const float *at = from + (place >> 16);
    const float *set = filter + (place >> 10 & 63);
    float value = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; ++j)
      value += set[64 * j] * at[j];
    energy += value * value;
    place += speed;
  }
  out[item] = energy;
}
