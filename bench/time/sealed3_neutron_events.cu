// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What befalls neutrons in a reactor: they are slowed down by the moderator, or their way goes
// through fuel, whose nuclides' cross sections are looked up, or they split a nucleus, from which
// others come, or they are absorbed.

__device__ float neutron_unit(unsigned &state) { // in (0, 1]
  state = (state ^ state >> 16) * 0x21f0aaadu + 0x6d2b79f5u;
  return (float)((state >> 8) + 1) * (1.0f / 16777216.0f);
}

__global__ void neutron_events(const int *__restrict__ order, const int *__restrict__ event,
                               const int *__restrict__ secondaries,
                               const unsigned *__restrict__ seeds,
                               const float *__restrict__ sections, float *__restrict__ out,
                               int bounces, int nuclides, int points, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned state = seeds[item];
  float result = 0.0f;
  switch (event[item]) { // branch: event
  case 0: {
    float energy = 1.0f, way = 0.0f;
    for (int k = 0; k < bounces; ++k) {
      energy *= 0.716f + 0.284f * neutron_unit(state);
      way += sqrtf(energy) * neutron_unit(state);
    }
    result = way;
    break;
  }
  case 1: {
    float energy = neutron_unit(state) * (float)(points - 2);
    int at = (int)energy;
    float share = energy - (float)at;
    for (int k = 0; k < nuclides; ++k) {
      const float *section = sections + k * points + at;
      result += section[0] + share * (section[1] - section[0]);
    }
    break;
  }
  case 2: {
    int count = secondaries[item];
    for (int k = 0; k < count; ++k) { // loop: secondaries
      float c = __cosf(1.5707963f * neutron_unit(state));
      float energy = -__logf(neutron_unit(state)) - __logf(neutron_unit(state)) * c * c;
      result += sqrtf(energy);
    }
    break;
  }
  default:
    result = neutron_unit(state);
  }
  out[item] = result;
}
