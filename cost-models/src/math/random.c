// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon et al. 2011, section 3.2).
#include "divcost/random.h"

enum { ROUNDS = 10 };

void dc_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < ROUNDS; ++round) {
    uint64_t left = (uint64_t)0xd2511f53u * c0, right = (uint64_t)0xcd9e8d57u * c2;
    c0 = (uint32_t)(right >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)right;
    c2 = (uint32_t)(left >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)left;
    k0 += 0x9e3779b9u; // the golden ratio
    k1 += 0xbb67ae85u; // sqrt(3) - 1
  }
  result[0] = c0;
  result[1] = c1;
  result[2] = c2;
  result[3] = c3;
}

void dc_random_pair(uint64_t seed, const uint32_t counter[4], double result[2]) {
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t words[4];
  dc_philox(counter, key, words);
  for (int i = 0; i < 2; ++i) {
    uint64_t bits = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
    result[i] = (double)(bits >> 11) * 0x1p-53;
  }
}

double dc_random_unit(uint64_t seed, const uint32_t counter[4]) {
  double pair[2];
  dc_random_pair(seed, counter, pair);
  return pair[0];
}
