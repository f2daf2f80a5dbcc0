// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each round a block takes as many items as it has threads, and adds up their energies in shared
// memory; all warps of the block wait for the longest item at the barrier.

__global__ void block_energy(const int *__restrict__ order, const int *__restrict__ terms,
                             const unsigned *__restrict__ seeds, unsigned *__restrict__ out,
                             unsigned long long *__restrict__ total, int n) {
  __shared__ unsigned energy[1024];
  int threads = blockDim.x;
  for (int base = blockIdx.x * threads; base < n; base += gridDim.x * threads) {
    int item = order[base + threadIdx.x];
    int count = terms[item];
    unsigned state = seeds[item], sum = 0;
    for (int k = 0; k < count; ++k) { // loop: terms
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      sum += state >> 24;
    }
    out[item] = sum;
    energy[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
      if ((int)threadIdx.x < half)
        energy[threadIdx.x] += energy[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      atomicAdd(total, (unsigned long long)energy[0]);
    __syncthreads();
  }
}
