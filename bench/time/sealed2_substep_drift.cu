// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in a field that changes from step to step: the block reads the field of the step to
// shared memory, and each particle drifts in it for as many substeps as it needs. Fixed point.

__global__ void substep_drift(const int *__restrict__ order, const int *__restrict__ substeps,
                              const unsigned *__restrict__ start,
                              const unsigned *__restrict__ field, unsigned *__restrict__ out,
                              int steps, int n) {
  __shared__ unsigned force[1024];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int count = substeps[item];
  unsigned place = start[item], speed = 0;
  for (int step = 0; step < steps; ++step) {
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
      force[k] = field[step * 1024 + k];
    __syncthreads();
    for (int k = 0; k < count; ++k) { // loop: substeps
      speed += force[place >> 22];
      place += speed;
    }
    __syncthreads();
  }
  if (t < n)
    out[item] = place;
}
