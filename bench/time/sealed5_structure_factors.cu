// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reflections of X-rays by a crystal: each sums waves from atoms of the cell, damped by how far
// heat moves an atom. Atoms are sorted by how much they scatter, and those that don't count for a
// reflection are left out.

__global__ void structure_factors(const int *__restrict__ order, const int *__restrict__ atoms,
                                  const float4 *__restrict__ waves,
                                  const float4 *__restrict__ places, const float *__restrict__ heat,
                                  float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = atoms[item];
  float4 h = waves[item];
  float real = 0.0f, imaginary = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: atoms
    float4 atom = places[k];
    float turns = h.x * atom.x + h.y * atom.y + h.z * atom.z;
    float phase = 6.2831853f * (turns - rintf(turns));
    float weight = atom.w * __expf(-h.w * heat[k]);
    real += weight * __cosf(phase);
    imaginary += weight * __sinf(phase);
  }
  out[item] = sqrtf(real * real + imaginary * imaginary);
}
