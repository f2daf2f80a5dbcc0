// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check sums (CRC-32) of messages, four bytes at a time by four tables that the block keeps in
// shared memory.

__global__ void crc_messages(const int *__restrict__ order, const int *__restrict__ begin,
                             const unsigned *__restrict__ words,
                             const unsigned *__restrict__ tables, unsigned *__restrict__ out,
                             int n) {
  __shared__ unsigned table[4][256];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    table[k >> 8][k & 255] = tables[k];
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int end = begin[item + 1];
    unsigned crc = 0xffffffffu;
    for (int j = begin[item]; j < end; ++j) { // loop: words
      crc ^= words[j];
      crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^
            table[0][crc >> 24];
    }
    out[item] = ~crc;
  }
}
