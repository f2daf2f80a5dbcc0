// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Magnets as rings of 32 spins, each a bit of a word (Ising's model by heat bath): in a sweep each
// spin is drawn anew, with the chance that its two neighbours leave it to point up.

__global__ void ising_rings(const int *__restrict__ order, const int *__restrict__ sweeps,
                            const unsigned *__restrict__ seeds, unsigned *__restrict__ out,
                            int chance, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = sweeps[item];
  unsigned state = seeds[item], spins = state * 2654435761u, up = 0;
  for (int k = 0; k < count; ++k) { // loop: sweeps
    for (int i = 0; i < 32; ++i) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      // The neighbours are turned to the lowest bits, the spin between them.
      unsigned around = spins << 1 | spins >> 31;
      int draw = (int)(state >> 1);
      unsigned left = around & 1, right = around >> 2 & 1, spin;
      if (left != right)
        spin = draw & 1;
      else
        spin = draw < chance ? left : left ^ 1;
      spins = (spins & ~1u) | spin;
      spins = spins >> 1 | spins << 31;
    }
    up += __popc(spins);
  }
  out[2 * item] = spins;
  out[2 * item + 1] = up;
}
