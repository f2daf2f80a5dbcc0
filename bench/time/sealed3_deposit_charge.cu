// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in cells: each cloud lays the charge of its particles down on a grid, shared among the
// four points around a particle. Positions have eight bits behind the point.

__global__ void deposit_charge(const int *__restrict__ order, const int *__restrict__ begin,
                               const int2 *__restrict__ particles, unsigned *__restrict__ charge,
                               int width, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  for (int k = begin[item]; k < end; ++k) { // loop: particles
    int2 place = particles[k];
    unsigned right = place.x & 255, down = place.y & 255;
    unsigned *at = charge + (place.y >> 8) * width + (place.x >> 8);
    atomicAdd(at, (256 - right) * (256 - down));
    atomicAdd(at + 1, right * (256 - down));
    atomicAdd(at + width, (256 - right) * down);
    atomicAdd(at + width + 1, right * down);
  }
}
