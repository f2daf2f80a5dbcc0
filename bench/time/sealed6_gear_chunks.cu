// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are cut where their contents say, so that equal parts of them are stored once (FastCDC): a
// sum that rolls over the bytes, each of which adds its entry of a table in shared memory, ends a
// chunk where its upper bits are 0. Counts chunks, and measures the longest.

__global__ void gear_chunks(const int *__restrict__ order, const int *__restrict__ begin,
                            const unsigned *__restrict__ words, const unsigned *__restrict__ gears,
                            int *__restrict__ chunks, int *__restrict__ longest, int n) {
  __shared__ unsigned gear[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    gear[k] = gears[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1], last = 4 * from, count = 0, most = 0;
  unsigned rolled = 0xffffffffu;
  for (int k = from; k < end; ++k) { // loop: words
    unsigned word = words[k];
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      rolled = (rolled << 1) + gear[word >> 8 * byte & 255];
      if (rolled >> 26 == 0) { // branch: cut
        int at = 4 * k + byte + 1;
        most = max(most, at - last);
        last = at;
        ++count;
      }
    }
  }
  chunks[item] = count;
  longest[item] = max(most, 4 * end - last);
}
