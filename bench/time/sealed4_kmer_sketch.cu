// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sketches of reads of DNA, by which similar ones are found: of all their pieces of 15 bases, or
// what lies opposite of them, the least of each of four hashes. Reads are packed, 16 bases to a
// word.

inline __host__ __device__ unsigned kmer_hash(unsigned kmer) {
  kmer = (kmer ^ kmer >> 16) * 0x85ebca6bu;
  kmer = (kmer ^ kmer >> 13) * 0xc2b2ae35u;
  return kmer ^ kmer >> 16;
}

__global__ void kmer_sketch(const int *__restrict__ order, const int *__restrict__ begin,
                            const unsigned *__restrict__ reads, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned kmer = 0, opposite = 0;
  unsigned least0 = ~0u, least1 = ~0u, least2 = ~0u, least3 = ~0u;
  for (int j = begin[item]; j < end; ++j) { // loop: words
    unsigned word = reads[j];
    for (int i = 0; i < 16; ++i) {
      unsigned base = word & 3;
      word >>= 2;
      kmer = (kmer << 2 | base) & 0x3fffffffu;
      opposite = opposite >> 2 | (3 - base) << 28;
      unsigned hash = kmer_hash(min(kmer, opposite));
      least0 = min(least0, hash);
      hash = hash * 0x9e3779b1u + 0x7f4a7c15u;
      least1 = min(least1, hash);
      hash = (hash ^ hash >> 15) * 0x9e3779b1u;
      least2 = min(least2, hash);
      hash = (hash ^ hash >> 14) * 0x9e3779b1u;
      least3 = min(least3, hash);
    }
  }
  out[4 * item] = least0;
  out[4 * item + 1] = least1;
  out[4 * item + 2] = least2;
  out[4 * item + 3] = least3;
}
