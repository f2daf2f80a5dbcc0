// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks items up in a hash table with open addressing and double hashing: each probe is at another
// place, until the item's key is found.

__global__ void hash_chain(const int *__restrict__ order, const unsigned *__restrict__ key,
                           const unsigned *__restrict__ hash, const unsigned *__restrict__ step,
                           const unsigned *__restrict__ table, unsigned *__restrict__ out,
                           unsigned mask, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned wanted = key[item], slot = hash[item] & mask, by = step[item];
  while (table[slot] != wanted) // loop: probes
    slot = (slot + by) & mask;
  out[item] = slot;
}
