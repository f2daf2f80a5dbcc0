// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a word in texts (Boyer, Moore and Horspool): windows are compared from their end, and the
// window's last letter says how far the next one is. The block keeps word and table.

__global__ void horspool_scan(const int *__restrict__ order, const int *__restrict__ begin,
                              const unsigned char *__restrict__ text,
                              const unsigned char *__restrict__ word, const int *__restrict__ skips,
                              int *__restrict__ out, int length, int n) {
  __shared__ int skip[256];
  __shared__ unsigned char letter[64];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    skip[k] = skips[k];
  for (int k = threadIdx.x; k < length; k += blockDim.x)
    letter[k] = word[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int at = begin[item], last = begin[item + 1] - length, found = 0;
  while (at <= last) { // loop: windows
    int k = length - 1;
    while (k >= 0 && text[at + k] == letter[k]) // loop: matched
      --k;
    found += k < 0;
    at += skip[text[at + length - 1]];
  }
  out[item] = found;
}
