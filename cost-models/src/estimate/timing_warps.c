// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warps of a launch, one by one. Where trip counts of an outermost loop have a distribution,
// each warp draws them for its lanes, and some stand for few: the rare ones that run longest decide
// when the launch ends. So do loops inside of one that runs a few times, in each of its iterations.
// Others take what is expected: over the iterations around it evens out. With the items alike, what
// is drawn is the same for all lanes, and a warp is one of its threads, 32 times; what differs from
// iteration to iteration of an item stays as it is, for no order of the items changes that.
#include "estimate/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BODY = 16,         // equal parts of the warps that aren't long ones
  TAIL_AT = 3,       // of which there are 2^-TAIL_AT, 2^-(TAIL_AT + 1) ...
  TAILS = 40,        // parts of these
  EVEN = 96,         // the same where what is drawn adds up
  SAMPLES = 24,      // warps of the launch, where nothing is drawn
  SAMPLES_DRAWN = 4, // of which each is drawn as often as there are parts
  FEWER = 4,         // of SAMPLES and SAMPLES_DRAWN one in so many, where few do
  LANES = 8,         // that stand for all of a warp
  OPERATIONS = 20000 // of the walk of a warp
};
#define FEW_ENTRIES 32 // of a loop by a warp that are drawn one by one
#define EVALUATIONS 2000000

void dc__warps_free(dc__warps *warps) {
  free(warps->warps);
  free(warps->demands);
  *warps = (dc__warps){0};
}

// ---- draws --------------------------------------------------------------------------------------

// Whether a loop's trips may differ between iterations of one around it.
static bool goes_by(const dc_kernel *kernel, uint32_t loop, uint32_t around) {
  dc_expr trips = kernel->loops[loop].trips;
  return trips == DC_NO_EXPR || dc_expr_mentions(&kernel->pool, trips, DC_OP_IV, around) ||
         dc_expr_mentions(&kernel->pool, trips, DC_OP_OPAQUE, -1);
}

// Whether iterations go from item to item: of a lane, or of all threads of a block together, the
// whole grid being a step.
static bool goes_over_items(const dc_kernel *kernel, const dc_loop *loop) {
  return loop->loop_class == DC_CLASS_STRIDED ||
         (loop->trips != DC_NO_EXPR &&
          dc_expr_mentions(&kernel->pool, loop->trips, DC_OP_NCTAID, -1));
}

// Trips that no loop around changes are the item's, and so are those that differ between iterations
// of loops over items.
static void find_draw(dc__plan *p, const dc_estimate *estimate, uint32_t loop) {
  const dc_loop *data = &p->kernel->loops[loop];
  dc_loop_facts *facts = &p->facts[loop];
  double entries = 1;
  bool has = data->level >= DC_DIVERGENT && facts->distribution >= 0 &&
             data->loop_class != DC_CLASS_STRIDED && data->depth <= DC_WALK_DEPTH &&
             !p->flow[0].detached[loop];
  bool few = true;
  facts->draws_by = 0;
  facts->of_item = has;
  for (uint32_t at = data->parent; at != DC_NONE && has; at = p->kernel->loops[at].parent) {
    const dc_loop *around = &p->kernel->loops[at];
    if (!goes_by(p->kernel, loop, at))
      continue;
    bool strided = goes_over_items(p->kernel, around);
    facts->draws_by |= UINT32_C(1) << (around->depth - 1);
    // In a triangle the item and the number of the iteration are all that decides.
    facts->of_item &= strided || dc__is_fixed(p->kernel, data->trips, at);
    entries *= fmax(1, estimate->loops[at].mean_trips.high);
    few &= entries <= FEW_ENTRIES && (around->level < DC_DIVERGENT || strided);
  }
  facts->drawn = has && few;
  for (uint32_t at = data->parent; at != DC_NONE && facts->drawn; at = p->kernel->loops[at].parent)
    p->facts[at].draws_inside |= facts->draws_by >> (p->kernel->loops[at].depth - 1) & 1;
}

void dc__draws_find(dc__plan *p, const dc_estimate *estimate) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    find_draw(p, estimate, loop);
}

static bool adds_up(const dc__plan *p) {
  bool any = false;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    any |= p->facts[loop].draws_inside;
  return any;
}

// The loop around whose iterations each draw a drawn loop's trips anew: DC_NONE where the trips are
// drawn once, or by several loops.
static uint32_t drawn_by(const dc__plan *p, uint32_t loop, bool *several) {
  uint32_t by = DC_NONE;
  *several = false;
  for (uint32_t at = p->kernel->loops[loop].parent; at != DC_NONE; at = p->kernel->loops[at].parent)
    if (p->facts[loop].draws_by >> (p->kernel->loops[at].depth - 1) & 1) {
      *several |= by != DC_NONE;
      by = at;
    }
  return by;
}

// The drawn loop that takes the most.
static void find_main(const dc__plan *p, const dc_estimate *estimate, dc__draws *draws) {
  uint32_t most = DC_NONE;
  draws->main = DC_NONE;
  draws->entries = 1;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    bool several;
    uint32_t by = drawn_by(p, loop, &several);
    if (!p->facts[loop].drawn || several ||
        (most != DC_NONE && estimate->loops[loop].body.high <= estimate->loops[most].body.high))
      continue;
    most = loop;
    draws->main = dc__draw_of(p->kernel, loop);
    draws->entries = by == DC_NONE ? 1 : fmax(1, rint(estimate->loops[by].mean_trips.high));
  }
}

// Parts of the warps, by how long their longest lane takes: the shares that take less.
static unsigned list_parts(double warps, unsigned body, double *ends) {
  unsigned n = 0;
  double tail = ldexp(1, -TAIL_AT);
  for (unsigned k = 1; k <= body; ++k)
    ends[n++] = (1 - tail) * k / body;
  for (unsigned k = 0; k < TAILS && tail * warps > 1; ++k) {
    tail /= 2;
    ends[n++] = 1 - tail;
  }
  ends[n - 1] = 1;
  return n;
}

// ---- warps --------------------------------------------------------------------------------------

static bool grow(void **list, uint32_t need, uint32_t *room, size_t size) {
  if (need <= *room)
    return true;
  uint32_t more = need > 2 * *room ? need : 2 * *room;
  void *grown = realloc(*list, more * size);
  if (!grown)
    return false;
  *list = grown;
  *room = more;
  return true;
}

static dc_status keep_warp(const dc_clock *clock, double weight, dc__warps *out, dc_error *error) {
  void *warps = out->warps, *demands = out->demands;
  bool grown = grow(&warps, out->n_warps + 1, &out->room_warps, sizeof *out->warps);
  out->warps = warps;
  grown = grown && grow(&demands, out->n_demands + DC_REGIONS * DC_CROWDS, &out->room_demands,
                        sizeof *out->demands);
  out->demands = demands;
  if (!grown)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the warps of a launch");
  dc_time_warp *warp = &out->warps[out->n_warps++];
  *warp = (dc_time_warp){weight, out->n_demands, 0};
  for (unsigned region = 0; region < DC_REGIONS; ++region) {
    dc_demand left = {0}; // of a crowd that has less than nothing: the last iteration's end
    for (unsigned crowd = 0; crowd < DC_CROWDS; ++crowd) {
      dc__demand_add(&left, &clock->segments.of[region][crowd], 1);
      if (!(left.cycles > 0))
        continue;
      for (unsigned use = 0; use < DC_USE_COUNT; ++use)
        left.use[use] = fmax(left.use[use], 0);
      out->demands[out->n_demands++] = left;
      left = (dc_demand){0};
    }
  }
  warp->segments = out->n_demands - warp->first;
  return DC_OK;
}

// What managing divergence takes, of a warp that was just walked.
static void add_managing(const dc__plan *p, const dc_walk *walk, dc_clock *clock) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    if (!walk->flow->detached[loop])
      dc__clock_wait(clock, loop, p->sums[loop].exits * p->arch->divergent_exit);
  dc__clock_wait(clock, DC_NONE, walk->executed.branches * p->arch->divergent_branch);
}

// All lanes do as this one.
static void copy_lane(dc_walk *walk, unsigned lane) {
  dc_expr_environment one = walk->environments[lane];
  for (unsigned k = 0; k < walk->lanes; ++k)
    walk->environments[k] = one;
}

typedef struct launch {
  dc__plan *plan;
  dc_walk *walk;
  dc_clock *clock;
  const dc_flow *flow;
  dc_scenario scenario;
  const uint32_t *grid;
  dc__draws draws;
  unsigned samples; // warps that stand for all, if not few
} launch;

static dc_status walk_one(launch *l, const dc_warp_sample *sample, unsigned lane, double weight,
                          dc__warps *out, dc_error *error) {
  dc_walk *walk = l->walk;
  dc__plan_begin(l->plan, l->scenario, l->grid, walk->operations, walk);
  walk->flow = l->flow;
  dc__plan_set_warp(l->plan, sample, l->grid, walk);
  l->draws.lane = lane % walk->lanes;
  if (l->draws.alike.any && l->draws.alike.only == DC_NONE)
    copy_lane(walk, l->draws.lane);
  for (dc_clock *clock = l->clock; clock; clock = clock->also)
    memset(&clock->segments, 0, sizeof clock->segments);
  walk->offset = 0.5;
  walk->clock = l->clock;
  l->draws.among = 0;
  walk->draws = &l->draws;
  dc__walk_warp(walk, l->plan->first_loop, 1, OPERATIONS);
  walk->clock = NULL;
  walk->draws = NULL;
  add_managing(l->plan, walk, l->clock);
  ++l->draws.warp;
  dc_status status = keep_warp(l->clock, weight, &out[0], error);
  if (status == DC_OK && l->clock->also)
    status = keep_warp(l->clock->also, weight, &out[1], error);
  return status;
}

static dc_status walk_drawn(launch *l, const dc_warp_sample *sample, double warps, dc__warps *out,
                            dc_error *error) {
  double ends[EVEN + TAILS], from = 0;
  unsigned n = list_parts(warps, adds_up(l->plan) ? EVEN / l->samples : BODY, ends);
  dc_status status = DC_OK;
  for (unsigned k = 0; k < n && status == DC_OK; ++k) {
    l->draws.longest = (from + ends[k]) / 2;
    status = walk_one(l, sample, 11 * k, sample->weight * (ends[k] - from), out, error);
    from = ends[k];
  }
  return status;
}

// The first lane may be the only one with work.
static dc_status walk_lanes(launch *l, const dc_warp_sample *sample, bool differ, dc__warps *out,
                            dc_error *error) {
  if (!differ)
    return walk_one(l, sample, 0, sample->weight, out, error);
  dc_status status = walk_one(l, sample, 0, sample->weight / DC_WARP, out, error);
  for (unsigned k = 1; k < LANES && status == DC_OK; ++k)
    status = walk_one(l, sample, k * DC_WARP / LANES,
                      sample->weight * (DC_WARP - 1) / DC_WARP / (LANES - 1), out, error);
  return status;
}

static bool goes_by_lane(const dc__plan *p) {
  bool on_lane = p->branches_on_lane;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    on_lane |= p->facts[loop].on_lane;
  return on_lane;
}

static bool has_drawn_branches(const dc__plan *p, const dc_flow *flow) {
  bool any = false;
  for (uint32_t k = 0; k < p->kernel->n_branches; ++k)
    any |= flow->drawn[k];
  return any;
}

dc_status dc__warps_walk(dc__plan *p, dc_walk *walk, dc_clock *clock, const dc_estimate *estimate,
                         const dc_flow *flow, const dc__way *way, dc__warps *out, dc_error *error) {
  uint32_t grid[3];
  dc_scenario scenario = {
      .value = 1024, .length = DC_LENGTH_MEAN, .spread = DC_SPREAD_NARROW, .choice = way->choice};
  for (unsigned k = 0; k <= (clock->also != NULL); ++k)
    out[k].n_warps = out[k].n_demands = 0;
  dc__plan_grid(p, scenario, grid);
  dc__plan_begin(p, scenario, grid, EVALUATIONS, walk);
  launch l = {.plan = p,
              .walk = walk,
              .clock = clock,
              .flow = flow,
              .scenario = scenario,
              .grid = grid,
              .draws = {.alike = way->alike}};
  find_main(p, estimate, &l.draws);
  bool drawn = adds_up(p) || l.draws.main != DC_NONE || has_drawn_branches(p, flow),
       differ = way->alike.any && goes_by_lane(p);
  unsigned most = drawn ? SAMPLES_DRAWN : SAMPLES, fewer = way->few ? FEWER : 1;
  unsigned n = dc__plan_choose_warps(p, grid, most / fewer, false, walk);
  n = dc__add_rare_blocks(p, grid, n, walk);
  l.samples = way->few ? most : n;
  const dc_time_grid *shape = &clock->setting->grid;
  double warps = (double)shape->blocks * shape->warps;
  l.draws.warp_share = 1 / warps;
  dc_status status = DC_OK;
  for (unsigned k = 0; k < n && status == DC_OK; ++k)
    status = drawn ? walk_drawn(&l, &p->samples[k], warps, out, error)
                   : walk_lanes(&l, &p->samples[k], differ, out, error);
  return status;
}
