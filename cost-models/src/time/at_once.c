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

static void sweep(const dc__launch *launch, const event *events, uint32_t n, dc_time *out) {
  double blocks = (double)launch->grid->blocks, sms = launch->machine->sms;
  double warps = ceil(blocks / sms) * launch->grid->warps, all = blocks * launch->grid->warps;
  double left = 0, now = 0, rate[DC_USE_COUNT] = {0}, of[DC_USE_COUNT];
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    of[use] = dc__warps_asking(launch, (dc_use)use, warps, blocks);
  for (uint32_t k = 0; k < n; ++k) {
    const event *next = &events[k];
    if (next->at > now) {
      double asked[DC_USE_COUNT];
      for (unsigned use = 0; use < DC_USE_COUNT; ++use)
        asked[use] = fmax(rate[use], 0) * of[use];
      // That any is still there: E[max] is the integral of P(max > v).
      double some = left < 1 ? -expm1(all * log1p(-fmax(left, 0))) : 1;
      dc__pass_time((next->at - now) * some, asked,
                    left < HALF ? DC_BOUND_LONGEST : DC_BOUND_LATENCY, out);
      now = next->at;
    }
    left += next->share;
    for (unsigned use = 0; use < DC_USE_COUNT; ++use)
      rate[use] += next->share * next->demand->use[use] / next->demand->cycles;
  }
  const double nothing[DC_USE_COUNT] = {0};
  dc__pass_time(dc__last_of(launch, all), nothing, DC_BOUND_LATENCY, out);
  dc__pass_time((blocks - 1) * launch->machine->block_each, nothing, DC_BOUND_LAUNCH, out);
}

dc_status dc__time_at_once(const dc__launch *launch, dc_time *out, dc_error *error) {
  uint32_t segments = 0;
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    segments += launch->warps[k].segments;
  event *events = malloc((2u * segments + 1u) * sizeof *events);
  if (!events)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a launch's time");
  sweep(launch, events, list_events(launch, events), out);
  free(events);
  return DC_OK;
}
