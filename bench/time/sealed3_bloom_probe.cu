// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of keys that are looked up in a Bloom filter, half of whose bits are set: a key may be
// in it if all the bits are that its hashes point to.

inline __host__ __device__ unsigned bloom_hash(unsigned key, unsigned seed) {
  key = (key ^ seed) * 0xcc9e2d51u;
  key = (key ^ key >> 15) * 0x1b873593u;
  return key ^ key >> 13;
}

__global__ void bloom_probe(const int *__restrict__ order, const int *__restrict__ begin,
                            const unsigned *__restrict__ keys, const unsigned *__restrict__ filter,
                            int *__restrict__ out, unsigned mask, int hashes, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], found = 0;
  for (int j = begin[item]; j < end; ++j) { // loop: keys
    unsigned key = keys[j];
    unsigned bit = bloom_hash(key, 0x9747b28cu), step = bloom_hash(key, 0x3c6ef372u) | 1;
    int k = 0;
    while (k < hashes && (filter[(bit & mask) >> 5] >> (bit & 31) & 1)) { // loop: bits
      bit += step;
      ++k;
    }
    found += k == hashes;
  }
  out[item] = found;
}
