// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for vectors that are near a query, among compressed ones (product quantization): a vector
// is 16 bytes, each of which tells a part of it. The block reads how far the query is from all
// parts to shared memory; each item goes over a list of vectors, and keeps the nearest.

__global__ void pq_lists(const int *__restrict__ order, const int *__restrict__ vectors,
                         const int *__restrict__ first, const uint4 *__restrict__ codes,
                         const int *__restrict__ parts, int *__restrict__ least,
                         int *__restrict__ which, int n) {
  __shared__ int far[16 * 256];
  for (int k = threadIdx.x; k < 16 * 256; k += blockDim.x)
    far[k] = parts[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + vectors[item], best = 0x7fffffff, nearest = -1;
  for (int k = from; k < end; ++k) { // loop: vectors
    uint4 code = codes[k];
    unsigned words[4] = {code.x, code.y, code.z, code.w};
    int sum = 0;
#pragma unroll
    for (int part = 0; part < 16; ++part)
      sum += far[part * 256 + (words[part / 4] >> part % 4 * 8 & 255)];
    if (sum < best) {
      best = sum;
      nearest = k;
    }
  }
  least[item] = best;
  which[item] = nearest;
}
