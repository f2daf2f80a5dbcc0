// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan.h"

#include <string.h>

#define WARP(file, kernel, pattern, first, last) {file, kernel, pattern, first, last, 1, 1, 0, 0, 0}

#define LOOP(kernel)                                                                               \
  WARP("loops", kernel, PATTERN_PAPER, 0, 31), WARP("loops", kernel, PATTERN_ALONE, 0, 31),        \
      WARP("loops", kernel, PATTERN_UNIFORM, 1, 64), WARP("loops", kernel, PATTERN_BLOCKS, 1, 32), \
      WARP("loops", kernel, PATTERN_INTERLEAVED, 1, 32),                                           \
      WARP("loops", kernel, PATTERN_GAPS, 1, 4), WARP("loops", kernel, PATTERN_RANDOM, 1, 64),     \
      WARP("loops", kernel, PATTERN_SHARES, 1, 32), WARP("loops", kernel, PATTERN_HALVES, 0, 4)

static const series loops[] = {
    LOOP("single_loop"),
    LOOP("double_loop"),
    LOOP("single_loop_long"),
    WARP("loops", "single_loop_unrolled", PATTERN_PAPER, 0, 31),
    WARP("loops", "single_loop_unrolled", PATTERN_UNIFORM, 1, 64),
    WARP("loops", "double_loop_unrolled", PATTERN_PAPER, 0, 31),
    {"loops", "single_loop_precise", PATTERN_PAPER, 0, 31, 1, 33, 0, 0, 0},
};

#define IF(length)                                                                                 \
  WARP("branches", "if_" #length, PATTERN_SKIP, 0, 32),                                            \
      WARP("branches", "if_else_" #length, PATTERN_SKIP, 0, 32)

static const series branches[] = {
    IF(1),
    IF(2),
    IF(3),
    IF(4),
    IF(5),
    IF(6),
    IF(7),
    IF(8),
    IF(10),
    IF(12),
    IF(14),
    IF(16),
    IF(20),
    IF(24),
    IF(32),
    IF(64),
    IF(128),
    WARP("branches", "nested_2", PATTERN_DEPTHS, 1, 3),
    WARP("branches", "nested_2", PATTERN_UNIFORM, 0, 2),
    WARP("branches", "nested_3", PATTERN_DEPTHS, 1, 4),
    WARP("branches", "nested_3", PATTERN_UNIFORM, 0, 3),
    WARP("branches", "switch_8", PATTERN_DEPTHS, 1, 8),
    WARP("branches", "switch_8", PATTERN_UNIFORM, 0, 7),
    WARP("branches", "switch_32", PATTERN_DEPTHS, 1, 32),
    WARP("branches", "switch_32", PATTERN_UNIFORM, 0, 31),
};

#define LAYOUT(shift)                                                                              \
  WARP("layouts", "again_" #shift, PATTERN_PAPER, 0, 31),                                          \
      WARP("layouts", "twice_" #shift, PATTERN_PAPER, 0, 31),                                      \
      WARP("layouts", "once_" #shift, PATTERN_PAPER, 0, 31),                                       \
      WARP("layouts", "again_" #shift, PATTERN_HALVES, 0, 4)

static const series layouts[] = {LAYOUT(0), LAYOUT(1), LAYOUT(2), LAYOUT(3),
                                 LAYOUT(4), LAYOUT(5), LAYOUT(6), LAYOUT(7)};

enum { ROUNDS = 64 };
#define INSTRUCTION(name)                                                                          \
  CROWD(name "_latency_8", 1), CROWD(name "_latency_16", 1), CROWD(name "_issue_4", 32),           \
      CROWD(name "_issue_8", 32)
#define CROWD(kernel, warps)                                                                       \
  {"instructions", kernel, PATTERN_UNIFORM, 0, 0, 1, 1, warps, warps, ROUNDS}

static const series instructions[] = {
    CROWD("empty_issue", 32), INSTRUCTION("integer"), INSTRUCTION("multiply"),
    INSTRUCTION("fp32"),      INSTRUCTION("fp64"),    INSTRUCTION("special"),
    INSTRUCTION("shuffle"),   INSTRUCTION("vote"),    INSTRUCTION("match"),
    INSTRUCTION("reduce"),    INSTRUCTION("barrier"), INSTRUCTION("shared"),
    INSTRUCTION("atomic"),    INSTRUCTION("global"),
};

#define BUSY(kernel)                                                                               \
  {"throughput", kernel, PATTERN_PAPER, 0, 31, 1, 1, 1, 64, 3},                                    \
      {"throughput", kernel, PATTERN_UNIFORM, 8, 64, 8, 1, 1, 64, 3}

static const series throughput[] = {BUSY("busy_1"), BUSY("busy_8"), BUSY("busy_64")};

static const struct {
  const char *name;
  const series *items;
  unsigned count;
} groups[] = {
    {"loops", loops, sizeof loops / sizeof *loops},
    {"layouts", layouts, sizeof layouts / sizeof *layouts},
    {"branches", branches, sizeof branches / sizeof *branches},
    {"instructions", instructions, sizeof instructions / sizeof *instructions},
    {"throughput", throughput, sizeof throughput / sizeof *throughput},
};
enum { GROUPS = sizeof groups / sizeof *groups };

const char *const plan_groups[] = {"loops",        "layouts",    "branches",
                                   "instructions", "throughput", NULL};

const series *plan_series(const char *group, unsigned *count) {
  for (unsigned g = 0; g < GROUPS; ++g)
    if (strcmp(groups[g].name, group) == 0) {
      *count = groups[g].count;
      return groups[g].items;
    }
  return NULL;
}

// --- measuring -----------------------------------------------------------------------------------

typedef struct taker {
  void (*take)(void *context, const result *item);
  void *context;
} taker;

static dc_status measure_one_warp(gpu *device, const kernels *from, const series *what,
                                  result *item, taker to, dc_error *error) {
  int lanes[LANES];
  sample samples[LANES + 1];
  dc_status status = pattern_lanes(what->lanes, item->parameter, lanes, error);
  if (status == DC_OK)
    status = measure_warp(device, from, what->kernel, lanes, what->rows, samples, error);
  for (item->row = 0; status == DC_OK && item->row < what->rows; ++item->row) {
    item->cycles = samples[item->row];
    to.take(to.context, item);
  }
  return status;
}

static dc_status measure_crowds(gpu *device, const kernels *from, const series *what, result *item,
                                taker to, dc_error *error) {
  int lanes[LANES];
  dc_status status = pattern_lanes(what->lanes, item->parameter, lanes, error);
  item->argument = what->argument;
  for (unsigned warps = what->warps_first; status == DC_OK && warps <= what->warps_last;
       warps *= 2) {
    if (warps * LANES > gpu_what(device)->threads)
      break;
    item->warps = warps;
    status = measure_crowd(device, from, what->kernel, lanes, (crowd){warps, what->argument},
                           &item->cycles, error);
    if (status == DC_OK)
      to.take(to.context, item);
  }
  return status;
}

dc_status plan_measure(gpu *device, const kernels *from, const series *what,
                       void (*take)(void *context, const result *item), void *context,
                       dc_error *error) {
  taker to = {take, context};
  dc_status status = DC_OK;
  for (unsigned p = what->first; status == DC_OK && p <= what->last; p += what->step) {
    result item = {.lanes = what->lanes, .parameter = p};
    strncpy(item.build, from->build, sizeof item.build - 1);
    strncpy(item.kernel, what->kernel, sizeof item.kernel - 1);
    status = what->warps_first ? measure_crowds(device, from, what, &item, to, error)
                               : measure_one_warp(device, from, what, &item, to, error);
  }
  return status;
}
