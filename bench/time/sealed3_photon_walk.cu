// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light in fog: photons are scattered, mostly forward (Henyey and Greenstein), until they are
// absorbed; how deep each has come by then.

inline __host__ __device__ unsigned photon_draw(unsigned &state) { // O'Neill's PCG
  state = state * 747796405u + 2891336453u;
  unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return word >> 22 ^ word;
}
__device__ float photon_unit(unsigned &state) { // in (0, 1]
  return (float)((photon_draw(state) >> 8) + 1) * (1.0f / 16777216.0f);
}

__global__ void photon_walk(const int *__restrict__ order, const unsigned *__restrict__ seeds,
                            float *__restrict__ out, unsigned survive, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  const float g = 0.8f;
  unsigned state = seeds[item];
  float x = 0.0f, y = 0.0f, z = 0.0f, ux = 0.0f, uy = 0.0f, uz = 1.0f;
  do { // loop: scatters
    float step = -__logf(photon_unit(state));
    x += step * ux;
    y += step * uy;
    z += step * uz;
    float share = (1.0f - g * g) / (1.0f - g + 2.0f * g * photon_unit(state));
    float cosine = (1.0f + g * g - share * share) / (2.0f * g);
    float sine = sqrtf(fmaxf(0.0f, 1.0f - cosine * cosine));
    float angle = 6.2831853f * photon_unit(state) - 3.1415927f;
    float c = sine * __cosf(angle), s = sine * __sinf(angle);
    // The new direction, in a frame around the old one (Duff and others).
    float sign = uz >= 0.0f ? 1.0f : -1.0f;
    float a = -1.0f / (sign + uz), b = ux * uy * a;
    float vx = c * (1.0f + sign * ux * ux * a) + s * b + cosine * ux;
    float vy = c * sign * b + s * (sign + uy * uy * a) + cosine * uy;
    float vz = -c * sign * ux - s * uy + cosine * uz;
    ux = vx;
    uy = vy;
    uz = vz;
  } while (photon_draw(state) >> 1 < survive);
  out[item] = sqrtf(x * x + y * y + z * z);
}
