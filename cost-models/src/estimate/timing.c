// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch takes in time, as it is and with the lanes of each warp alike, over all that nobody
// told of caches and arrays.
#include "estimate/timing.h"

#include <math.h>
#include <string.h>

// What the model is off by where all is told, as a factor: of the time, and of the ratio of two.
#define TIME_FACTOR 2.0
#define RATIO_FACTOR 1.25

static const char *const names[] = {"code", "machine", "grid", "trips"};

const char *dc_time_unknown_name(dc_time_unknown unknown) { return names[unknown]; }

int dc_time_unknown_parse(const char *name) {
  for (int k = DC_TIME_CODE; k <= DC_TIME_TRIPS; ++k)
    if (strcmp(names[k], name) == 0)
      return k;
  return -1;
}

typedef struct timing {
  dc__plan *plan;
  dc_walk *walk;
  dc_clock clock;
  dc__warps warps;
  dc_flow flow[DC_CHOICE_COUNT][2]; // with sides that are drawn; and with items that are alike
  bool first;
  dc_time_estimate *out;
} timing;

// ---- what is known ------------------------------------------------------------------------------

// Whether enough is known; else *unknown says what isn't.
static bool is_known(const dc__plan *p, const dc_walk *walk, const dc_estimate *of,
                     dc_time_unknown *unknown) {
  bool machine =
      p->arch->machine.known && of->occupancy.known && of->occupancy.high.blocks > 0;
  bool grid = p->launch->grid[0] != 0;
  bool trips = !walk->used_assumed && !walk->used_distribution && !walk->used_length;
  *unknown = !machine ? DC_TIME_MACHINE : !grid ? DC_TIME_GRID : DC_TIME_TRIPS;
  return machine && grid && trips;
}

// ---- launches -----------------------------------------------------------------------------------

static void widen(dc_interval *interval, double low, double high, bool first) {
  interval->low = first ? low : fmin(interval->low, low);
  interval->high = first ? high : fmax(interval->high, high);
}

static void add_case(timing *t, const dc_machine *machine, const dc_time *as_is,
                     const dc_time *alike) {
  dc_time_estimate *out = t->out;
  double now = as_is->cycles / machine->clock, then = alike->cycles / machine->clock;
  double low = machine->launch_low, high = machine->launch_high;
  widen(&out->seconds, (now + low) / TIME_FACTOR, (now + high) * TIME_FACTOR, t->first);
  widen(&out->alike, (then + low) / TIME_FACTOR, (then + high) * TIME_FACTOR, t->first);
  double ratio = (now + high) / (then + high);
  for (unsigned k = 0; k < 2; ++k) {
    double of = k ? ratio * RATIO_FACTOR : ratio / RATIO_FACTOR;
    double lost = of > 1 ? 1 - 1 / of : of - 1;
    out->lost_low = t->first && k == 0 ? lost : fmin(out->lost_low, lost);
    out->lost_high = t->first && k == 0 ? lost : fmax(out->lost_high, lost);
  }
  if (t->first) {
    double launch = low * machine->clock, all = as_is->cycles + launch;
    for (unsigned k = 0; k < DC_BOUND_COUNT; ++k) {
      out->bounds[k] = (k == DC_BOUND_LAUNCH ? launch : as_is->bounds[k]) / all;
      out->bound = out->bounds[k] > out->bounds[out->bound] ? (uint8_t)k : out->bound;
    }
  }
  t->first = false;
}

static dc_status time_warps(timing *t, bool alike, dc_choice choice, const dc_estimate *of,
                            unsigned resident, dc_time *out, dc_error *error) {
  dc_status status = dc__warps_walk(t->plan, t->walk, &t->clock, of, &t->flow[choice][alike], alike,
                                    choice, &t->warps, error);
  dc_time_grid grid = t->clock.setting->grid;
  grid.resident = resident;
  if (status == DC_OK)
    status = dc_time_of_launch(t->clock.setting->machine, &grid, t->warps.warps, t->warps.n_warps,
                               t->warps.demands, out, error);
  return status;
}

static dc_status time_setting(timing *t, const dc__setting *setting, dc_choice choice,
                              const dc_estimate *of, dc_error *error) {
  dc_time as_is, alike;
  dc_status status = dc__clock_set(&t->clock, setting, of, error);
  if (status == DC_OK)
    status = time_warps(t, false, choice, of, setting->grid.resident, &as_is, error);
  if (status == DC_OK) // the bodies are another flow's
    status = dc__clock_set(&t->clock, setting, of, error);
  if (status == DC_OK)
    status = time_warps(t, true, choice, of, setting->grid.resident, &alike, error);
  if (status == DC_OK)
    add_case(t, setting->machine, &as_is, &alike);
  return status;
}

static dc_status time_all(timing *t, dc_estimate *of, dc_error *error) {
  const dc__plan *p = t->plan;
  const uint32_t *block = p->launch->block, *grid = p->launch->grid;
  bool extents = dc__misses_rest_on_extents(p->kernel, of);
  bool l2 = p->kernel->l2 == DC_L2_ANY;
  dc_status status = DC_OK;
  of->time.assumed_l2 = l2;
  of->time.assumed_extents = extents;
  for (unsigned worse = 0; worse < (l2 || extents ? 2u : 1u); ++worse)
    for (unsigned few = 0; few < 2; ++few) {
      const dc_occupancy *occupancy = few ? &of->occupancy.low : &of->occupancy.high;
      if (few && (occupancy->blocks == of->occupancy.high.blocks || occupancy->blocks == 0))
        continue;
      unsigned resident = occupancy->blocks;
      uint64_t shared = (uint64_t)resident * (p->kernel->resources.shared + p->launch->shared);
      uint64_t l1 = p->arch->machine.l1_bytes;
      dc__setting setting = {
          .machine = &p->arch->machine,
          .grid = {(uint64_t)grid[0] * grid[1] * grid[2],
                   (block[0] * block[1] * block[2] + DC_WARP - 1) / DC_WARP, resident},
          .l1_bytes = shared < l1 ? l1 - shared : 0,
          .warm = l2 ? !worse : p->kernel->l2 == DC_L2_WARM,
          .footprint = worse && extents ? DC_FOOTPRINT_LARGE : DC_FOOTPRINT_SMALL};
      status = time_setting(t, &setting, DC_CHOICE_EVEN, of, error);
      if (status == DC_OK && p->used_choice)
        status = time_setting(t, &setting, DC_CHOICE_RARE, of, error);
      if (status != DC_OK)
        return status;
    }
  return DC_OK;
}

dc_status dc__estimate_time(dc__plan *p, dc_walk *walk, dc_estimate *out, dc_error *error) {
  timing t = {.plan = p, .walk = walk, .first = true, .out = &out->time};
  dc_time_unknown unknown;
  out->time.known = is_known(p, walk, out, &unknown);
  if (!out->time.known) {
    out->time.unknown = (uint8_t)unknown;
    return DC_OK;
  }
  dc__draws_find(p, out);
  dc_status status = dc__clock_begin(p->kernel, p->arch, &t.clock, error);
  for (unsigned k = 0; k < 2 * DC_CHOICE_COUNT && status == DC_OK; ++k) {
    dc_choice choice = (dc_choice)(k / 2);
    dc_ways ways = {choice, k % 2 ? DC_CHOICE_ALIKE : choice, true};
    status = dc__flow_build(p->kernel, p->facts, p->arch, ways, &t.flow[choice][k % 2], error);
  }
  if (status == DC_OK)
    status = time_all(&t, out, error);
  for (unsigned k = 0; k < 2 * DC_CHOICE_COUNT; ++k)
    dc__flow_free(&t.flow[k / 2][k % 2]);
  dc__clock_free(&t.clock);
  dc__warps_free(&t.warps);
  return status;
}
