// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures Swatman's matrix power on device 0: first the terms, which also tell how long the cells
// will take, then the cells.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "divcost/imbalance.h"
#include "divcost/workload.h"
#include "power_cells.h"
#include "power_measure.h"
#include "results.h"

enum { GROUPS = 1 << 18, GROUPS_LEAST = 1 << 13, SECONDS = 50 };

static const char help[] =
    "usage: gpu-matrix-power [--out DIR] [--groups N]\n"
    "Measures the matrix power of Swatman et al. on GPU 0: five laws, groups of 2 .. 32 lanes, in\n"
    "blocks of one group and of 256 threads, without and with __syncwarp(). Writes\n"
    "DIR/matrix_power-cells.tsv, -terms.tsv and -profiles.tsv (DIR: . if not given), which\n"
    "matrix-power-report reads. N: groups in each cell, a power of two; if not given, 262144, or\n"
    "as many as can be measured in 50 seconds.\n";

typedef struct run {
  power_bench bench;
  FILE *cells, *terms, *profiles;
  unsigned groups;
  double one_warp[POWER_SIZES], full; // cycles of an iteration: by lanes, and in a full crowd of
                                      // blocks of 256 threads
  int *counts, *balanced;
  int64_t *wide; // counts, for the models
  struct timespec start;
} run;

static double elapsed(const run *of) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - of->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - of->start.tv_nsec);
}

// --- terms ---------------------------------------------------------------------------------------

static void take_term(void *context, const power_term *term) {
  run *of = context;
  power_term_write(of->terms, term);
  if (term->kind != TERM_ITERATION || strcmp(term->kernel, "crowd") != 0 || term->scattered ||
      term->others != term->lanes)
    return;
  for (unsigned s = 0; s < POWER_SIZES; ++s)
    if (term->lanes == power_sizes[s] && term->warps == 32 && term->background == 32)
      of->one_warp[s] = term->cycles.median;
  if (term->lanes == LANES && term->warps == of->bench.resident_warps &&
      term->background == term->warps)
    of->full = term->cycles.median;
}

static dc_status try_crowd(run *of, power_crowd_plan plan, dc_error *error) {
  unsigned most = of->bench.resident_warps;
  if (plan.warps > most || plan.background > most)
    return DC_OK;
  return power_measure_crowd(&of->bench, &plan, (power_taker){take_term, of}, error);
}

// Iterations against the warps on the multiprocessor, the others having as many, few (the caches
// hold what they work on), or up to as many as there is room for.
static dc_status measure_sizes(run *of, dc_error *error) {
  static const unsigned sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14,
                                   16, 20, 24, 28, 32, 36, 40, 44, 48, 56, 64};
  unsigned most = of->bench.resident_warps;
  dc_status status = DC_OK;
  for (unsigned s = 0; status == DC_OK && s < sizeof sizes / sizeof *sizes; ++s) {
    const unsigned background[] = {sizes[s], 1, 4, 8, most / 4, most / 2, 3 * most / 4, most};
    for (unsigned b = 0; status == DC_OK && b < sizeof background / sizeof *background; ++b)
      if (b == 0 || background[b] != sizes[s])
        status = try_crowd(
            of, (power_crowd_plan){CROWD, sizes[s], background[b], LANES, LANES, false, 12}, error);
  }
  return status;
}

// ... against the lanes that take part, of all warps and of one among full ones.
static dc_status measure_lanes(run *of, unsigned warps, dc_error *error) {
  static const unsigned lanes[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 31};
  dc_status status = DC_OK;
  for (unsigned l = 0; status == DC_OK && l < sizeof lanes / sizeof *lanes; ++l)
    for (unsigned form = 0; status == DC_OK && form < 4; ++form)
      status = try_crowd(of,
                         (power_crowd_plan){CROWD, warps, warps, lanes[l],
                                            form & 1 ? LANES : lanes[l], form & 2, 12},
                         error);
  return status;
}

// What there is without iterations, and what the clock and __syncwarp() cost.
static dc_status measure_kernels(run *of, unsigned warps, dc_error *error) {
  dc_status status = DC_OK;
  for (int kernel = CROWD; status == DC_OK && kernel < CROWD_KINDS; ++kernel) {
    power_crowd_plan plan = {(power_crowd)kernel, warps, warps, LANES, LANES, false, 0};
    status = try_crowd(of, plan, error);
    plan.iterations = 12;
    if (status == DC_OK && kernel != CROWD)
      status = try_crowd(of, plan, error);
  }
  return status;
}

static dc_status measure_terms(run *of, dc_error *error) {
  const unsigned warps[] = {1, 8, 32, of->bench.cell_warps};
  dc_status status = measure_sizes(of, error);
  for (unsigned w = 0; status == DC_OK && w < 4; ++w) {
    status = measure_lanes(of, warps[w], error);
    if (status == DC_OK)
      status = measure_kernels(of, warps[w], error);
  }
  return status;
}

// --- cells ---------------------------------------------------------------------------------------

static dc_status losses(run *of, unsigned lanes, power_cell *cell, dc_error *error) {
  dc_loss loss = {0};
  size_t count = (size_t)of->groups * lanes;
  for (size_t i = 0; i < count; ++i)
    of->wide[i] = of->counts[i];
  dc_status status = dc_listed_loss(of->wide, count, lanes, &loss, error);
  cell->drawn_expected = loss.expected;
  cell->drawn_aggregate = loss.aggregate;
  return status;
}

// Balanced, then without and with __syncwarp().
static dc_status measure_block(run *of, power_cell cell, dc_error *error) {
  static power_profile profiles[POWER_KEYS + POWER_BLOCK / LANES + 1];
  power_cell even = cell;
  power_balance(of->counts, of->groups * cell.lanes, cell.block < LANES ? cell.block : LANES,
                of->balanced);
  dc_status status = power_measure_cell(&of->bench, of->balanced, &even, NULL, error);
  cell.balanced = even.seconds;
  for (int sync = 0; status == DC_OK && sync < 2; ++sync) {
    cell.sync = sync;
    status = power_measure_cell(&of->bench, of->counts, &cell, sync ? NULL : profiles, error);
    if (status == DC_OK)
      power_cell_write(of->cells, &cell);
  }
  for (unsigned p = 0; status == DC_OK && p < sizeof profiles / sizeof *profiles; ++p)
    if (profiles[p].count > 0)
      power_profile_write(of->profiles, &profiles[p]);
  return status;
}

static dc_status measure_law(run *of, unsigned law, dc_error *error) {
  power_law from;
  dc_status status = power_law_open(law, &from, error);
  for (unsigned s = 0; status == DC_OK && s < POWER_SIZES; ++s) {
    power_cell cell = {.lanes = power_sizes[s], .law = law, .groups = of->groups};
    power_draw(&from, law, cell.lanes, of->groups, of->counts);
    status = losses(of, cell.lanes, &cell, error);
    cell.block = cell.lanes;
    if (status == DC_OK)
      status = measure_block(of, cell, error);
    cell.block = POWER_BLOCK;
    if (status == DC_OK)
      status = measure_block(of, cell, error);
    fprintf(stderr, "%5.1f s: %s, groups of %u lanes\n", elapsed(of), power_laws[law].paper,
            cell.lanes);
  }
  power_law_close(&from);
  return status;
}

// How long the cells will take, with this many groups: by what an iteration takes of a
// multiprocessor when that is full.
static dc_status estimate(const run *of, double *seconds, dc_error *error) {
  const gpu_facts *facts = gpu_what(of->bench.device);
  double cycles = 0;
  for (unsigned law = 0; law < POWER_LAWS; ++law) {
    power_law from;
    dc_status status = power_law_open(law, &from, error);
    for (unsigned s = 0; status == DC_OK && s < POWER_SIZES; ++s) {
      double most = 0, most_of_32 = 0, groups = of->groups;
      status = dc_expected_maximum(&from.distribution, power_sizes[s], &most, error);
      if (status == DC_OK)
        status = dc_expected_maximum(&from.distribution, LANES, &most_of_32, error);
      double mean = dc_distribution_mean(&from.distribution);
      cycles += groups * (2 * most + mean) * of->one_warp[s] / 32;
      cycles += groups * power_sizes[s] / LANES * (2 * most_of_32 + mean) * of->full /
                of->bench.resident_warps;
    }
    power_law_close(&from);
    if (status != DC_OK)
      return status;
  }
  *seconds = cycles / facts->multiprocessors / (facts->clock_khz * 1e3);
  return DC_OK;
}

static dc_status choose_groups(run *of, dc_error *error) {
  double seconds;
  bool chosen = of->groups > 0;
  if (!chosen)
    of->groups = GROUPS;
  dc_status status = estimate(of, &seconds, error);
  if (status != DC_OK)
    return status;
  while (!chosen && seconds > SECONDS && of->groups > GROUPS_LEAST) {
    of->groups /= 2;
    seconds /= 2;
  }
  fprintf(stderr,
          "%5.1f s: the terms are measured; the cells, of %u groups each, take about %.0f s\n",
          elapsed(of), of->groups, seconds);
  size_t lanes = (size_t)of->groups * LANES;
  of->counts = malloc(lanes * sizeof *of->counts);
  of->balanced = malloc(lanes * sizeof *of->balanced);
  of->wide = malloc(lanes * sizeof *of->wide);
  if (!of->counts || !of->balanced || !of->wide)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  return DC_OK;
}

static dc_status measure_all(run *of, dc_error *error) {
  dc_status status = measure_terms(of, error);
  if (status == DC_OK)
    status = choose_groups(of, error);
  for (unsigned law = 0; status == DC_OK && law < POWER_LAWS; ++law)
    status = measure_law(of, law, error);
  free(of->counts);
  free(of->balanced);
  free(of->wide);
  return status;
}

// --- the program ---------------------------------------------------------------------------------

static dc_status open_file(const char *out, const char *name, FILE **file, dc_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s/matrix_power-%s.tsv", out, name);
  *file = fopen(path, "w");
  return *file ? DC_OK : dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
}

static dc_status close_file(FILE *file, dc_status status, dc_error *error) {
  if (file && fclose(file) != 0 && status == DC_OK)
    return dc_fail(error, DC_ERROR_FILE, "cannot write the measurements");
  return status;
}

static dc_status measure(gpu *device, const char *out, unsigned groups, dc_error *error) {
  char origin[512];
  run of = {.groups = groups};
  clock_gettime(CLOCK_MONOTONIC, &of.start);
  results_origin(device, origin, sizeof origin);
  dc_status status = open_file(out, "cells", &of.cells, error);
  if (status == DC_OK)
    status = open_file(out, "terms", &of.terms, error);
  if (status == DC_OK)
    status = open_file(out, "profiles", &of.profiles, error);
  if (status == DC_OK)
    status = power_bench_open(device, (groups ? groups : GROUPS) * LANES, &of.bench, error);
  if (status == DC_OK) {
    power_cell_begin(of.cells, origin);
    power_term_begin(of.terms, origin);
    power_profile_begin(of.profiles, origin);
    status = measure_all(&of, error);
    power_bench_close(&of.bench);
  }
  status = close_file(of.cells, status, error);
  status = close_file(of.terms, status, error);
  return close_file(of.profiles, status, error);
}

// A power of two from GROUPS_LEAST to 2^24, else 0.
static unsigned parse_groups(const char *text) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  bool good =
      *end == '\0' && value >= GROUPS_LEAST && value <= 1ul << 24 && (value & (value - 1)) == 0;
  return good ? (unsigned)value : 0;
}

int main(int count, char **arguments) {
  const char *out = ".", *groups = NULL;
  for (int a = 1; a < count; a += 2) {
    const char **value = strcmp(arguments[a], "--out") == 0      ? &out
                         : strcmp(arguments[a], "--groups") == 0 ? &groups
                                                                 : NULL;
    if (!value || a + 1 == count) {
      fputs(help, strcmp(arguments[a], "--help") == 0 ? stdout : stderr);
      return strcmp(arguments[a], "--help") == 0 ? 0 : 2;
    }
    *value = arguments[a + 1];
  }
  if (groups && parse_groups(groups) == 0) {
    fprintf(stderr, "gpu-matrix-power: --groups '%s' isn't a power of two from %d to 16777216\n%s",
            groups, GROUPS_LEAST, help);
    return 2;
  }
  dc_error error;
  gpu *device;
  dc_status status = gpu_open(&device, &error);
  if (status == DC_OK) {
    status = measure(device, out, groups ? parse_groups(groups) : 0, &error);
    gpu_close(device);
  }
  if (status != DC_OK)
    fprintf(stderr, "gpu-matrix-power: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
