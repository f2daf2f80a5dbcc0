// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch's time, whichever way its blocks come to run; and what a moment of it goes to.
#include "time/time_internal.h"

#include <math.h>
#include <string.h>

// Standard deviations by which the most of 132 SMs, or so many, is above their mean: the expected
// maximum of 132 normal numbers.
#define MOST_OF_SMS 2.6

static const char *const names[DC_BOUND_COUNT] = {
    "issue", "pipe", "l1", "l2", "dram", "latency", "longest-warp", "tail", "launch"};

const char *dc_bound_name(dc_bound bound) { return names[bound]; }

int dc_bound_parse(const char *name) {
  for (int bound = 0; bound < DC_BOUND_COUNT; ++bound)
    if (strcmp(names[bound], name) == 0)
      return bound;
  return -1;
}

static dc_bound bound_of(dc_use use) {
  switch (use) {
  case DC_USE_ISSUE:
    return DC_BOUND_ISSUE;
  case DC_USE_L1:
    return DC_BOUND_L1;
  case DC_USE_L2:
    return DC_BOUND_L2;
  case DC_USE_DRAM:
    return DC_BOUND_DRAM;
  default:
    return DC_BOUND_PIPE;
  }
}

// 1 and the fourth powers of what is asked for.
static double sum_of(const double asked[DC_USE_COUNT]) {
  double sum = 1;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    sum += asked[use] * asked[use] * asked[use] * asked[use];
  return sum;
}

double dc__slowdown(const double asked[DC_USE_COUNT]) { return sqrt(sqrt(sum_of(asked))); }

void dc__pass_time(double length, const double asked[DC_USE_COUNT], dc_bound waits, dc_time *out) {
  double sum = sum_of(asked), cycles = length * sqrt(sqrt(sum));
  out->cycles += cycles;
  out->bounds[waits] += cycles / sum;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    out->bounds[bound_of((dc_use)use)] +=
        cycles * asked[use] * asked[use] * asked[use] * asked[use] / sum;
}

dc_demand dc__warp_total(const dc__launch *launch, uint32_t warp) {
  const dc_time_warp *of = &launch->warps[warp];
  dc_demand total = {0};
  for (uint32_t k = 0; k < of->segments; ++k) {
    const dc_demand *segment = &launch->demands[of->first + k];
    total.cycles += segment->cycles;
    total.spread += segment->spread;
    for (unsigned use = 0; use < DC_USE_COUNT; ++use)
      total.use[use] += segment->use[use];
  }
  return total;
}

double dc__last_of(const dc__launch *launch, double warps) {
  return sqrt(fmax(launch->mean.spread, 0)) * log2(fmax(warps, 1));
}

double dc__warps_asking(const dc__launch *launch, dc_use use, double warps, double blocks) {
  const dc_machine *machine = launch->machine;
  if (use != DC_USE_L2 && use != DC_USE_DRAM)
    return warps * launch->unequal[use];
  // The GPU's, of which an SM gets more where others ask for less; up to what it can take in.
  double alone = use == DC_USE_L2 ? machine->l2_sector_alone / machine->l2_sector
                                  : machine->dram_sector_alone / machine->dram_sector;
  return fmax(blocks * launch->grid->warps / machine->sms, warps * alone);
}

// Warps differ, so an SM may have more than its share; not where they are dealt out in order. Where
// blocks wait for whoever is done first, only what is left at the end may: of so many waves one.
static void find_unequal(dc__launch *launch) {
  const dc_time_grid *grid = launch->grid;
  double square[DC_USE_COUNT] = {0};
  for (uint32_t k = 0; k < launch->n_warps; ++k) {
    dc_demand total = dc__warp_total(launch, k);
    double weight = launch->warps[k].weight;
    launch->mean.cycles += weight * total.cycles;
    launch->mean.spread += weight * total.spread;
    for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
      launch->mean.use[use] += weight * total.use[use];
      square[use] += weight * total.use[use] * total.use[use];
    }
  }
  double warps = (double)grid->blocks * grid->warps / launch->machine->sms;
  double waves = fmax((double)grid->blocks / grid->resident / launch->machine->sms, 1);
  for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
    double mean = launch->mean.use[use];
    double variance =
        mean > 0 && !grid->longest_first ? fmax(square[use] / (mean * mean) - 1, 0) : 0;
    launch->unequal[use] = 1 + MOST_OF_SMS * sqrt(variance / fmax(warps, 1) / waves);
  }
}

dc_status dc_time_of_launch(const dc_machine *machine, const dc_time_grid *grid,
                            const dc_time_warp *warps, uint32_t n_warps, const dc_demand *demands,
                            dc_time *out, dc_error *error) {
  dc__launch launch = {
      .machine = machine, .grid = grid, .warps = warps, .n_warps = n_warps, .demands = demands};
  *out = (dc_time){0};
  find_unequal(&launch);
  bool at_once = grid->blocks <= (uint64_t)grid->resident * machine->sms;
  return at_once ? dc__time_at_once(&launch, out, error) : dc__time_in_waves(&launch, out, error);
}
