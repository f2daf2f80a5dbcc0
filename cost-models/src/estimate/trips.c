// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a loop's trip counts come from in one entry: its expression, evaluated in every active
// lane; its distribution; or an assumption. The order is that of estimate.h.
#include "estimate/estimate_internal.h"

#include <math.h>

#define LONG 65536        // iterations of a loop that runs very often
#define ASSUMED_SHIFT 3   // several values that aren't known are taken a factor of 8 apart
#define EVALUATE_MIN 2000 // operations that one lane's trip count may take, whatever the budget

// Gives all lanes the value of one.
static dc_lanes_value spread(dc_lanes_value of, unsigned from, uint32_t lanes, int64_t *values) {
  for (uint64_t rest = lanes; rest; rest &= rest - 1)
    values[dc__first_lane(rest)] = values[from];
  of.known = of.known ? lanes : 0;
  of.uses_assumed = of.uses_assumed ? lanes : 0;
  return of;
}

dc_lanes_value dc__walk_evaluate(dc_walk *walk, dc_expr expr, uint32_t lanes, uint64_t budget,
                                 int64_t assumed, bool several, int64_t *values) {
  bool alike = walk->draws && walk->draws->alike.any && walk->draws->alike.expr == expr;
  uint32_t of = alike ? UINT32_C(1) << walk->draws->lane : lanes;
  for (uint64_t rest = of; rest; rest &= rest - 1) {
    dc_expr_environment *environment = &walk->environments[dc__first_lane(rest)];
    environment->assumed = assumed;
    environment->assumed_shift = several ? ASSUMED_SHIFT : 0;
  }
  uint64_t share = of ? walk->operations / dc__lanes_count(of) : 0;
  dc_lanes_value result = dc__evaluate_lanes(&walk->kernel->pool, expr, walk->environments, of,
                                             share < budget ? share : budget, walk->alike, values);
  walk->operations -= result.operations;
  return alike ? spread(result, walk->draws->lane, lanes, values) : result;
}

int64_t dc__assumed_factor(const dc_walk *walk, unsigned degree) {
  if (degree < 2)
    return degree ? walk->assumed : 0;
  double root = floor(pow((double)walk->assumed, 1.0 / degree) + 1e-9);
  return root < 1 ? 1 : (int64_t)root;
}

// Gives lanes without a count that of the next lane before them that has one, or after them. Such
// lanes are those in which a number lies so near to an integer that it isn't known how it is
// rounded: they are off by one. False: too few lanes have a count for that to be the reason.
static bool take_from_neighbours(uint64_t lanes, uint64_t known, int64_t *counts) {
  if (2 * dc__lanes_count(known) < dc__lanes_count(lanes))
    return false;
  unsigned last = dc__first_lane(known);
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    if (known >> lane & 1)
      last = lane;
    else
      counts[lane] = counts[last];
  }
  return true;
}

// Evaluates the trips in every lane of the set (once, where one lane stands for all).
static bool evaluate(dc_walk *walk, uint32_t loop, const dc_active *in, double budget,
                     dc_trips *out) {
  const dc_loop_facts *facts = &walk->facts[loop];
  uint32_t lanes = facts->per_lane ? in->set : in->set & (~in->set + 1);
  int64_t counts[DC_WARP];
  dc_lanes_value result = dc__walk_evaluate(walk, walk->kernel->loops[loop].trips, lanes,
                                            (uint64_t)(budget / DC_WARP) + EVALUATE_MIN,
                                            walk->assumed, facts->unknown > 1, counts);
  bool near = result.known != lanes;
  if (near && (!facts->real || result.spent || !result.known ||
               walk->kernel->loops[loop].loop_class != DC_CLASS_LANE_AFFINE ||
               !take_from_neighbours(lanes, result.known, counts)))
    return false;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    int64_t count = counts[dc__first_lane(rest)];
    if (count < 0 || count > DC_TRIPS_MAX)
      return false;
  }
  for (uint64_t rest = in->set; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    out->count[lane] = (double)counts[dc__first_lane(facts->per_lane ? rest : lanes)];
  }
  bool rests = near || result.uses_assumed != 0;
  out->from = rests || (walk->grid_assumed && facts->on_grid) ? DC_FROM_ASSUMED : DC_FROM_DERIVED;
  for (unsigned depth = 0; depth < DC_WALK_DEPTH; ++depth)
    if (facts->around >> depth & 1 && walk->iv_from[depth] > out->from)
      out->from = walk->iv_from[depth];
  if (out->from == DC_FROM_RANGE) // which is another loop's
    out->from = DC_FROM_ASSUMED;
  return true;
}

static void set_all(dc_trips *out, double count) {
  for (unsigned lane = 0; lane < DC_WARP; ++lane)
    out->count[lane] = count;
}

static double assumed_length(dc_walk *walk, uint32_t loop) {
  int64_t most = walk->facts[loop].most;
  walk->used_length = true;
  walk->drawn |= walk->length != DC_LENGTH_MEAN && !walk->flow->detached[loop];
  int64_t trips = walk->length == DC_LENGTH_SHORT  ? 1
                  : walk->length == DC_LENGTH_MEAN ? dc_trips_assumed(most)
                                                   : LONG;
  return (double)(most >= 0 && trips > most ? most : trips);
}

// A number for the iterations of the loops around that the trips go by, 0 for the first.
static uint32_t entry_of(const dc_walk *walk, uint32_t loop) {
  uint32_t entry = 0;
  for (uint32_t at = walk->kernel->loops[loop].parent; at != DC_NONE;
       at = walk->kernel->loops[at].parent)
    if (walk->facts[loop].draws_by >> (walk->kernel->loops[at].depth - 1) & 1)
      entry = entry * 1009 + (uint32_t)(walk->iv[at] > 0 ? walk->iv[at] : 0);
  return entry;
}

// In one warp, of a loop with a distribution; what isn't drawn stays as expected: of items that are
// alike the mean, for there are many.
static void draw(dc_walk *walk, uint32_t loop, const dc_active *in, dc_trips *out) {
  const dc_loop_facts *facts = &walk->facts[loop];
  double correlation = walk->kernel->loops[loop].correlation;
  uint32_t what = dc__draw_of(walk->kernel, loop), entry = entry_of(walk, loop);
  bool alike = dc__is_alike(&walk->draws->alike, what) && facts->of_item;
  if (!facts->drawn && !alike)
    return;
  if (!facts->drawn)
    set_all(out, out->distribution->mean);
  else if (alike && correlation < 1)
    dc__draw_sorted(walk->draws, what, entry, out->distribution, in->set, out->count);
  else
    dc__draw_trips(walk->draws, what, entry, correlation, out->distribution, in->set, out->count);
  out->distribution = NULL;
}

// The first source that gives trips; see estimate.h for the order.
void dc__trips_find(dc_walk *walk, uint32_t loop, const dc_active *in, double budget,
                    dc_trips *out) {
  const dc_loop *data = &walk->kernel->loops[loop];
  const dc_loop_facts *facts = &walk->facts[loop];
  bool alike = data->level < DC_DIVERGENT;
  out->distribution = NULL;
  // Where lanes differ by threadIdx alone, the trips follow from it whatever the unknown values
  // are; elsewhere the difference of two assumed values means nothing.
  bool follows = facts->unknown <= 1 || data->loop_class == DC_CLASS_LANE_AFFINE;
  bool evaluated = facts->evaluable && follows && evaluate(walk, loop, in, budget, out);
  if (evaluated && (out->from < DC_FROM_ASSUMED || facts->distribution < 0)) {
    walk->used_assumed |= out->from == DC_FROM_ASSUMED;
    // What its branches do with the same assumed values is known for as many iterations.
    if (alike && out->from == DC_FROM_ASSUMED && !walk->flow->iterates[loop]) {
      set_all(out, assumed_length(walk, loop));
      out->from = facts->most >= 0 ? DC_FROM_RANGE : DC_FROM_ASSUMED;
    }
    return;
  }
  walk->drawn |= !alike && !walk->flow->detached[loop];
  if (facts->distribution >= 0) {
    out->from = (dc_from)data->trips_from;
    out->distribution = walk->distributions->entries[facts->distribution];
    if (alike) {
      set_all(out, out->distribution->mean);
      out->distribution = NULL;
    } else if (walk->draws) {
      draw(walk, loop, in, out);
    }
    return;
  }
  if (data->swaps && !alike) {
    out->from = DC_FROM_ASSUMED;
    dc__contention_turns(walk, (dc_swaps)data->swaps, in->set, out->count);
    for (uint64_t rest = in->set; rest && facts->most >= 0; rest &= rest - 1) {
      double *count = &out->count[dc__first_lane(rest)];
      *count = fmin(*count, (double)facts->most);
    }
    return;
  }
  out->from = facts->most >= 0 ? DC_FROM_RANGE : DC_FROM_ASSUMED;
  if (alike || data->loop_class == DC_CLASS_STRIDED) {
    double length = assumed_length(walk, loop);
    set_all(out, length);
    for (unsigned lane = walk->lanes / 2; !alike && length > 0 && lane < walk->lanes; ++lane)
      out->count[lane] = length - 1;
    return;
  }
  int64_t trips = dc_trips_assumed(facts->most);
  walk->used_distribution = true;
  // Bounds of floating point that could not be evaluated: nothing says that lanes differ by much.
  if (facts->real && data->loop_class == DC_CLASS_LANE_AFFINE && walk->spread != DC_SPREAD_BROAD &&
      walk->spread != DC_SPREAD_HEAVY) {
    set_all(out, (double)trips);
    return;
  }
  if (in->size == 1) { // waits for nobody, whatever the distribution; but how much does it weigh?
    set_all(out, walk->spread == DC_SPREAD_BROAD ? (double)trips : trips > 0);
    return;
  }
  int distribution = facts->assumed_distribution[walk->spread];
  if (distribution >= 0)
    out->distribution = walk->distributions->entries[distribution];
  else // not foreseen: this walk will be repeated with the distributions at hand
    set_all(out, (double)trips);
}
