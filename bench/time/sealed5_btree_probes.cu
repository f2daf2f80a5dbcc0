// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of keys that are looked up in an index of a database: a tree whose nodes have 15 keys and
// 16 children each, level by level in one array. What is found is added up.

__global__ void btree_probes(const int *__restrict__ order, const int *__restrict__ begin,
                             const unsigned *__restrict__ wanted,
                             const unsigned *__restrict__ nodes,
                             const unsigned *__restrict__ values, unsigned *__restrict__ out,
                             int levels, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned sum = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: probes
    unsigned key = wanted[k];
    int first = 0, across = 1, at = 0;
    for (int level = 0; level < levels; ++level) {
      const unsigned *node = nodes + 16 * (first + at);
      int child = 0;
      while (child < 15 && node[child] <= key) // loop: scan
        ++child;
      first += across;
      across *= 16;
      at = 16 * at + child;
    }
    sum += values[at];
  }
  out[item] = sum;
}
