// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of sequences of numbers, number by number.
#ifndef DIVCOST_ORACLE_HASH_H
#define DIVCOST_ORACLE_HASH_H

#include <stdint.h>

static inline uint64_t mix(uint64_t hash, uint64_t number) {
  uint64_t x = (hash ^ number) + UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31 ^ hash << 7;
}

#endif
