// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "power_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/random.h"
#include "images.h"

enum { TRACED = 256, SLOTS = 1024, TRACED_WARPS = 1024, MULTIPROCESSORS_MAX = 1024, PLACES = 64 };

typedef struct tally { // as in kernels/matrix_power.cu
  double x, square, longest, total;
  unsigned long long groups, wrong;
} tally;

typedef struct trace { // likewise
  long long valid, count, begin, start;
  long long ends[TRACED];
} trace;

// --- what is needed ------------------------------------------------------------------------------

static dc_status find_kernels(power_bench *bench, dc_error *error) {
  static const char *const power[] = {"power", "power_sync"};
  static const char *const crowd[] = {"crowd", "crowd_sync", "crowd_blind"};
  gpu_module module;
  unsigned blocks = 0;
  const char *image = image_find("matrix_power");
  if (!image)
    return dc_fail(error, DC_ERROR_FILE, "no clang was there to compile the kernels");
  dc_status status = gpu_load(bench->device, "matrix_power", image, &module, error);
  for (int k = 0; status == DC_OK && k < 2; ++k)
    status = gpu_find(bench->device, module, power[k], &bench->power[k], error);
  for (int k = 0; status == DC_OK && k < CROWD_KINDS; ++k)
    status = gpu_find(bench->device, module, crowd[k], &bench->crowd[k], error);
  if (status == DC_OK)
    status = gpu_resident(bench->device, bench->crowd[CROWD], POWER_BLOCK, &blocks, error);
  bench->resident_warps = blocks * (POWER_BLOCK / LANES);
  if (status == DC_OK)
    status = gpu_resident(bench->device, bench->power[0], POWER_BLOCK, &blocks, error);
  bench->cell_warps = blocks * (POWER_BLOCK / LANES);
  if (bench->cell_warps > bench->resident_warps)
    bench->cell_warps = bench->resident_warps;
  return status;
}

// Of a crowd: PLACES for every eighth multiprocessor.
static size_t crowd_traces(const power_bench *bench) {
  return (size_t)(gpu_what(bench->device)->multiprocessors + 7) / 8 * PLACES;
}

dc_status power_bench_open(gpu *device, unsigned counts, power_bench *bench, dc_error *error) {
  memset(bench, 0, sizeof *bench);
  bench->device = device;
  if (gpu_what(device)->multiprocessors > MULTIPROCESSORS_MAX)
    return dc_fail(error, DC_ERROR_LIMIT, "the GPU has %u multiprocessors, more than %d",
                   gpu_what(device)->multiprocessors, MULTIPROCESSORS_MAX);
  dc_status status = find_kernels(bench, error);
  size_t traces = crowd_traces(bench) > TRACED_WARPS ? crowd_traces(bench) : TRACED_WARPS;
  const struct {
    gpu_memory *memory;
    size_t bytes;
  } all[] = {{&bench->counts, counts * sizeof(int)},
             {&bench->tallies, SLOTS * sizeof(tally)},
             {&bench->traces, traces * sizeof(trace)},
             {&bench->arrived, (size_t)MULTIPROCESSORS_MAX * 4 * sizeof(int)},
             {&bench->masks, PLACES * sizeof(unsigned)}};
  for (unsigned m = 0; status == DC_OK && m < sizeof all / sizeof *all; ++m)
    status = gpu_allocate(device, all[m].bytes, all[m].memory, error);
  if (status != DC_OK)
    power_bench_close(bench);
  return status;
}

void power_bench_close(power_bench *bench) {
  const gpu_memory all[] = {bench->counts, bench->tallies, bench->traces, bench->arrived,
                            bench->masks};
  for (unsigned m = 0; m < sizeof all / sizeof *all; ++m)
    if (all[m])
      gpu_free(bench->device, all[m]);
  memset(bench, 0, sizeof *bench);
}

// --- cells ---------------------------------------------------------------------------------------

static dc_status add_up(const tally *slots, power_cell *cell, dc_error *error) {
  tally sum = {0};
  for (unsigned s = 0; s < SLOTS; ++s) {
    sum.x += slots[s].x;
    sum.square += slots[s].square;
    sum.longest += slots[s].longest;
    sum.total += slots[s].total;
    sum.groups += slots[s].groups;
    sum.wrong += slots[s].wrong;
  }
  if (sum.groups != cell->groups || sum.wrong > 0)
    return dc_fail(error, DC_ERROR_LIMIT,
                   "the GPU computed %llu groups instead of %u, and wrong matrices in %llu lanes",
                   sum.groups, cell->groups, sum.wrong);
  double groups = (double)sum.groups;
  cell->expected = sum.x / groups;
  cell->error = sqrt(fmax(0, sum.square / groups - cell->expected * cell->expected) / groups);
  cell->aggregate = cell->lanes * sum.longest / sum.total;
  cell->cycles = sum.total / (groups * cell->lanes);
  return DC_OK;
}

static void note(power_profile *into, bool by_active, unsigned key, long long cycles) {
  into->by_active = by_active;
  into->key = key;
  into->cycles += (double)cycles; // a sum, until all are noted
  ++into->count;
}

// Warps of one block.
static void profile_block(const trace *warps, unsigned count, power_profile *profiles) {
  for (unsigned w = 0; w < count; ++w) {
    long long begin = warps[w].start;
    for (unsigned i = 0; i < warps[w].count && i < TRACED; ++i) {
      unsigned active = 0;
      for (unsigned v = 0; v < count; ++v) {
        long long last = warps[v].count < TRACED ? warps[v].count : TRACED;
        active += last > 0 && warps[v].ends[last - 1] > begin;
      }
      long long end = warps[w].ends[i];
      if (i < POWER_KEYS)
        note(&profiles[i], false, i, end - begin);
      note(&profiles[POWER_KEYS + active], true, active, end - begin);
      begin = end;
    }
  }
}

static dc_status profile_all(power_bench *bench, const power_cell *cell, unsigned blocks,
                             unsigned warps, power_profile *profiles, dc_error *error) {
  size_t bytes = (size_t)blocks * warps * sizeof(trace);
  unsigned rows = POWER_KEYS + POWER_BLOCK / LANES + 1;
  trace *traces = malloc(bytes);
  if (!traces)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = gpu_read(bench->device, traces, bench->traces, bytes, error);
  memset(profiles, 0, rows * sizeof *profiles);
  for (unsigned b = 0; status == DC_OK && b < blocks; ++b)
    profile_block(&traces[(size_t)b * warps], warps, profiles);
  for (unsigned r = 0; r < rows; ++r) {
    profiles[r].block = cell->block;
    profiles[r].lanes = cell->lanes;
    profiles[r].law = cell->law;
    if (profiles[r].count > 0)
      profiles[r].cycles /= (double)profiles[r].count;
  }
  free(traces);
  return status;
}

dc_status power_measure_cell(power_bench *bench, const int *counts, power_cell *cell,
                             power_profile *profiles, dc_error *error) {
  static tally tallies[SLOTS];
  unsigned threads = cell->groups * cell->lanes, blocks = threads / cell->block;
  unsigned warps = (cell->block + LANES - 1) / LANES;
  unsigned traced = TRACED_WARPS / warps < blocks ? TRACED_WARPS / warps : blocks;
  int slots = SLOTS, lanes = (int)cell->lanes, stride = (int)((blocks + traced - 1) / traced);
  gpu_kernel kernel = bench->power[cell->sync];
  gpu_launch_dims shape = {.grid = blocks, .block = cell->block};
  void *arguments[] = {&bench->counts, &bench->tallies, &slots, &lanes, &bench->traces, &stride};
  memset(tallies, 0, sizeof tallies);
  cell->multiprocessors = gpu_what(bench->device)->multiprocessors;
  dc_status status = gpu_resident(bench->device, kernel, cell->block, &cell->resident, error);
  if (status == DC_OK)
    status = gpu_write(bench->device, bench->counts, counts, threads * sizeof *counts, error);
  if (status == DC_OK)
    status = gpu_write(bench->device, bench->tallies, tallies, sizeof tallies, error);
  if (status == DC_OK)
    status = gpu_launch(bench->device, kernel, shape, arguments, &cell->seconds, error);
  if (status == DC_OK)
    status = gpu_read(bench->device, tallies, bench->tallies, sizeof tallies, error);
  if (status == DC_OK)
    status = add_up(tallies, cell, error);
  if (status == DC_OK && profiles)
    status = profile_all(bench, cell, (blocks + (unsigned)stride - 1) / (unsigned)stride, warps,
                         profiles, error);
  return status;
}

// --- crowds --------------------------------------------------------------------------------------

static void choose_lanes(const power_crowd_plan *plan, unsigned masks[PLACES]) {
  for (uint32_t place = 0; place < PLACES; ++place) {
    unsigned lanes = place == 0 ? plan->lanes : plan->others;
    masks[place] = 0;
    for (unsigned chosen = 0; chosen < lanes; ++chosen) {
      unsigned lane = chosen;
      if (plan->scattered) { // the lane at hand, or another one if it's taken: all sets alike
        unsigned limit = LANES - lanes + chosen;
        lane = (unsigned)(dc_random_unit(1, (uint32_t[4]){place, chosen, lanes, 0}) * (limit + 1));
        lane = masks[place] >> lane & 1 ? limit : lane;
      }
      masks[place] |= 1u << lane;
    }
  }
}

static double term_of(const trace *warp, power_term_kind kind, unsigned iterations) {
  enum { SKIPPED = 2, LEFT = 3 }; // at the begin, and at the end, where others may be done
  switch (kind) {
  case TERM_SETUP:
    return (double)(warp->start - warp->begin);
  case TERM_ENTRY:
  case TERM_FIRST:
    return (double)(warp->ends[0] - warp->start);
  case TERM_ITERATION:
    return (double)(warp->ends[iterations - 1 - LEFT] - warp->ends[SKIPPED - 1]) /
           (iterations - SKIPPED - LEFT);
  case TERM_TOTAL:
  case TERM_COUNT:
    break;
  }
  return (double)(warp->ends[iterations - 1] - warp->start);
}

// Whether a crowd tells this term: without iterations entering the loop is all there is, and
// without clocks there is no more than the time of all.
static bool tells(const power_crowd_plan *plan, power_term_kind kind) {
  if (plan->iterations == 0)
    return kind == TERM_ENTRY;
  return kind == TERM_TOTAL || (plan->kernel != CROWD_BLIND && kind != TERM_ENTRY);
}

// The warps of multiprocessors where as many took part as should.
static unsigned take_values(const trace *traces, size_t count, const power_crowd_plan *plan,
                            power_term_kind kind, double *values) {
  unsigned found = 0, ends = plan->kernel == CROWD_BLIND ? 1 : plan->iterations;
  unsigned counted = plan->others == plan->lanes ? plan->warps : 1;
  for (const trace *warps = traces; warps < traces + count; warps += PLACES) {
    unsigned valid = 0;
    for (unsigned place = 0; place < PLACES; ++place)
      valid += warps[place].valid == 1;
    for (unsigned place = 0; valid == plan->warps && place < counted; ++place)
      values[found++] = term_of(&warps[place], kind, ends);
  }
  return found;
}

static dc_status take_terms(const trace *traces, size_t count, const power_crowd_plan *plan,
                            power_taker to, dc_error *error) {
  static const char *const names[] = {"crowd", "crowd_sync", "crowd_blind"};
  power_term term = {.warps = plan->warps,
                     .background = plan->background,
                     .lanes = plan->lanes,
                     .others = plan->others,
                     .scattered = plan->scattered,
                     .iterations = plan->iterations};
  snprintf(term.kernel, sizeof term.kernel, "%s", names[plan->kernel]);
  double *values = malloc(count * sizeof *values);
  if (!values)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (term.kind = TERM_SETUP; term.kind < TERM_COUNT; ++term.kind) {
    unsigned found =
        tells(plan, term.kind) ? take_values(traces, count, plan, term.kind, values) : 0;
    if (found > 0) {
      term.cycles = sample_of(values, found);
      to.take(to.context, &term);
    }
  }
  free(values);
  return DC_OK;
}

dc_status power_measure_crowd(power_bench *bench, const power_crowd_plan *plan, power_taker to,
                              dc_error *error) {
  static const int none[MULTIPROCESSORS_MAX * 4];
  unsigned masks[PLACES];
  size_t count = crowd_traces(bench);
  int probes = (int)plan->warps, background = (int)plan->background;
  int iterations = (int)plan->iterations;
  // Fewer warps are done sooner with an iteration: they have more, so as not to be done before.
  int others = background >= probes ? iterations : iterations * 2 * (probes / background + 1);
  unsigned blocks = bench->resident_warps / (POWER_BLOCK / LANES);
  gpu_launch_dims shape = {.grid = gpu_what(bench->device)->multiprocessors * blocks,
                           .block = POWER_BLOCK};
  void *arguments[] = {&bench->masks, &bench->arrived, &bench->traces, &probes,
                       &background,   &iterations,     &others};
  trace *traces = calloc(count, sizeof *traces);
  if (!traces)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  choose_lanes(plan, masks);
  dc_status status = gpu_write(bench->device, bench->masks, masks, sizeof masks, error);
  if (status == DC_OK)
    status = gpu_write(bench->device, bench->arrived, none, sizeof none, error);
  if (status == DC_OK)
    status = gpu_write(bench->device, bench->traces, traces, count * sizeof *traces, error);
  if (status == DC_OK)
    status = gpu_launch(bench->device, bench->crowd[plan->kernel], shape, arguments, NULL, error);
  if (status == DC_OK)
    status = gpu_read(bench->device, traces, bench->traces, count * sizeof *traces, error);
  if (status == DC_OK)
    status = take_terms(traces, count, plan, to, error);
  free(traces);
  return status;
}
