// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes streams of Huffman's code, whose codes have 2 to 8 bits: the next eight bits say which
// symbol comes, and how long it is. The block keeps the table in shared memory.

__global__ void huffman_symbols(const int *__restrict__ order, const int *__restrict__ symbols,
                                const int *__restrict__ begin, const unsigned *__restrict__ stream,
                                const unsigned short *__restrict__ codes,
                                unsigned *__restrict__ out, int n) {
  __shared__ unsigned short code[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    code[k] = codes[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = symbols[item], at = begin[item], held = 0;
  unsigned long long bits = 0;
  unsigned sum = 0;
  for (int k = 0; k < count; ++k) { // loop: symbols
    if (held < 8) {                 // branch: refill
      bits |= (unsigned long long)stream[at++] << held;
      held += 32;
    }
    unsigned entry = code[bits & 255];
    int length = entry & 15;
    sum = sum * 33 + (entry >> 4);
    bits >>= length;
    held -= length;
  }
  out[item] = sum;
}
