// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stations that tell how hot and how humid it is, and for how many hours what a wet thermometer
// shows there is too much to work outside: for each hour four steps of Newton's method with Magnus'
// formula. A reading is the temperature and the pressure of the vapour.

__global__ void wet_bulbs(const int *__restrict__ order, const int *__restrict__ hours,
                          const int *__restrict__ first, const float2 *__restrict__ readings,
                          float *__restrict__ means, float *__restrict__ greatest, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = hours[item];
  const float2 *reading = readings + first[item];
  float sum = 0.0f, most = -100.0f;
  for (int k = 0; k < count; ++k) { // loop: hours
    float2 now = reading[k];
    float wet = now.x - 3.0f;
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      float over = __fdividef(1.0f, 243.12f + wet);
      float full = 6.112f * __expf(17.62f * wet * over);
      float slope = full * 4283.774f * over * over + 0.66f;
      wet -= __fdividef(full - 0.66f * (now.x - wet) - now.y, slope);
    }
    sum += wet;
    most = fmaxf(most, wet);
  }
  means[item] = __fdividef(sum, (float)count);
  greatest[item] = most;
}
