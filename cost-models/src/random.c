// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon et al. 2011, section 3.2) and Vose's alias tables on top of it.
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

size_t dc_sampler_bytes(const dc_distribution *distribution) {
  return distribution->count * sizeof(dc_alias);
}

// Columns that hold less than a share of 1 wait at the bottom of the work list, the others at its
// top; each of the small ones is filled up from a large one.
static void fill_columns(dc_alias *aliases, uint32_t count) {
  uint32_t small = 0, large = count;
  for (uint32_t i = 0; i < count; ++i) {
    if (aliases[i].threshold < 1)
      aliases[small++].work = i;
    else
      aliases[--large].work = i;
  }
  while (small > 0 && large < count) {
    uint32_t from = aliases[large].work, into = aliases[--small].work;
    aliases[into].other = from;
    aliases[from].threshold = (aliases[from].threshold + aliases[into].threshold) - 1;
    if (aliases[from].threshold < 1) {
      ++large;
      aliases[small++].work = from;
    }
  }
  // What is left is 1 but for rounding.
  while (small > 0)
    aliases[aliases[--small].work].threshold = 1;
  for (; large < count; ++large)
    aliases[aliases[large].work].threshold = 1;
}

dc_status dc_sampler_build(const dc_distribution *distribution, void *memory, size_t bytes,
                           dc_sampler *sampler, dc_error *error) {
  size_t count = distribution->count;
  if (!distribution->points || count == 0 || count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the distribution has %zu points, but must have 1 to %zu",
                   distribution->points ? count : 0, DC_POINTS_MAX);
  if (!memory || bytes < dc_sampler_bytes(distribution))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the memory for the sampler is %zu bytes, but must be %zu", memory ? bytes : 0,
                   dc_sampler_bytes(distribution));
  dc_alias *aliases = memory;
  for (size_t i = 0; i < count; ++i)
    aliases[i] = (dc_alias){distribution->points[i].mass * (double)count, (uint32_t)i, 0};
  fill_columns(aliases, (uint32_t)count);
  *sampler = (dc_sampler){distribution->points, aliases, count};
  return DC_OK;
}

int64_t dc_draw(const dc_sampler *sampler, uint64_t seed, const uint32_t counter[4]) {
  double pair[2];
  dc_random_pair(seed, counter, pair);
  size_t column = (size_t)(pair[0] * (double)sampler->count); // below count: pair[0] <= 1 - 2^-53
  const dc_alias *alias = &sampler->aliases[column];
  return sampler->points[pair[1] < alias->threshold ? column : alias->other].value;
}
