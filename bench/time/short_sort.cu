// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each item sorts a short list by insertion, in a column of shared memory, and keeps the median.
// How far an entry moves depends on the entries before it.

__global__ void __launch_bounds__(128)
    short_sort(const int *__restrict__ order, const int *__restrict__ begin,
               const int *__restrict__ entries, int *__restrict__ out, int n) {
  __shared__ int list[32][128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t], lane = threadIdx.x;
  int from = begin[item], count = begin[item + 1] - from;
  for (int k = 0; k < count; ++k) { // loop: entries
    int entry = entries[from + k], at = k;
    while (at > 0 && list[at - 1][lane] > entry) { // loop: moves
      list[at][lane] = list[at - 1][lane];
      --at;
    }
    list[at][lane] = entry;
  }
  out[item] = count ? list[count / 2][lane] : 0;
}
