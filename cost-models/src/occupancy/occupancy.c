// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/occupancy.h"

#include <limits.h>
#include <string.h>

enum { WARP = 32, THREADS_MAX = 1024 };

static unsigned round_up(uint64_t number, unsigned unit) {
  return (unsigned)((number + unit - 1) / unit * unit);
}

// A launch is refused by what a block would take if its warps were spread over all partitions
// alike.
static unsigned on_partitions(const dc_sm_limits *limits, unsigned warps, unsigned registers,
                              unsigned partitions) {
  unsigned of_warp = round_up((uint64_t)registers * WARP, limits->register_unit);
  if (registers > limits->registers_per_thread ||
      (uint64_t)of_warp * round_up(warps, partitions) > limits->registers_per_block)
    return 0;
  if (of_warp == 0)
    return UINT_MAX;
  return limits->registers / partitions / of_warp * partitions / warps;
}

// What the four partitions of sm_61 couldn't hold, sm_60 with its two doesn't launch either.
static unsigned by_registers(const dc_sm_limits *limits, unsigned warps, unsigned registers) {
  enum { ELSEWHERE = 4 };
  bool launches = on_partitions(limits, warps, registers, ELSEWHERE) > 0;
  return launches ? on_partitions(limits, warps, registers, limits->partitions) : 0;
}

static unsigned by_shared(const dc_sm_limits *limits, uint64_t shared) {
  if (shared > limits->shared_per_block)
    return 0;
  unsigned of_block = round_up(shared + limits->shared_reserved, limits->shared_unit);
  return of_block ? limits->shared / of_block : UINT_MAX;
}

dc_occupancy dc_occupancy_of(const dc_sm_limits *limits, unsigned threads, unsigned registers,
                             uint64_t shared) {
  unsigned warps = (threads + WARP - 1) / WARP;
  dc_occupancy out = {UINT_MAX, 0, 0};
  if (threads == 0 || threads > THREADS_MAX)
    return (dc_occupancy){0, 0, DC_LIMIT_WARPS};
  const struct {
    dc_occupancy_limit limit;
    unsigned blocks;
  } by[] = {
      {DC_LIMIT_WARPS, limits->warps / warps},
      {DC_LIMIT_BLOCKS, limits->blocks},
      {DC_LIMIT_REGISTERS, by_registers(limits, warps, registers)},
      {DC_LIMIT_SHARED, by_shared(limits, shared)},
  };
  for (unsigned k = 0; k < sizeof by / sizeof *by; ++k)
    out.blocks = by[k].blocks < out.blocks ? by[k].blocks : out.blocks;
  for (unsigned k = 0; k < sizeof by / sizeof *by; ++k)
    out.limits |= by[k].blocks == out.blocks ? (unsigned)by[k].limit : 0;
  out.warps = out.blocks * warps;
  return out;
}

unsigned dc_registers_for(const dc_sm_limits *limits, unsigned threads, unsigned blocks) {
  unsigned warps = (threads + WARP - 1) / WARP, most = limits->registers_per_thread;
  while (most > 0 && (warps == 0 || by_registers(limits, warps, most) < blocks))
    --most;
  return most;
}

static const char *const names[DC_OCCUPANCY_LIMITS] = {"warps", "blocks", "registers",
                                                       "shared-memory", "launch-bounds"};

const char *dc_occupancy_limit_name(dc_occupancy_limit limit) {
  unsigned k = 0;
  while (k + 1 < DC_OCCUPANCY_LIMITS && limit >> (k + 1) != 0)
    ++k;
  return names[k];
}

int dc_occupancy_limit_parse(const char *name) {
  for (unsigned k = 0; k < DC_OCCUPANCY_LIMITS; ++k)
    if (strcmp(names[k], name) == 0)
      return 1 << k;
  return -1;
}
