// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nobody knows is drawn: trip counts from a loop's distribution, or as an estimate would
// assume them. A draw is a function of seed, warp, lane, site and entry, so it is the same whatever
// the order in which lanes are executed, and under all rules.
#include "emulator/emulator_internal.h"

#include "divcost/assumed.h"
#include "divcost/random.h"

static void counter_of(const dc_emulator *e, uint32_t lane, uint32_t site, uint32_t entry,
                       uint32_t counter[4]) {
  counter[0] = e->options.warp;
  counter[1] = lane;
  counter[2] = site;
  counter[3] = entry;
}

double dc__emulator_draw(const dc_emulator *e, uint32_t lane, uint32_t site, uint32_t entry) {
  uint32_t counter[4];
  counter_of(e, lane, site, entry, counter);
  return dc_random_unit(e->options.seed, counter);
}

// Whether all lanes of this warp have one draw, as a correlation between them asks for.
static bool has_one_draw(const dc_emulator *e, uint32_t loop, uint32_t entry) {
  const dc_kernel *kernel = e->program->kernel;
  uint32_t site = 2 * kernel->n_loops + kernel->n_blocks + loop; // behind those of other draws
  double correlation = kernel->loops[loop].correlation;
  return correlation > 0 && dc__emulator_draw(e, DC_NONE, site, entry) < correlation;
}

static int64_t draw_trips(dc_emulator *e, uint32_t loop, unsigned lane) {
  const dc_loop *data = &e->program->kernel->loops[loop];
  uint32_t entry = e->entries[(size_t)loop * DC_LANES + lane], counter[4];
  bool alike = data->level < DC_DIVERGENT;
  bool strided = data->loop_class == DC_CLASS_STRIDED;
  const dc_sampler *distribution =
      e->options.distributions ? &e->options.distributions[loop] : NULL;
  counter_of(e, alike ? DC_NONE : lane, loop, entry, counter);
  bool has_distribution = dc_kernel_text(e->program->kernel, data->distribution)[0] != 0;
  if (e->options.exact && (has_distribution || (!alike && !strided)))
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "a trip count would have to be drawn");
  if (distribution && distribution->count) {
    e->counts.uses_assumed |= data->trips_from == DC_FROM_ASSUMED;
    if (has_one_draw(e, loop, entry))
      counter[1] = DC_NONE;
    return dc_draw(distribution, e->options.seed, counter);
  }
  e->counts.uses_assumed = true;
  const dc_sampler *assumed = e->options.assumed_within;
  assumed = assumed && assumed[loop].count ? &assumed[loop] : e->options.assumed_distribution;
  if (!alike && !strided && assumed)
    return dc_draw(assumed, e->options.seed, counter);
  int64_t trips = dc__alike_trips(e, loop);
  return trips - (strided && trips > 0 && !alike && lane >= e->options.lanes / 2);
}

int64_t dc__alike_trips(const dc_emulator *e, uint32_t loop) {
  return dc_trips_assumed(dc_most_trips(e->program->kernel, loop));
}

int64_t dc__drawn_trips(dc_emulator *e, uint32_t loop, unsigned lane) {
  int64_t *trips = &e->drawn[(size_t)loop * DC_LANES + lane];
  if (*trips < 0)
    *trips = draw_trips(e, loop, lane);
  return *trips;
}
