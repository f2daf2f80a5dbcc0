// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns.h"

#include <string.h>

#include "divcost/random.h"

static const struct {
  const char *name;
  unsigned least, most;
} table[PATTERN_COUNT] = {
    [PATTERN_PAPER] = {"paper", 0, 31},
    [PATTERN_ALONE] = {"alone", 0, 31},
    [PATTERN_UNIFORM] = {"uniform", 0, 1000000},
    [PATTERN_BLOCKS] = {"blocks", 1, 32},
    [PATTERN_INTERLEAVED] = {"interleaved", 1, 32},
    [PATTERN_GAPS] = {"gaps", 1, 4},
    [PATTERN_RANDOM] = {"random", 0, 1000000},
    [PATTERN_SKIP] = {"skip", 0, 32},
    [PATTERN_SHARES] = {"shares", 1, 32},
    [PATTERN_HALVES] = {"halves", 0, 4},
    [PATTERN_DEPTHS] = {"depths", 1, 32},
};

const char *pattern_name(pattern which) { return table[which].name; }

pattern pattern_parse(const char *name) {
  unsigned which = 0;
  while (which < PATTERN_COUNT && strcmp(table[which].name, name) != 0)
    ++which;
  return (pattern)which;
}

static int random_value(unsigned seed, uint32_t lane) {
  return (int)(dc_random_unit(seed, (uint32_t[4]){lane, 0, 0, 0}) * (LANES + 1));
}

// 17 lanes leave first, then 8 of the 15, 4 of the 7, 2 of the 3: n times more lanes than stay.
static int halved(int n, int lane) {
  static const int last[] = {17, 25, 29, 31};
  int k = 0;
  while (k < n && lane >= last[k])
    ++k;
  return LANES - 4 * (n - k);
}

static int lane_value(pattern which, int n, int lane) {
  switch (which) {
  case PATTERN_PAPER:
    return LANES - (lane < n ? lane : n);
  case PATTERN_ALONE:
    return LANES - n + (lane < n ? lane : n);
  case PATTERN_UNIFORM:
    return n;
  case PATTERN_BLOCKS:
    return LANES - lane * n / LANES;
  case PATTERN_INTERLEAVED:
    return LANES - lane % n;
  case PATTERN_GAPS:
    return LANES - n * (lane < 7 ? lane : 7);
  case PATTERN_SKIP:
    return lane < LANES - n;
  case PATTERN_SHARES:
    return LANES - lane / n;
  case PATTERN_HALVES:
    return halved(n, lane);
  case PATTERN_DEPTHS:
    return lane % n;
  default:
    return 0;
  }
}

dc_status pattern_lanes(pattern which, unsigned parameter, int lanes[LANES], dc_error *error) {
  if (parameter < table[which].least || parameter > table[which].most)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the pattern %s has no parameter %u: %u .. %u",
                   table[which].name, parameter, table[which].least, table[which].most);
  for (int lane = 0; lane < LANES; ++lane)
    lanes[lane] = which == PATTERN_RANDOM ? random_value(parameter, (uint32_t)lane)
                                          : lane_value(which, (int)parameter, lane);
  return DC_OK;
}
