// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up in a hash table with chains: each thread follows a list from the head of its bucket. To
// be found: the trip count is the length of a chain of loads, none of which can be known in
// advance; the warp waits for its longest chain.

__global__ void find_in_chains(const int *__restrict__ heads, const int *__restrict__ next,
                               const unsigned *__restrict__ keys, unsigned buckets,
                               const unsigned *__restrict__ queries, int *__restrict__ found,
                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned query = queries[i];
  int result = -1;
  int head = heads[query % buckets];
  for (int at = head; at >= 0; at = next[at]) { // expect: class=data-dependent warn=data-dependent
    if (keys[at] == query) {
      result = at;
      break;
    }
  }
  found[i] = result;
}

cudaError_t run_find_in_chains(const int *heads, const int *next, const unsigned *keys,
                               unsigned buckets, const unsigned *queries, int *found, int n) {
  find_in_chains<<<(n + 127) / 128, 128>>>(heads, next, keys, buckets, queries, found, n);
  return cudaDeviceSynchronize();
}
