// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether photons of a source come in pulses: folds the times when they came by the source's
// period, and adds up eight harmonics of the phases (the Z^2 statistic).

__global__ void pulse_search(const int *__restrict__ order, const int *__restrict__ begin,
                             const float *__restrict__ times, const float *__restrict__ frequency,
                             float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  float per_time = frequency[item];
  float sines[8] = {0.0f}, cosines[8] = {0.0f};
  for (int k = from; k < end; ++k) { // loop: photons
    float turns = times[k] * per_time;
    float phase = 6.2831853f * (turns - floorf(turns)) - 3.1415927f;
#pragma unroll
    for (int m = 0; m < 8; ++m) {
      sines[m] += __sinf((float)(m + 1) * phase);
      cosines[m] += __cosf((float)(m + 1) * phase);
    }
  }
  float sum = 0.0f;
#pragma unroll
  for (int m = 0; m < 8; ++m)
    sum += sines[m] * sines[m] + cosines[m] * cosines[m];
  out[item] = 2.0f * sum / (float)(end - from);
}
