// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Energies of particles by lists of neighbours: all attract and repel each other (Lennard-Jones),
// those that are charged have a screened Coulomb term, too.

__global__ void ion_forces(const int *__restrict__ order, const int *__restrict__ begin,
                           const int *__restrict__ neighbours, const float4 *__restrict__ atoms,
                           float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 here = atoms[item];
  float energy = 0.0f;
  for (int j = begin[item]; j < end; ++j) { // loop: neighbours
    float4 there = atoms[neighbours[j]];
    float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
    float square = dx * dx + dy * dy + dz * dz + 0.9f;
    float inverse = 1.0f / square, sixth = inverse * inverse * inverse;
    energy += 4.0f * sixth * (sixth - 1.0f);
    if (here.w != 0.0f) { // branch: charged
      float distance = sqrtf(square);
      energy += here.w * there.w * __expf(-distance) / distance;
    }
  }
  out[item] = energy;
}
