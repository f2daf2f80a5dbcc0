// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a query of a database adds up by groups: goes over the lines of each order, leaves out those
// that came after a day, and adds the others' prices to their groups, of which the block has its
// own sums in shared memory.

__global__ void group_revenue(const int *__restrict__ order, const int *__restrict__ begin,
                              const short *__restrict__ days,
                              const unsigned char *__restrict__ groups,
                              const int *__restrict__ prices, unsigned *__restrict__ totals,
                              int *__restrict__ taken, int last, int n) {
  __shared__ unsigned sums[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    sums[k] = 0;
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int end = begin[item + 1], count = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: lines
    if (days[k] < last) {                   // branch: early
      atomicAdd(&sums[groups[k]], (unsigned)prices[k]);
      ++count;
    }
  }
  if (t < n)
    taken[item] = count;
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    if (sums[k])
      atomicAdd(&totals[k], sums[k]);
}
