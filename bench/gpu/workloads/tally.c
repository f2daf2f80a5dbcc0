// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

tally *workload_tally(workload *w, unsigned line, tally_quality quality) {
  if (w->n_tallies == TALLIES_MAX) {
    fprintf(stderr, "%s: more than %d tallies\n", w->of->name, TALLIES_MAX);
    exit(1);
  }
  tally *added = &w->tallies[w->n_tallies++];
  *added = (tally){.line = line, .quality = quality, .dependent = w->grouped};
  return added;
}

static void count_lane(tally *t, int32_t trips) {
  if ((size_t)trips >= t->size) {
    size_t size = 2 * (size_t)trips + 64;
    double *histogram = workload_memory(size, sizeof *histogram);
    if (t->size)
      memcpy(histogram, t->histogram, t->size * sizeof *histogram);
    free(t->histogram);
    t->histogram = histogram;
    t->size = size;
  }
  t->histogram[trips] += 1;
}

void tally_warp(tally *t, const int32_t trips[WARP]) {
  unsigned lanes = 0, distinct = 0;
  int32_t greatest = 0;
  for (unsigned lane = 0; lane < WARP; ++lane) {
    if (trips[lane] < 0)
      continue;
    ++lanes;
    count_lane(t, trips[lane]);
    t->trips += trips[lane];
    greatest = trips[lane] > greatest ? trips[lane] : greatest;
    unsigned before = 0;
    while (before < lane && trips[before] != trips[lane])
      ++before;
    distinct += before == lane && trips[lane] > 0;
  }
  t->entries += lanes > 0;
  t->lanes += lanes;
  t->iterations += greatest;
  t->exits += distinct > 1 ? distinct - 1 : 0;
}

void tally_threads(tally *t, const int32_t *trips, size_t count) {
  for (size_t first = 0; first < count; first += WARP) {
    int32_t lanes[WARP];
    for (unsigned lane = 0; lane < WARP; ++lane)
      lanes[lane] = first + lane < count ? trips[first + lane] : -1;
    tally_warp(t, lanes);
  }
}

void tally_image(const workload *w, tally *t, const int32_t *trips, unsigned width,
                 unsigned height) {
  unsigned threads = w->block[0] * w->block[1];
  t->dependent = true;
  for (unsigned block = 0; block < w->grid[0] * w->grid[1]; ++block)
    for (unsigned first = 0; first < threads; first += WARP) {
      int32_t lanes[WARP];
      for (unsigned lane = 0; lane < WARP; ++lane) {
        unsigned thread = first + lane;
        unsigned x = block % w->grid[0] * w->block[0] + thread % w->block[0];
        unsigned y = block / w->grid[0] * w->block[1] + thread / w->block[0];
        bool inside = thread < threads && x < width && y < height;
        lanes[lane] = inside ? trips[(size_t)y * width + x] : -1;
      }
      tally_warp(t, lanes);
    }
}

double tally_efficiency(const tally *t) {
  return t->iterations > 0 ? t->trips / (WARP * t->iterations) : 1;
}

const char *tally_quality_name(tally_quality quality) {
  switch (quality) {
  case TALLY_EXACT:
    return "exact";
  case TALLY_ROUNDING:
    return "rounding";
  case TALLY_ORDER:
    return "order";
  }
  return "";
}
