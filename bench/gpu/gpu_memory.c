// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures loops that wait for memory on device 0: an iteration by the number of active lanes, and
// loops whose lanes have random trip counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_program.h"
#include "images.h"
#include "memory_walk.h"
#include "results.h"

static const char help[] =
    "usage: gpu-memory [--out DIR]\n"
    "Measures on GPU 0 loops whose lanes load from 1 to 32 sectors in each iteration, and writes\n"
    "DIR/memory.tsv (DIR: . if not given): the cycles of a warp (mean) for `items` such loops, "
    "with\n"
    "16 or 48 iterations in 1 to 32 active lanes, and with trip counts drawn from laws.\n";

typedef struct walk { // as in kernels/memory.cu
  int rows_log2, lanes_log2, spacing, trips_rows_log2, items, times, warm;
} walk;

typedef struct span {
  long long start, end;
} span;

enum {
  SETS = WALK_LANES + WALK_LAWS, // of trip counts: active lanes 1 .. 32, then the laws
  ITEMS = 32,
  LAW_ITEMS = 128, // one warp on each of 132 multiprocessors takes every row of counts once
  REPEATS = 3
};
static const size_t set_counts = (size_t)WALK_TRIPS * WALK_LANES;
static const unsigned crowds[] = {1, 8, 32};

typedef struct measurement {
  gpu *device;
  gpu_module module;
  gpu_memory memory, trips, spans, ends;
  span *read;
  unsigned warps; // at most, on the whole GPU
  FILE *file;
} measurement;

// One point of what is measured.
typedef struct state {
  const walk_level *level;
  int loads;
  walk_layout layout;
  unsigned warps; // on each multiprocessor
} state;

static dc_status launch(measurement *m, const state *at, unsigned set, int items, int times,
                        double *mean, dc_error *error) {
  char name[32];
  snprintf(name, sizeof name, "walk_%s_%d", at->level->cached ? "ca" : "cg", at->loads);
  walk how = {at->level->rows_log2,
              at->layout.lanes_log2,
              at->layout.spacing,
              WALK_TRIPS_LOG2,
              items,
              times,
              at->level->cached ? 1 << at->level->rows_log2 : 0};
  gpu_memory trips = m->trips + set * set_counts * sizeof(uint16_t);
  void *arguments[] = {&m->memory, &trips, &m->spans, &m->ends, &how};
  unsigned grid = gpu_what(m->device)->multiprocessors, count = grid * at->warps;
  gpu_kernel kernel;
  dc_status status = gpu_find(m->device, m->module, name, &kernel, error);
  if (status == DC_OK)
    status = gpu_launch(m->device, kernel,
                        (gpu_launch_dims){.grid = grid, .block = at->warps * WALK_LANES}, arguments,
                        NULL, error);
  if (status == DC_OK)
    status = gpu_read(m->device, m->read, m->spans, count * sizeof *m->read, error);
  *mean = 0;
  for (unsigned w = 0; status == DC_OK && w < count; ++w)
    *mean += (double)(m->read[w].end - m->read[w].start) / count;
  return status;
}

static dc_status measure_one(measurement *m, const state *at, unsigned set, int times,
                             dc_error *error) {
  bool drawn = set >= WALK_LANES;
  int items = drawn ? LAW_ITEMS : ITEMS;
  double means[REPEATS];
  dc_status status = DC_OK;
  for (unsigned r = 0; status == DC_OK && r < REPEATS; ++r)
    status = launch(m, at, set, items, times, &means[r], error);
  if (status != DC_OK)
    return status;
  sample cycles = sample_of(means, REPEATS);
  fprintf(m->file, "%s\t%d\t%d\t%d\t%u\t%u\t%s\t%d\t%d\t%.10g\t%.10g\t%.10g\t%u\n", at->level->name,
          at->loads, WALK_LANES >> at->layout.lanes_log2, at->layout.spacing, at->warps,
          drawn ? 0 : set + 1, drawn ? walk_laws[set - WALK_LANES] : "-", times, items,
          cycles.median, cycles.least, cycles.greatest, cycles.launches);
  return DC_OK;
}

static dc_status measure_state(measurement *m, const state *at, dc_error *error) {
  double unused;
  dc_status status = launch(m, at, WALK_LANES - 1, ITEMS, WALK_LONG, &unused, error);
  for (unsigned set = 0; status == DC_OK && set < SETS; ++set)
    if (set >= WALK_LANES)
      status = measure_one(m, at, set, 1, error);
    else {
      status = measure_one(m, at, set, WALK_SHORT, error);
      if (status == DC_OK)
        status = measure_one(m, at, set, WALK_LONG, error);
    }
  return status;
}

// --- what the GPU is given -----------------------------------------------------------------------

static dc_status write_trips(measurement *m, dc_error *error) {
  uint16_t *counts = malloc(set_counts * sizeof *counts);
  dc_status status = counts ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (unsigned set = 0; status == DC_OK && set < SETS; ++set) {
    if (set < WALK_LANES)
      walk_subsets(set + 1, counts);
    else {
      dc_distribution distribution;
      status = walk_distribution(walk_laws[set - WALK_LANES], &distribution, error);
      if (status == DC_OK)
        status = walk_draw(&distribution, counts, error);
      dc_distribution_free(&distribution);
    }
    if (status == DC_OK)
      status = gpu_write(m->device, m->trips + set * set_counts * sizeof *counts, counts,
                         set_counts * sizeof *counts, error);
  }
  free(counts);
  return status;
}

static dc_status write_rows(measurement *m, const walk_level *level, dc_error *error) {
  size_t rows = (size_t)1 << level->rows_log2;
  char *memory = calloc(rows, WALK_ROW);
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (size_t row = 0; row < rows; ++row) {
    unsigned next = walk_next(level, (unsigned)row);
    for (size_t sector = 0; sector < WALK_ROW; sector += 32)
      memcpy(memory + row * WALK_ROW + sector, &next, sizeof next);
  }
  dc_status status = gpu_write(m->device, m->memory, memory, rows * WALK_ROW, error);
  free(memory);
  return status;
}

static dc_status prepare(measurement *m, dc_error *error) {
  size_t most = (size_t)WALK_ROW << walk_levels[WALK_LEVELS - 1].rows_log2;
  m->warps = gpu_what(m->device)->multiprocessors * 32;
  m->read = malloc(m->warps * sizeof *m->read);
  if (!m->read)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = gpu_load(m->device, "memory", image_find("memory"), &m->module, error);
  if (status == DC_OK)
    status = gpu_allocate(m->device, most, &m->memory, error);
  if (status == DC_OK)
    status = gpu_allocate(m->device, SETS * set_counts * sizeof(uint16_t), &m->trips, error);
  if (status == DC_OK)
    status = gpu_allocate(m->device, m->warps * sizeof *m->read, &m->spans, error);
  if (status == DC_OK)
    status =
        gpu_allocate(m->device, (size_t)m->warps * WALK_LANES * sizeof(unsigned), &m->ends, error);
  return status == DC_OK ? write_trips(m, error) : status;
}

// --- all of it -----------------------------------------------------------------------------------

static dc_status measure_level(measurement *m, const walk_level *level, dc_error *error) {
  enum { CROWDS = sizeof crowds / sizeof *crowds };
  dc_status status = write_rows(m, level, error);
  for (int loads = 1; status == DC_OK && loads <= 4; loads += 3)
    for (unsigned c = 0; status == DC_OK && c < CROWDS; ++c) {
      fprintf(stderr, "memory: %s, %d loads, %u warps\n", level->name, loads, crowds[c]);
      for (unsigned l = 0; status == DC_OK && l < WALK_LAYOUTS; ++l)
        status = measure_state(m, &(state){level, loads, walk_layouts[l], crowds[c]}, error);
    }
  return status;
}

static dc_status measure_to(gpu *device, const char *folder, dc_error *error) {
  char path[1024], origin[512];
  snprintf(path, sizeof path, "%s/memory.tsv", folder);
  FILE *file = fopen(path, "w");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  results_origin(device, origin, sizeof origin);
  fprintf(file,
          "# %s\nlevel\tloads\tsectors\tspacing\twarps\tactive\tlaw\ttimes\titems\tcycles"
          "\tleast\tgreatest\tlaunches\n",
          origin);
  measurement m = {.device = device, .file = file};
  dc_status status = prepare(&m, error);
  for (unsigned l = 0; status == DC_OK && l < WALK_LEVELS; ++l)
    status = measure_level(&m, &walk_levels[l], error);
  free(m.read);
  if (fclose(file) != 0 && status == DC_OK)
    status = dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  return status;
}

int main(int count, char **arguments) {
  return gpu_program_main(&(gpu_program){"gpu-memory", help, measure_to}, count, arguments);
}
