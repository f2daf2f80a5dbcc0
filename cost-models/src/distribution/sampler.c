// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vose's alias tables.
#include "divcost/sampler.h"

#include "divcost/random.h"

#include <stdlib.h>

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

dc_status dc_sampler_build(const dc_distribution *distribution, dc_sampler *sampler,
                           dc_error *error) {
  size_t count = distribution->count;
  *sampler = (dc_sampler){0};
  if (!distribution->points || count == 0 || count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the distribution has %zu points, but must have 1 to %zu",
                   distribution->points ? count : 0, DC_POINTS_MAX);
  dc_alias *aliases = malloc(count * sizeof *aliases);
  if (!aliases)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for drawing from %zu points", count);
  for (size_t i = 0; i < count; ++i)
    aliases[i] = (dc_alias){distribution->points[i].mass * (double)count, (uint32_t)i, 0};
  fill_columns(aliases, (uint32_t)count);
  *sampler = (dc_sampler){distribution->points, aliases, count};
  return DC_OK;
}

void dc_sampler_free(dc_sampler *sampler) {
  free(sampler->aliases);
  *sampler = (dc_sampler){0};
}

int64_t dc_draw(const dc_sampler *sampler, uint64_t seed, const uint32_t counter[4]) {
  double pair[2];
  dc_random_pair(seed, counter, pair);
  size_t column = (size_t)(pair[0] * (double)sampler->count); // below count: pair[0] <= 1 - 2^-53
  const dc_alias *alias = &sampler->aliases[column];
  return sampler->points[pair[1] < alias->threshold ? column : alias->other].value;
}
