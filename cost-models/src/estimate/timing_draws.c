// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trip counts of one warp's lanes. The longest lane of the main loop is given, for warps whose
// longest is rare decide when a launch ends: it is at the quantile longest^(1/lanes), and the
// others are anywhere below.
#include "estimate/timing.h"

#include "divcost/random.h"

#include <math.h>

#define SEED 0x74696d65u
#define BRANCH 0x80000000u // numbers of branches, beside those of loops

static double quantile(const dc_distribution *distribution, double share) {
  double sum = 0;
  for (size_t k = 0; k + 1 < distribution->count; ++k) {
    sum += distribution->points[k].mass;
    if (share < sum)
      return (double)distribution->points[k].value;
  }
  return (double)distribution->points[distribution->count - 1].value;
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

void dc__draw_trips(const dc__draws *draws, uint32_t what, uint32_t entry, double correlation,
                    const dc_distribution *distribution, uint32_t set, double *counts) {
  bool is_main = what == draws->main;
  bool alike = draws->alike || unit(draws, what, entry, DC_WARP) < correlation;
  unsigned size = dc__lanes_count(set), nth = 0;
  double most = !is_main ? 1 : alike ? draws->longest : pow(draws->longest, 1.0 / size);
  unsigned longest = (unsigned)(unit(draws, what, entry, DC_WARP + 1) * size);
  double one = quantile(distribution, is_main      ? most
                                      : entry == 0 ? unit_of_warp(draws, what, 0)
                                                   : unit(draws, what, entry, DC_WARP + 2));
  for (uint32_t rest = set; rest; rest &= rest - 1, ++nth) {
    unsigned lane = dc__first_lane(rest);
    bool is_one = alike || (is_main && nth == longest);
    counts[lane] = is_one ? one : quantile(distribution, most * unit(draws, what, entry, lane));
  }
}

uint32_t dc__draw_side(const dc__draws *draws, uint32_t branch, double share, uint32_t set) {
  uint32_t takes = 0;
  if (draws->alike)
    return unit_of_warp(draws, BRANCH + branch, 0) < share ? set : 0;
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    takes |= (uint32_t)(unit(draws, BRANCH + branch, 0, lane) < share) << lane;
  }
  return takes;
}
