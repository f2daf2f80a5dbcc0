// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for memory (kernels/memory.cu): what is measured, and the trip counts that the
// kernels are given. Counts are made from seeds, so the analysis makes the same ones again.
#ifndef DIVCOST_BENCH_MEMORY_WALK_H
#define DIVCOST_BENCH_MEMORY_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "divcost/distribution.h"
#include "divcost/error.h"

enum {
  WALK_LANES = 32,
  WALK_TRIPS_LOG2 = 14, // rows of trip counts
  WALK_TRIPS = 1 << WALK_TRIPS_LOG2,
  WALK_ROW = 4096, // bytes of a row of memory
  WALK_SHORT = 16, // iterations of the two loops whose difference is the cost of an iteration
  WALK_LONG = 48
};

// Where the data is: in the L1 cache, the L2 cache, or the device's memory.
typedef struct walk_level {
  const char *name;
  bool cached; // loads that go through the L1 cache
  int rows_log2;
} walk_level;

// Which lanes load from the same sector, and how far apart the sectors are: 32 bytes, so that four
// are in a line of the cache, or 128.
typedef struct walk_layout {
  int lanes_log2, spacing;
} walk_layout;

enum { WALK_LEVELS = 3, WALK_LAYOUTS = 7, WALK_LAWS = 5 };
extern const walk_level walk_levels[WALK_LEVELS];
extern const walk_layout walk_layouts[WALK_LAYOUTS];
extern const char *const walk_laws[WALK_LAWS];

// The index of a level by its name and of a law by its text; -1 if there is none.
int walk_level_find(const char *name);
int walk_law_find(const char *text);

// Row r of a level's memory says in each sector where the walk goes on: a cycle through all rows.
unsigned walk_next(const walk_level *level, unsigned row);

// Fills WALK_TRIPS rows of WALK_LANES counts: 1 in `active` lanes, which differ from row to row, 0
// in the others; active 1 .. WALK_LANES.
void walk_subsets(unsigned active, uint16_t *trips);

// A law's distribution, cut where it no longer matters: dc_distribution_free releases it.
dc_status walk_distribution(const char *law, dc_distribution *distribution, dc_error *error);

// Fills WALK_TRIPS rows of WALK_LANES counts with independent draws; the values of the distribution
// are less than 65536.
dc_status walk_draw(const dc_distribution *distribution, uint16_t *trips, dc_error *error);

#endif
