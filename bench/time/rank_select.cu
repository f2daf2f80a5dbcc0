// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Medians of short rows without sorting them: of each entry it is counted how many are before it.

__global__ void rank_select(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ entries, int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  int middle = (end - from) / 2, median = 0;
  for (int i = from; i < end; ++i) { // loop: entries
    int entry = entries[i], rank = 0;
    for (int j = from; j < end; ++j) { // loop: others
      int other = entries[j];
      rank += other < entry || (other == entry && j < i);
    }
    if (rank == middle)
      median = entry;
  }
  out[item] = median;
}
