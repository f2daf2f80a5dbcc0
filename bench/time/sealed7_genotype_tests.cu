// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the genotypes of a variant are as often as its alleles let expect (Hardy and Weinberg):
// goes over those of a cohort, two bits each, 64 at a time, and counts who has one and who has two
// of the rarer allele, and of whom it isn't known. Bits of two words share one count.

__global__ void genotype_tests(const int *__restrict__ order, const int *__restrict__ begin,
                               const uint4 *__restrict__ genotypes, float *__restrict__ out,
                               int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  int one = 0, two = 0, unknown = 0;
  for (int k = from; k < end; ++k) { // loop: blocks
    uint4 four = genotypes[k];
    unsigned low = (four.x & 0x55555555u) | (four.y & 0x55555555u) << 1;
    unsigned high = (four.x >> 1 & 0x55555555u) | (four.y & 0xaaaaaaaau);
    unsigned other_low = (four.z & 0x55555555u) | (four.w & 0x55555555u) << 1;
    unsigned other_high = (four.z >> 1 & 0x55555555u) | (four.w & 0xaaaaaaaau);
    one += __popc(high & ~low) + __popc(other_high & ~other_low);
    two += __popc(high & low) + __popc(other_high & other_low);
    unknown += __popc(low & ~high) + __popc(other_low & ~other_high);
  }
  float known = (float)(64 * (end - from) - unknown);
  float share = (float)(one + 2 * two) / (2.0f * known + 1.0f);
  float mixed = 2.0f * share * (1.0f - share) * known, off = (float)one - mixed;
  out[item] = off * off / (mixed + 1.0f);
}
