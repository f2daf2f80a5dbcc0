// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of symbols that an entropy coder packed (rANS, 16 bits at a time): the lowest ten bits of
// the state say which symbol comes. The block keeps the table in shared memory; a slot has a
// symbol, how often it is of 1024 times, and how far the slot is behind the symbol's first.

__global__ void rans_decode(const int *__restrict__ order, const int *__restrict__ symbols,
                            const int *__restrict__ begin,
                            const unsigned short *__restrict__ packed,
                            const unsigned *__restrict__ table, unsigned *__restrict__ out, int n) {
  __shared__ unsigned slots[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    slots[k] = table[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = symbols[item], at = begin[item];
  unsigned state = (unsigned)packed[at] << 16 | packed[at + 1], sum = 0;
  at += 2;
  for (int k = 0; k < count; ++k) { // loop: symbols
    unsigned slot = slots[state & 1023];
    state = (slot >> 8 & 1023) * (state >> 10) + (slot >> 18);
    sum = sum * 31 + (slot & 255);
    if (state < 65536) { // branch: refill
      state = state << 16 | packed[at];
      ++at;
    }
  }
  out[item] = sum;
}
