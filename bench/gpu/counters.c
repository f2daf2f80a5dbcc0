// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "counters_table.h"
#include "measure.h"
#include "predict.h"

// --- the launches --------------------------------------------------------------------------------

typedef struct counted {
  const char *file, *kernel;
  pattern lanes;
  unsigned first, last;
} counted;

// Before the patterns of a kernel: all lanes alike, for each value that lanes have in them.
static const counted plan[] = {
    {"loops", "single_loop", PATTERN_UNIFORM, 29, 32},
    {"loops", "single_loop", PATTERN_PAPER, 1, 3},
    {"loops", "single_loop", PATTERN_ALONE, 1, 3},
    {"loops", "single_loop", PATTERN_INTERLEAVED, 2, 4},
    {"loops", "single_loop", PATTERN_SHARES, 8, 8},
    {"loops", "double_loop", PATTERN_UNIFORM, 29, 32},
    {"loops", "double_loop", PATTERN_PAPER, 1, 3},
    {"loops", "double_loop", PATTERN_INTERLEAVED, 4, 4},
    {"loops", "double_loop", PATTERN_SHARES, 8, 8},
    {"branches", "if_128", PATTERN_UNIFORM, 0, 1},
    {"branches", "if_128", PATTERN_SKIP, 1, 1},
    {"branches", "if_128", PATTERN_SKIP, 16, 16},
    {"branches", "if_else_128", PATTERN_UNIFORM, 0, 1},
    {"branches", "if_else_128", PATTERN_SKIP, 1, 1},
    {"branches", "if_else_128", PATTERN_SKIP, 16, 16},
};
enum { PLANNED = sizeof plan / sizeof *plan };

// The cases of the plan, without figures.
static void begin(counters *result) {
  *result = (counters){.count = 0};
  for (unsigned p = 0; p < PLANNED; ++p)
    for (unsigned n = plan[p].first; n <= plan[p].last; ++n)
      result->cases[result->count++] =
          (counters_case){.kernel = plan[p].kernel, .lanes = plan[p].lanes, .parameter = n};
}

static dc_status launch(gpu *device, const kernels *from, const counted *what, dc_error *error) {
  dc_status status = DC_OK;
  for (unsigned n = what->first; status == DC_OK && n <= what->last; ++n) {
    int lanes[LANES];
    sample cycles;
    status = pattern_lanes(what->lanes, n, lanes, error);
    if (status == DC_OK)
      status = measure_warp(device, from, what->kernel, lanes, 1, &cycles, error);
  }
  return status;
}

dc_status counters_launch(gpu *device, dc_error *error) {
  kernels from = {.file = "", .launches = 1};
  dc_status status = DC_OK;
  for (unsigned p = 0; status == DC_OK && p < PLANNED; ++p) {
    if (strcmp(from.file, plan[p].file) != 0) {
      status = kernels_load(device, plan[p].file, &from, error);
    }
    if (status == DC_OK)
      status = launch(device, &from, &plan[p], error);
  }
  return status;
}

// --- what they should count ----------------------------------------------------------------------

static void say(counters *result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(result->why_not, sizeof result->why_not, format, arguments);
  va_end(arguments);
}

static const counters_case *uniform_case(const counters *all, const char *kernel, int value) {
  for (unsigned c = 0; c < all->count; ++c) {
    const counters_case *item = &all->cases[c];
    if (item->lanes == PATTERN_UNIFORM && item->parameter == (unsigned)value &&
        strcmp(item->kernel, kernel) == 0)
      return item;
  }
  return NULL;
}

// A lane executes what it does where all do as it does, the warp what its busiest lane does and, as
// the emulator says, some more. A pattern without its uniform cases is a mistake in the plan.
static dc_status predict(const counters *all, const dc_arch *arch, counters_case *item,
                         dc_error *error) {
  int lanes[LANES], alike[LANES], most = 0;
  dc_emulation parted, together;
  double of_lanes = 0;
  dc_status status = pattern_lanes(item->lanes, item->parameter, lanes, error);
  for (int lane = 0; status == DC_OK && lane < LANES; ++lane) {
    most = lanes[lane] > most ? lanes[lane] : most;
    of_lanes += uniform_case(all, item->kernel, lanes[lane])->instructions;
  }
  for (int lane = 0; lane < LANES; ++lane)
    alike[lane] = most;
  if (status == DC_OK)
    status = predict_counts(item->kernel, arch, lanes, &parted, error);
  if (status == DC_OK)
    status = predict_counts(item->kernel, arch, alike, &together, error);
  if (status != DC_OK)
    return status;
  double more = (double)(parted.instructions - together.instructions);
  item->predicted_divergent = MEASURE_RUNS * (double)parted.divergent_branches;
  item->predicted_active =
      of_lanes / (uniform_case(all, item->kernel, most)->instructions + MEASURE_RUNS * more);
  return DC_OK;
}

static void judge(counters *result, const counters_case *item) {
  double off = fabs(item->predicted_active / item->active - 1);
  result->branches_differ += item->divergent != item->predicted_divergent;
  result->active_differ += off > COUNTERS_TOLERANCE;
  result->worst_active = fmax(result->worst_active, off);
}

void counters_compare(const char *table, const dc_arch *arch, counters *result) {
  dc_error error;
  begin(result);
  dc_status status = counters_table_parse(table, result->cases, result->count, &error);
  for (unsigned c = 0; status == DC_OK && c < result->count; ++c)
    status = predict(result, arch, &result->cases[c], &error);
  if (status != DC_OK) {
    result->count = 0;
    say(result, "%s", error.text);
    return;
  }
  for (unsigned c = 0; c < result->count; ++c)
    judge(result, &result->cases[c]);
}

void counters_read(const char *path, const dc_arch *arch, counters *result) {
  char *table = NULL;
  size_t bytes = 0;
  FILE *file = fopen(path, "r");
  if (!file) {
    *result = (counters){.count = 0};
    say(result, "no '%.200s' was recorded", path);
    return;
  }
  if (getdelim(&table, &bytes, '\0', file) > 0)
    counters_compare(table, arch, result);
  else
    say(result, "'%.200s' is empty", path);
  free(table);
  fclose(file);
}

// --- for people ----------------------------------------------------------------------------------

static void print_case(FILE *file, const counters_case *item) {
  double off = item->predicted_active / item->active - 1;
  fprintf(file, "  %-14s %-12s %4u  %9.0f  %9.0f  %7.2f  %9.2f%s%s\n", item->kernel,
          pattern_name(item->lanes), item->parameter, item->divergent, item->predicted_divergent,
          item->active, item->predicted_active,
          item->divergent != item->predicted_divergent ? "  branches differ" : "",
          fabs(off) > COUNTERS_TOLERANCE ? "  threads differ" : "");
}

void counters_print(FILE *file, const counters *result) {
  if (result->why_not[0]) {
    fprintf(file, "\nHardware counters: not measured: %s\n", result->why_not);
    return;
  }
  fprintf(file, "\nHardware counters (ncu)         divergent branches   active threads\n"
                "                                counted  predicted  counted  predicted\n");
  for (unsigned c = 0; c < result->count; ++c)
    print_case(file, &result->cases[c]);
  fprintf(
      file,
      "  %u of %u launches differ in divergent branches, %u by more than %g%% in active threads "
      "(worst: %.2f%%)\n",
      result->branches_differ, result->count, result->active_differ, 100 * COUNTERS_TOLERANCE,
      100 * result->worst_active);
}
