// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probing side of a hash join: a bucket is a list, whose entries lie anywhere in memory; an
// item's key is in its bucket's list.

__global__ void join_probe(const int *__restrict__ order, const int *__restrict__ heads,
                           const unsigned *__restrict__ keys, const uint2 *__restrict__ entries,
                           unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned key = keys[item], at = heads[item];
  uint2 entry = entries[at]; // key, and where the next one is
  while (entry.x != key) {   // loop: links
    at = entry.y;
    entry = entries[at];
  }
  out[item] = at;
}
