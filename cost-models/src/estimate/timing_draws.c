// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trip counts of one warp's lanes. The longest lane of the main loop is given, for warps whose
// longest is rare decide when a launch ends: it is at the quantile longest^(1/lanes), and the
// others are anywhere below.
#include "estimate/timing.h"

#include "divcost/random.h"

#include <math.h>
#include <stdlib.h>

#define SEED 0x74696d65u

// NULL: memory is out.
static const double *cumulative(dc_distribution_entry *entry) {
  const dc_distribution *of = &entry->distribution;
  if (entry->at_most || !(entry->at_most = malloc(of->count * sizeof *entry->at_most)))
    return entry->at_most;
  double sum = 0;
  for (size_t k = 0; k < of->count; ++k)
    entry->at_most[k] = sum += of->points[k].mass;
  return entry->at_most;
}

// The least value that at least so many have; the mean where memory is out.
static double quantile(dc_distribution_entry *entry, double share) {
  const double *at_most = cumulative(entry);
  size_t low = 0, high = entry->distribution.count - 1;
  if (!at_most)
    return entry->mean;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (share < at_most[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return (double)entry->distribution.points[low].value;
}

static double unit(const dc__draws *draws, uint32_t loop, uint32_t entry, uint32_t what) {
  return dc_random_unit(SEED, (uint32_t[4]){draws->warp, loop, what, entry});
}

// The same for all lanes of a warp: the warps fill 0 to 1 evenly.
static double unit_of_warp(const dc__draws *draws, uint32_t loop, uint32_t entry) {
  double turns = draws->warp * 0.6180339887498949 +
                 dc_random_unit(SEED, (uint32_t[4]){UINT32_MAX, loop, 0, entry});
  return turns - floor(turns);
}

// Of the main loop the entry that has the warp's longest lane.
static uint32_t longest_entry(const dc__draws *draws) {
  return (uint32_t)(unit(draws, draws->main, 0, DC_WARP + 3) * draws->entries);
}

static unsigned nth_lane(uint32_t set, unsigned n) {
  for (; n > 0; --n)
    set &= set - 1;
  return dc__first_lane(set);
}

// What lanes draw is the same whichever of them are left: other loops by the same number draw it
// again.
void dc__draw_trips(dc__draws *draws, uint32_t what, uint32_t entry, double correlation,
                    dc_distribution_entry *distribution, uint32_t set, double *counts) {
  bool is_main = what == draws->main, has_longest = is_main && entry == longest_entry(draws);
  bool alike = correlation >= 1 || unit(draws, what, entry, DC_WARP) < correlation;
  if (is_main && draws->among == 0)
    draws->among = set;
  unsigned size = dc__lanes_count(draws->among);
  double most = is_main ? pow(draws->longest, 1 / (draws->entries * (alike ? 1 : size))) : 1;
  unsigned longest = (unsigned)(unit(draws, what, entry, DC_WARP + 1) * size);
  double one = quantile(distribution, has_longest ? most
                                      : entry == 0 && !is_main
                                          ? unit_of_warp(draws, what, 0)
                                          : most * unit(draws, what, entry, DC_WARP + 2));
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    bool is_one = alike || (has_longest && lane == nth_lane(draws->among, longest));
    counts[lane] = is_one ? one : quantile(distribution, most * unit(draws, what, entry, lane));
  }
}

void dc__draw_sorted(const dc__draws *draws, uint32_t what, uint32_t entry,
                     dc_distribution_entry *distribution, uint32_t set, double *counts) {
  bool is_main = what == draws->main;
  unsigned size = dc__lanes_count(set), nth = 0;
  double most = is_main ? pow(draws->longest, 1 / draws->entries) : 1;
  double middle = is_main && entry == longest_entry(draws) ? most
                  : entry == 0 && !is_main ? unit_of_warp(draws, what, 0)
                                           : most * unit(draws, what, entry, DC_WARP + 2);
  double wide = draws->warp_share / (is_main ? draws->entries : 1);
  // The longest items of all are in one warp.
  double begin = middle >= 1 - wide ? 1 - wide : fmax(middle - wide / 2, 0);
  for (uint32_t rest = set; rest; rest &= rest - 1, ++nth) {
    double place = (nth + 0.5) / size;
    counts[dc__first_lane(rest)] = quantile(distribution, begin + place * wide);
  }
}

uint32_t dc__draw_side(const dc__draws *draws, uint32_t branch, double share, uint32_t set) {
  uint32_t takes = 0, what = dc__draw_of_branch(branch);
  if (dc__is_alike(&draws->alike, what))
    return unit_of_warp(draws, what, 0) < share ? set : 0;
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    takes |= (uint32_t)(unit(draws, what, 0, lane) < share) << lane;
  }
  return takes;
}
