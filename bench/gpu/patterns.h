// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the 32 lanes of a warp do in the benchmarks: limits of loops, or choices at branches. A
// pattern and its parameter say it all, so results name these and the analysis makes the lanes
// again.
#ifndef DIVCOST_BENCH_PATTERNS_H
#define DIVCOST_BENCH_PATTERNS_H

#include "divcost/error.h"

enum { LANES = 32 };

typedef enum pattern {
  PATTERN_PAPER,   // lane t: 32 - min(t, n), table I of Bialas and Strzelecki; n 0 .. 31
  PATTERN_ALONE,   // lane t: 32 - n + min(t, n): n lanes leave alone, the others stay; n 0 .. 31
  PATTERN_UNIFORM, // n in all lanes
  PATTERN_BLOCKS,  // n distinct counts down from 32 in steps of 1, side by side; n 1 .. 32
  PATTERN_INTERLEAVED, // the same counts, lane t has the (t % n)th
  PATTERN_GAPS,        // as the paper's with n = 7, but in steps of the parameter, 1 .. 4
  PATTERN_RANDOM,      // independent uniform counts 0 .. 32, the parameter is the seed
  PATTERN_SKIP,        // the last n lanes 0, the others 1; n 0 .. 32
  PATTERN_DEPTHS,      // lane t: t % n, so there are n groups of lanes; n 1 .. 32
  PATTERN_SHARES, // groups of g, g, ... lanes (the parameter) leave one after another from 32 on
                  // down, and the last ones stay longest; n 1 .. 32
  PATTERN_HALVES, // the more lanes leave before the fewer: 17, 8, 4, 2, 1 of 32, for the first n
                  // of the four times; the others stay; n 0 .. 4
  PATTERN_COUNT
} pattern;

// The name, and back: PATTERN_COUNT if it is none.
const char *pattern_name(pattern which);
pattern pattern_parse(const char *name);

// The values of the lanes. A parameter outside the range above is DC_ERROR_ARGUMENT.
dc_status pattern_lanes(pattern which, unsigned parameter, int lanes[LANES], dc_error *error);

#endif
