// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One replication: draws every lane's trip count, lets each warp run until its last lane is done,
// each block until its last warp is, and hands the blocks out to the places of a GPU.
#include "divcost/random.h"
#include "imbalance/simulate_internal.h"
#include "math/heapsort.h"
#include "math/sum.h"

#include <math.h>
#include <string.h>

// Where the lanes of a warp have counters 0, 1, ..., its type has this one.
#define TYPE_COUNTER 0xffffffffu

// ---- drawing -----------------------------------------------------------------------------------

static size_t draw_type(const dc_simulator *s, const uint32_t counter[4]) {
  const dc_group_type *types = s->simulation->types;
  double total = 0;
  for (size_t i = 0; i < s->simulation->count; ++i)
    total += types[i].weight;
  double rest = dc_random_unit(s->seed, counter) * total;
  size_t last = 0;
  for (size_t i = 0; i < s->simulation->count; ++i) {
    if (types[i].weight <= 0)
      continue;
    if (rest < types[i].weight)
      return i;
    rest -= types[i].weight;
    last = i;
  }
  return last; // rounding
}

// The counts of one warp's lanes. The lanes of an item take its iterations in turn.
static void draw_warp(const dc_simulator *s, uint64_t replication, uint64_t warp, int64_t *counts) {
  const dc_simulation *simulation = s->simulation;
  uint32_t counter[4] = {(uint32_t)replication, (uint32_t)warp, (uint32_t)(warp >> 32),
                         TYPE_COUNTER};
  const dc_sampler *sampler = &s->samplers[simulation->count > 1 ? draw_type(s, counter) : 0];
  unsigned share = simulation->lanes_per_item;
  for (unsigned lane = 0; lane < simulation->grid.lanes; lane += share) {
    counter[3] = lane;
    int64_t work = dc_draw(sampler, s->seed, counter);
    for (unsigned i = 0; i < share; ++i)
      counts[lane + i] = (work + share - 1 - i) / share;
  }
}

DC_HEAPSORT(sort, int64_t)

// ---- running -----------------------------------------------------------------------------------

// Lanes leave one after another, the one with the fewest iterations first. Sorts the counts.
static double cycles_of(const dc_iteration_cost *cost, int64_t *counts, unsigned lanes) {
  sort(counts, lanes);
  double cycles = 0;
  int64_t done = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    cycles += (double)(counts[i] - done) * dc_iteration_cycles(cost, lanes - i);
    done = counts[i];
  }
  return cycles;
}

typedef struct tally {
  dc_sum mean, maximum, imbalance, cycles, cost_imbalance, block;
} tally;

// Runs a warp; returns its cycles.
static double run_warp(const dc_simulation *simulation, int64_t *counts, tally *t) {
  unsigned lanes = simulation->grid.lanes;
  int64_t work = 0, longest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    work += counts[i];
    longest = counts[i] > longest ? counts[i] : longest;
  }
  double mean = (double)work / lanes, cycles = (double)longest, full = 1;
  if (simulation->cost) {
    cycles = cycles_of(simulation->cost, counts, lanes);
    full = dc_iteration_cycles(simulation->cost, lanes);
  }
  dc__sum_add(&t->mean, mean);
  dc__sum_add(&t->maximum, (double)longest);
  dc__sum_add(&t->imbalance, work > 0 ? (double)longest / mean : 1);
  dc__sum_add(&t->cycles, cycles);
  dc__sum_add(&t->cost_imbalance, work > 0 ? cycles / (mean * full) : 1);
  return cycles;
}

// Puts a block where a place gets free first: places is a heap with the earliest at its top.
static void place_block(double *places, uint64_t count, double cycles) {
  double moving = places[0] + cycles;
  uint64_t at = 0;
  for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && places[child + 1] < places[child])
      ++child;
    if (places[child] >= moving)
      break;
    places[at] = places[child];
  }
  places[at] = moving;
}

void dc__simulate_one(const dc_simulator *s, uint64_t replication, unsigned worker,
                      dc_record *record) {
  const dc_simulation *simulation = s->simulation;
  const dc_grid *grid = &simulation->grid;
  int64_t *counts = s->counts + worker * s->counts_each;
  double *places = s->places + worker * s->places_each;
  uint64_t warps = grid->blocks * grid->warps;
  tally t = {0};
  if (simulation->sorted) {
    for (uint64_t warp = 0; warp < warps; ++warp)
      draw_warp(s, replication, warp, counts + warp * grid->lanes);
    sort(counts, warps * grid->lanes);
  }
  memset(places, 0, s->places_each * sizeof *places);
  for (uint64_t block = 0; block < grid->blocks; ++block) {
    double longest = 0;
    for (unsigned i = 0; i < grid->warps; ++i) {
      uint64_t warp = block * grid->warps + i;
      int64_t *lanes = simulation->sorted ? counts + warp * grid->lanes : counts;
      if (!simulation->sorted)
        draw_warp(s, replication, warp, lanes);
      longest = fmax(longest, run_warp(simulation, lanes, &t));
    }
    dc__sum_add(&t.block, longest);
    place_block(places, s->places_each, longest);
  }
  double makespan = 0;
  for (uint64_t i = 0; i < s->places_each; ++i)
    makespan = fmax(makespan, places[i]);
  double n = (double)warps;
  record->field[DC_MEAN] = dc__sum_value(&t.mean) / n;
  record->field[DC_MAXIMUM] = dc__sum_value(&t.maximum) / n;
  record->field[DC_IMBALANCE] = dc__sum_value(&t.imbalance) / n;
  record->field[DC_CYCLES] = dc__sum_value(&t.cycles) / n;
  record->field[DC_COST_IMBALANCE] = dc__sum_value(&t.cost_imbalance) / n;
  record->field[DC_BLOCK] = dc__sum_value(&t.block) / (double)grid->blocks;
  record->field[DC_MAKESPAN] = makespan;
}
