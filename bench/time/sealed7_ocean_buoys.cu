// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buoys on the sea, which is a sum of waves: in each step of time the block computes how far each
// of 128 waves has turned, one to a thread, and leaves it in shared memory; each buoy adds up as
// many as aren't too short for its size, and keeps how high it came and how steep it stood. A wave
// is two wave numbers, how fast it turns, and its height.

__global__ void ocean_buoys(const int *__restrict__ order, const int *__restrict__ waves,
                            const float2 *__restrict__ places, const float4 *__restrict__ sea,
                            float *__restrict__ highest, float *__restrict__ steepness, int steps,
                            int n) {
  __shared__ float turned[2][128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int count = waves[item];
  float2 place = places[item];
  float most = 0.0f, steep = 0.0f;
  for (int step = 0; step < steps; ++step) {
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
      float turns = sea[k].z * (float)step;
      turned[step & 1][k] = 6.2831853f * (turns - floorf(turns));
    }
    __syncthreads(); // what is written next is what was read before this
    float height = 0.0f, slope = 0.0f;
    for (int k = 0; k < count; ++k) { // loop: waves
      float4 wave = sea[k];
      float phase = wave.x * place.x + wave.y * place.y - turned[step & 1][k];
      height += wave.w * __cosf(phase);
      slope -= wave.w * wave.x * __sinf(phase);
    }
    most = fmaxf(most, height);
    steep += slope * slope;
  }
  if (t < n) {
    highest[item] = most;
    steepness[item] = steep;
  }
}
