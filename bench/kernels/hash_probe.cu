// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash table with open addressing and linear probing: insertion by compare-and-swap, and look-up.
// To be found: the length of a probe depends on what is in the table (and, on insertion, on what
// the atomics return); it grows with the load, and the warp waits for its longest probe.

constexpr unsigned EMPTY = 0xffffffffu;

__device__ unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

__global__ void hash_insert(unsigned *table_keys, unsigned *table_values, unsigned mask,
                            const unsigned *__restrict__ keys, const unsigned *__restrict__ values,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i];
  unsigned slot = hash(key) & mask;
  while (true) { // expect: class=data-dependent warn=data-dependent
    unsigned previous = atomicCAS(&table_keys[slot], EMPTY, key);
    if (previous == EMPTY || previous == key)
      break;
    slot = (slot + 1) & mask;
  }
  table_values[slot] = values[i];
}

__global__ void hash_lookup(const unsigned *__restrict__ table_keys,
                            const unsigned *__restrict__ table_values, unsigned mask,
                            const unsigned *__restrict__ keys, unsigned *__restrict__ values,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i];
  unsigned slot = hash(key) & mask;
  unsigned found = EMPTY;
  while (table_keys[slot] != EMPTY) { // expect: class=data-dependent warn=data-dependent
    if (table_keys[slot] == key) {
      found = table_values[slot];
      break;
    }
    slot = (slot + 1) & mask;
  }
  values[i] = found;
}

// The table has mask + 1 slots, a power of two, more than are used; its keys start as EMPTY.
cudaError_t run_hash_insert(unsigned *table_keys, unsigned *table_values, unsigned mask,
                            const unsigned *keys, const unsigned *values, int n) {
  hash_insert<<<(n + 255) / 256, 256>>>(table_keys, table_values, mask, keys, values, n);
  return cudaDeviceSynchronize();
}

cudaError_t run_hash_lookup(const unsigned *table_keys, const unsigned *table_values, unsigned mask,
                            const unsigned *keys, unsigned *values, int n) {
  hash_lookup<<<(n + 255) / 256, 256>>>(table_keys, table_values, mask, keys, values, n);
  return cudaDeviceSynchronize();
}
