// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether words of a Reed-Solomon code came through whole: eight syndromes for each, by tables of
// logarithms and powers in GF(256) that the block keeps in shared memory.

__global__ void rs_syndromes(const int *__restrict__ order, const int *__restrict__ begin,
                             const unsigned char *__restrict__ received,
                             const unsigned char *__restrict__ logs,
                             const unsigned char *__restrict__ powers, unsigned *__restrict__ out,
                             int n) {
  __shared__ unsigned char log_of[256], power_of[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) {
    power_of[k] = powers[k];
    if (k < 256)
      log_of[k] = logs[k];
  }
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned syndromes[8] = {0};
  for (int k = begin[item]; k < end; ++k) { // loop: bytes
    unsigned byte = received[k];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      unsigned product = power_of[log_of[syndromes[i]] + i];
      syndromes[i] = byte ^ (syndromes[i] ? product : 0);
    }
  }
  unsigned low = 0, high = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    low |= syndromes[i] << 8 * i;
    high |= syndromes[i + 4] << 8 * i;
  }
  out[2 * item] = low;
  out[2 * item + 1] = high;
}
