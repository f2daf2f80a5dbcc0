// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch all of whose blocks run at the same time: their warps start together, so that all are at
// the same place of their own time, and as they end, those that are left ask for less.
#include "time/time_internal.h"

#include <math.h>
#include <stdlib.h>

#define HALF 0.5 // of the launch's warps

// A warp's segment begins or ends.
typedef struct event {
  double at;    // in the warps' own time
  double share; // of the launch's warps: that are here from now on, or (negative) were till now
  const dc_demand *demand;
} event;

static int compare(const void *x, const void *y) {
  const event *a = x, *b = y;
  return a->at < b->at ? -1 : a->at > b->at;
}

static uint32_t list_events(const dc__launch *launch, event *events) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < launch->n_warps; ++k) {
    const dc_time_warp *warp = &launch->warps[k];
    double at = 0;
    for (uint32_t s = 0; s < warp->segments; ++s) {
      const dc_demand *demand = &launch->demands[warp->first + s];
      if (!(demand->cycles > 0))
        continue;
      events[n++] = (event){at, warp->weight, demand};
      at += demand->cycles;
      events[n++] = (event){at, -warp->weight, demand};
    }
  }
  qsort(events, n, sizeof *events, compare);
  return n;
}

// What is asked for by how many warps are left, from the first event to the last.
typedef struct sweep {
  const dc__launch *launch;
  double all;                // warps
  double of[DC_USE_COUNT];   // warps that ask, of the SM that has most of them
  double even[DC_USE_COUNT]; // likewise, if SMs had the same number of blocks
  double time, work;         // till half of the warps are left: in their own time, of all of them
} sweep;

static sweep begin(const dc__launch *launch) {
  double blocks = (double)launch->grid->blocks, sms = launch->machine->sms;
  double per_block = launch->grid->warps;
  sweep s = {.launch = launch, .all = blocks * per_block};
  for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
    s.of[use] = dc__warps_asking(launch, (dc_use)use, ceil(blocks / sms) * per_block, blocks);
    s.even[use] = dc__warps_asking(launch, (dc_use)use, fmax(blocks / sms, 1) * per_block, blocks);
  }
  return s;
}

// `length` cycles in which this share of the warps is left and each of all asks for so much; *full:
// the same if the launch's end were as full as what was before.
static void pass(sweep *s, double length, double left, const double rate[DC_USE_COUNT],
                 dc_time *out, dc_time *full) {
  double asked[DC_USE_COUNT], even[DC_USE_COUNT], fewer = 1;
  // That any is still there: E[max] is the integral of P(max > v).
  double some = left < 1 ? -expm1(s->all * log1p(-fmax(left, 0))) : 1;
  bool ends = left < HALF;
  if (!ends) {
    s->time += length * some;
    s->work += length * left;
  } else if (s->time > 0 && some > 0) {
    fewer = fmax(left, 0) / some / (s->work / s->time);
  }
  for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
    asked[use] = fmax(rate[use], 0) * s->of[use];
    even[use] = fewer > 0 ? fmax(rate[use], 0) * s->even[use] / fewer : 0;
  }
  dc__pass_time(length * some, asked, ends ? DC_BOUND_LONGEST : DC_BOUND_LATENCY, out);
  dc__pass_time(length * some * fewer, even, DC_BOUND_LATENCY, full);
}

static void sweep_all(const dc__launch *launch, const event *events, uint32_t n, dc_time *out) {
  const double nothing[DC_USE_COUNT] = {0};
  double left = 0, now = 0, rate[DC_USE_COUNT] = {0};
  sweep s = begin(launch);
  dc_time full = {0};
  for (uint32_t k = 0; k < n; ++k) {
    const event *next = &events[k];
    if (next->at > now)
      pass(&s, next->at - now, left, rate, out, &full);
    now = next->at;
    left += next->share;
    for (unsigned use = 0; use < DC_USE_COUNT; ++use)
      rate[use] += next->share * next->demand->use[use] / next->demand->cycles;
  }
  double launching = (s.all / launch->grid->warps - 1) * launch->machine->block_each;
  dc__pass_time(dc__last_of(launch, s.all), nothing, DC_BOUND_LATENCY, out);
  dc__pass_time(launching, nothing, DC_BOUND_LAUNCH, out);
  out->full = full.cycles + launching;
}

dc_status dc__time_at_once(const dc__launch *launch, dc_time *out, dc_error *error) {
  uint32_t segments = 0;
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    segments += launch->warps[k].segments;
  event *events = malloc((2u * segments + 1u) * sizeof *events);
  if (!events)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a launch's time");
  sweep_all(launch, events, list_events(launch, events), out);
  free(events);
  return DC_OK;
}
