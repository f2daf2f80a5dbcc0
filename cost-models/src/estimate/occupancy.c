// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The occupancy that a launch can have, from what is known of the kernel's registers and shared
// memory. What the launch doesn't tell of dynamic shared memory is none, or so much that one block
// fits; a kernel without an array there is taken to be launched without.
#include "estimate/estimate_internal.h"

#include <math.h>
#include <string.h>

// Registers are about SCALE * (live + FREE)^OF_LIVE * (instructions + 1)^OF_CODE: values that are
// alive at once, and the more of them the more there is to be scheduled. Of 9 kernels in 10 they
// are LEAST to MOST times this. Fitted on machine code of nvcc and clang for sm_90, of
// bench/kernels, cuda-samples and Rodinia: bench/occupancy/registers.py fit; judged on others by
// its table.
static const double SCALE = 1.414, FREE = 8, OF_LIVE = 0.644, OF_CODE = 0.168;
static const double LEAST = 0.733, MOST = 1.619;
enum { FEWEST = 4 }; // registers of an empty kernel

// As many registers as a thread has where all warps of an SM are resident cost nothing, and ptxas
// takes them freely: to unroll, and to read early.
static double free_registers(const dc_sm_limits *limits) {
  return dc_registers_for(limits, DC_WARP, limits->warps);
}

static unsigned threads_of(const dc_launch *launch) {
  return launch->block[0] * launch->block[1] * launch->block[2];
}

static double instructions_of(const dc_kernel *kernel) {
  double sum = 0;
  for (uint32_t b = 0; b < kernel->n_blocks; ++b) {
    const dc_block *block = &kernel->blocks[b];
    for (unsigned mix = 0; mix < DC_MIX_COUNT && !block->counted; ++mix)
      sum += block->mix[mix];
    sum += block->counted ? block->machine : 0;
  }
  return sum;
}

static double about(const dc_kernel *kernel, double live) {
  return SCALE * pow(live + FREE, OF_LIVE) * pow(instructions_of(kernel) + 1, OF_CODE);
}

// What launch bounds leave, and the architecture. ptxas ignores how many blocks are asked for where
// an SM hasn't room for their threads.
static unsigned most_registers(const dc_resources *resources, const dc_sm_limits *limits) {
  unsigned most = limits->registers_per_thread, threads = resources->max_threads;
  uint64_t warps = (threads + DC_WARP - 1) / DC_WARP;
  bool fits = resources->min_blocks > 0 && resources->min_blocks <= limits->blocks &&
              resources->min_blocks * warps <= limits->warps;
  unsigned bound =
      threads ? dc_registers_for(limits, threads, fits ? resources->min_blocks : 1) : 0;
  if (bound > 0)
    most = bound;
  if (resources->max_registers && resources->max_registers < most)
    most = resources->max_registers;
  return most > FEWEST ? most : FEWEST;
}

// What ptxas says of a kernel that calls other units doesn't count these: it is the least then.
static bool has_calls_elsewhere(const dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_calls; ++k)
    if (kernel->calls[k].kind == DC_CALL_ELSEWHERE)
      return true;
  return false;
}

static void find_registers(const dc_kernel *kernel, const dc_sm_limits *limits,
                           dc_occupancy_estimate *out) {
  const dc_resources *resources = &kernel->resources;
  double most = most_registers(resources, limits);
  out->registers_from = DC_REGISTERS_ANY;
  out->registers_low = FEWEST;
  out->registers_high = (unsigned)most;
  for (uint32_t k = 0; k < resources->n_ptxas; ++k)
    if (resources->ptxas[k].sm == limits->sm) {
      unsigned count = resources->ptxas[k].count;
      out->registers_from = DC_REGISTERS_PTXAS;
      out->registers_low = count;
      out->registers_high = has_calls_elsewhere(kernel) ? (unsigned)fmax(count, most) : count;
      return;
    }
  if (resources->live_known) {
    double low = LEAST * about(kernel, resources->live);
    double high = MOST * about(kernel, (double)resources->live + resources->arrays);
    out->registers_from = DC_REGISTERS_ESTIMATED;
    out->registers_low = (unsigned)fmin(fmax(floor(low), FEWEST), most);
    out->registers_high = (unsigned)fmin(fmax(ceil(high), free_registers(limits)), most);
  }
}

// What is known is an interval with at least one block, for the kernel is launched.
static void leave_one(unsigned threads, unsigned limits, dc_occupancy_estimate *out) {
  out->low = (dc_occupancy){1, (threads + DC_WARP - 1) / DC_WARP, limits};
}

void dc__estimate_occupancy(const dc_kernel *kernel, unsigned sm, const dc_launch *launch,
                            dc_occupancy_estimate *out) {
  const dc_resources *resources = &kernel->resources;
  bool told = launch->shared_known || !resources->dynamic_shared;
  uint64_t shared = (uint64_t)resources->shared + (launch->shared_known ? launch->shared : 0);
  unsigned threads = threads_of(launch);
  dc_sm_limits limits;
  *out = (dc_occupancy_estimate){.known = resources->known && dc_sm_limits_find(sm, &limits)};
  if (!out->known)
    return;
  find_registers(kernel, &limits, out);
  out->warps_most = limits.warps;
  if (resources->max_threads && threads > resources->max_threads) {
    out->low = out->high = (dc_occupancy){0, 0, DC_LIMIT_BOUNDS};
    return;
  }
  out->low = dc_occupancy_of(&limits, threads, out->registers_high, shared);
  out->high = dc_occupancy_of(&limits, threads, out->registers_low, shared);
  if (!told && out->high.blocks > 1)
    leave_one(threads, DC_LIMIT_SHARED, out);
  else if (out->low.blocks == 0 && out->high.blocks > 0)
    leave_one(threads, out->low.limits, out);
}

dc_interval dc_occupancy_share(const dc_occupancy_estimate *occupancy) {
  double most = occupancy->warps_most;
  return (dc_interval){occupancy->low.warps / most, occupancy->high.warps / most};
}

static const char *const from_names[] = {"any", "estimated", "ptxas"};

const char *dc_registers_from_name(dc_registers_from from) { return from_names[from]; }

int dc_registers_from_parse(const char *name) {
  for (int from = DC_REGISTERS_ANY; from <= DC_REGISTERS_PTXAS; ++from)
    if (strcmp(from_names[from], name) == 0)
      return from;
  return -1;
}
