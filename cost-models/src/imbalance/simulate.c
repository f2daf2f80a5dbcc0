// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator: one record for each replication, written by whichever worker comes by; then
// statistics over the records, in order. See simulate.h.
#include "divcost/simulate.h"

#include "divcost/sampler.h"
#include "imbalance/simulate_internal.h"
#include "math/heapsort.h"
#include "math/sum.h"

#include <math.h>
#include <stdlib.h>

// ---- memory ------------------------------------------------------------------------------------

// Entries of what is allocated.
typedef struct layout {
  uint64_t records, aliases, counts, places; // the last two of each worker
  unsigned workers;
} layout;

static dc_status check(const dc_simulation *s, uint64_t replications, dc_error *error) {
  dc_status status = dc_grid_check(&s->grid, error);
  if (status == DC_OK && s->cost)
    status = dc_iteration_cost_check(s->cost, s->grid.lanes, error);
  if (status != DC_OK)
    return status;
  if (replications < 1 || replications > DC_REPLICATIONS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "replications is %llu, but must be from 1 to %llu",
                   (unsigned long long)replications, (unsigned long long)DC_REPLICATIONS_MAX);
  if (s->lanes_per_item == 0 || s->grid.lanes % s->lanes_per_item != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "lanes_per_item is %u, but must divide the %u lanes of a warp",
                   s->lanes_per_item, s->grid.lanes);
  if (s->sorted && s->lanes_per_item != 1)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "lanes_per_item is %u, but must be 1 where items are sorted", s->lanes_per_item);
  if (s->count == 0 || s->count > DC_POINTS_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "there are %zu types, but must be 1 to %zu", s->count,
                   DC_POINTS_MAX);
  double total = 0;
  for (size_t i = 0; i < s->count; ++i) {
    if (!(s->types[i].weight >= 0 && s->types[i].weight <= 1e300))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the weight of type %zu is %.10g, but must be in [0, 1e300]", i,
                     s->types[i].weight);
    total += s->types[i].weight;
  }
  if (!(total > 0))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the weights of the %zu types sum to 0, but one must be positive", s->count);
  return DC_OK;
}

static layout layout_of(const dc_simulation *s, uint64_t replications,
                        const dc_parallel *parallel) {
  layout l = {.records = replications, .workers = parallel ? parallel->workers : 1};
  for (size_t i = 0; i < s->count; ++i)
    l.aliases += s->types[i].distribution.count;
  l.counts = s->sorted ? (uint64_t)s->grid.lanes * s->grid.warps * s->grid.blocks : s->grid.lanes;
  uint64_t places = (uint64_t)s->grid.multiprocessors * s->grid.slots;
  l.places = places < s->grid.blocks ? places : s->grid.blocks;
  return l;
}

// Of records, places and counts.
static size_t work_bytes(const layout *l) {
  return (size_t)(l->records * sizeof(dc_record) + l->workers * (l->counts + l->places) * 8);
}

dc_status dc_simulate_bytes(const dc_simulation *simulation, uint64_t replications,
                            const dc_parallel *parallel, size_t *bytes, dc_error *error) {
  dc_status status = check(simulation, replications, error);
  if (status != DC_OK)
    return status;
  layout l = layout_of(simulation, replications, parallel);
  double needed = (double)l.records * (double)(sizeof(dc_record) + sizeof(double)) +
                  (double)simulation->count * sizeof(dc_sampler) +
                  (double)l.aliases * sizeof(dc_alias) +
                  (double)l.workers * (double)(l.counts + l.places) * 8;
  if (needed > (double)SIZE_MAX / 2)
    return dc_fail(error, DC_ERROR_LIMIT, "the simulation needs %.3g bytes", needed);
  *bytes = work_bytes(&l) + (size_t)(l.records * sizeof(double) + l.aliases * sizeof(dc_alias)) +
           simulation->count * sizeof(dc_sampler);
  return DC_OK;
}

// ---- statistics --------------------------------------------------------------------------------

// Ratios of two means, and what they are of.
enum { AGGREGATE, COST_AGGREGATE, GRID_EFFICIENCY, RATIOS };

static const struct {
  unsigned above, below;
} ratio_fields[RATIOS] = {[AGGREGATE] = {DC_MAXIMUM, DC_MEAN},
                          [COST_AGGREGATE] = {DC_CYCLES, DC_MEAN},
                          [GRID_EFFICIENCY] = {DC_MEAN, DC_MAKESPAN}};

typedef struct statistics {
  uint64_t count;
  double mean[DC_FIELDS];
  dc_sum squares[DC_FIELDS]; // of the distances from the mean
  double ratio[RATIOS];
  dc_sum ratio_squares[RATIOS]; // of above - ratio * below
  dc_sum fourth;                // of X's distances from its mean
} statistics;

static double ratio_of(const double mean[DC_FIELDS], unsigned k) {
  double below = mean[ratio_fields[k].below];
  return below > 0 ? mean[ratio_fields[k].above] / below : 0;
}

static void add_record(statistics *t, const dc_record *record) {
  double off[DC_FIELDS];
  for (unsigned f = 0; f < DC_FIELDS; ++f) {
    off[f] = record->field[f] - t->mean[f];
    dc__sum_add(&t->squares[f], off[f] * off[f]);
  }
  for (unsigned k = 0; k < RATIOS; ++k) {
    double rest = off[ratio_fields[k].above] - t->ratio[k] * off[ratio_fields[k].below];
    dc__sum_add(&t->ratio_squares[k], rest * rest);
  }
  double square = off[DC_IMBALANCE] * off[DC_IMBALANCE];
  dc__sum_add(&t->fourth, square * square);
}

static statistics statistics_of(const dc_record *records, uint64_t count) {
  statistics t = {.count = count};
  dc_sum sums[DC_FIELDS] = {{0, 0}};
  for (uint64_t i = 0; i < count; ++i)
    for (unsigned f = 0; f < DC_FIELDS; ++f)
      dc__sum_add(&sums[f], records[i].field[f]);
  for (unsigned f = 0; f < DC_FIELDS; ++f)
    t.mean[f] = dc__sum_value(&sums[f]) / (double)count;
  for (unsigned k = 0; k < RATIOS; ++k)
    t.ratio[k] = ratio_of(t.mean, k);
  for (uint64_t i = 0; i < count; ++i)
    add_record(&t, &records[i]);
  return t;
}

static double standard_error(const dc_sum *squares, uint64_t count) {
  return count > 1 ? sqrt(dc__sum_value(squares) / ((double)count - 1) / (double)count) : 0;
}

static dc_sampled mean(const statistics *t, unsigned field) {
  return (dc_sampled){t->mean[field], standard_error(&t->squares[field], t->count)};
}

// A ratio times a factor, its error by the delta method; 1 if what is below is 0.
static dc_sampled ratio(const statistics *t, unsigned k, double factor) {
  double below = t->mean[ratio_fields[k].below];
  if (below <= 0)
    return (dc_sampled){1, 0};
  double error = standard_error(&t->ratio_squares[k], t->count) / below;
  return (dc_sampled){t->ratio[k] * factor, error * factor};
}

// Unbiased; its error from the fourth moment.
static dc_sampled variance(const statistics *t) {
  if (t->count < 2)
    return (dc_sampled){0, 0};
  double n = (double)t->count, value = dc__sum_value(&t->squares[DC_IMBALANCE]) / (n - 1);
  double spread = dc__sum_value(&t->fourth) / n - value * value;
  return (dc_sampled){value, sqrt(fmax(spread, 0) / n)};
}

static dc_simulated summary(const dc_simulation *s, const dc_record *records, uint64_t count) {
  statistics t = statistics_of(records, count);
  double full = s->cost ? dc_iteration_cycles(s->cost, s->grid.lanes) : 1;
  double places = (double)s->grid.multiprocessors * s->grid.slots;
  dc_sampled aggregate = ratio(&t, AGGREGATE, 1);
  return (dc_simulated){
      .mean = mean(&t, DC_MEAN),
      .maximum = mean(&t, DC_MAXIMUM),
      .expected = mean(&t, DC_IMBALANCE),
      .variance = variance(&t),
      .aggregate = aggregate,
      .efficiency = {1 / aggregate.value, aggregate.error / (aggregate.value * aggregate.value)},
      .cycles = mean(&t, DC_CYCLES),
      .cost_expected = mean(&t, DC_COST_IMBALANCE),
      .cost_aggregate = ratio(&t, COST_AGGREGATE, 1 / full),
      .block = mean(&t, DC_BLOCK),
      .makespan = mean(&t, DC_MAKESPAN),
      .grid_efficiency = ratio(&t, GRID_EFFICIENCY, (double)s->grid.blocks * full / places),
      .replications = count};
}

// ---- running -----------------------------------------------------------------------------------

enum { CHUNK = 64 }; // replications of a task

static void run_chunk(void *work, size_t index, unsigned worker) {
  const dc_simulator *s = work;
  uint64_t begin = (uint64_t)index * CHUNK;
  uint64_t end = begin + CHUNK < s->replications ? begin + CHUNK : s->replications;
  for (uint64_t i = begin; i < end; ++i)
    dc__simulate_one(s, i, worker, &s->records[i]);
}

static void run(dc_simulator *s, const dc_parallel *parallel) {
  size_t tasks = (size_t)((s->replications + CHUNK - 1) / CHUNK);
  if (parallel)
    parallel->run(parallel->context, tasks, run_chunk, s);
  else
    for (size_t i = 0; i < tasks; ++i)
      run_chunk(s, i, 0);
}

DC_HEAPSORT(sort, double)

static dc_status build_samplers(const dc_simulation *simulation, dc_sampler *samplers,
                                dc_error *error) {
  dc_status status = DC_OK;
  for (size_t i = 0; i < simulation->count && status == DC_OK; ++i)
    status = dc_sampler_build(&simulation->types[i].distribution, &samplers[i], error);
  return status;
}

// In `work`, which has room for what the layout says.
static void simulate(dc_simulator *simulator, const layout *l, const dc_parallel *parallel,
                     void *work, dc_simulated *result) {
  simulator->records = work;
  simulator->places = (double *)(simulator->records + l->records);
  simulator->counts = (int64_t *)(simulator->places + l->workers * l->places);
  run(simulator, parallel);
  double *x = result->x;
  *result = summary(simulator->simulation, simulator->records, l->records);
  result->x = x;
  for (uint64_t i = 0; i < l->records; ++i)
    x[i] = simulator->records[i].field[DC_IMBALANCE];
  sort(x, l->records);
}

dc_status dc_simulate(const dc_simulation *simulation, uint64_t replications, uint64_t seed,
                      const dc_parallel *parallel, dc_simulated *result, dc_error *error) {
  size_t bytes = 0;
  *result = (dc_simulated){0};
  dc_status status = dc_simulate_bytes(simulation, replications, parallel, &bytes, error);
  if (status != DC_OK)
    return status;
  layout l = layout_of(simulation, replications, parallel);
  dc_sampler *samplers = calloc(simulation->count, sizeof *samplers);
  void *work = calloc(1, work_bytes(&l));
  result->x = malloc(replications * sizeof *result->x);
  if (!samplers || !work || !result->x)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a simulation of %zu bytes", bytes);
  if (status == DC_OK)
    status = build_samplers(simulation, samplers, error);
  if (status == DC_OK && work && result->x) {
    dc_simulator simulator = {.simulation = simulation,
                              .samplers = samplers,
                              .seed = seed,
                              .replications = replications,
                              .counts_each = l.counts,
                              .places_each = l.places};
    simulate(&simulator, &l, parallel, work, result);
  } else {
    dc_simulated_free(result);
  }
  for (size_t i = 0; samplers && i < simulation->count; ++i)
    dc_sampler_free(&samplers[i]);
  free(samplers);
  free(work);
  return status;
}

void dc_simulated_free(dc_simulated *simulated) {
  free(simulated->x);
  *simulated = (dc_simulated){0};
}

double dc_simulated_quantile(const dc_simulated *simulated, double share, double *low,
                             double *high) {
  double n = (double)simulated->replications, rank = ceil(share * n) - 1;
  double error = ceil(sqrt(n * share * (1 - share)));
  if (low)
    *low = simulated->x[(uint64_t)fmin(fmax(rank - error, 0), n - 1)];
  if (high)
    *high = simulated->x[(uint64_t)fmin(fmax(rank + error, 0), n - 1)];
  return simulated->x[(uint64_t)fmin(fmax(rank, 0), n - 1)];
}
