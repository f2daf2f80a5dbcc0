// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The estimate as a whole: under which assumptions the launch is walked (scenarios.c; each
// combination that matters), and what comes of it.
#include "estimate/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CACHED_MOST 64 // distributions that are kept from one estimate to the next

static void keep_within(dc_interval *inner, dc_interval outer) {
  if (inner->low < 0 || outer.low < 0)
    return;
  inner->low = fmin(fmax(inner->low, outer.low), outer.high);
  inner->high = fmax(fmin(inner->high, outer.high), inner->low);
}

// ---- assumptions --------------------------------------------------------------------------------

// Which assumptions will matter, as far as the expressions tell.
static void foresee(dc__plan *p) {
  p->varied.blocks = p->launch->from == DC_BLOCK_COMPUTED;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    const dc_loop_facts *facts = &p->facts[loop];
    const dc_loop *data = &p->kernel->loops[loop];
    bool evaluable =
        facts->evaluable && (facts->unknown <= 1 || data->loop_class == DC_CLASS_LANE_AFFINE);
    if (facts->distribution >= 0)
      continue;
    p->varied.values |=
        evaluable && (facts->unknown > 0 || (facts->on_grid && p->launch->grid[0] == 0));
    p->varied.distributions |= !evaluable && data->level >= DC_DIVERGENT &&
                               data->loop_class != DC_CLASS_STRIDED && !data->swaps;
  }
}

// Whether a walk assumed something that isn't among what is varied; it is from now on.
static bool vary_more(dc__plan *p, const dc_walk *walk) {
  dc_varied before = p->varied;
  p->varied.values |= walk->used_assumed;
  p->varied.distributions |= walk->used_distribution;
  p->varied.lengths |= walk->used_length || walk->used_assumed;
  p->varied.choice |= p->used_choice || walk->assumed_addresses;
  return before.values != p->varied.values || before.distributions != p->varied.distributions ||
         before.lengths != p->varied.lengths || before.choice != p->varied.choice;
}

static void find_certain(dc__plan *p, const dc_walk *walk, dc_estimate *out) {
  bool assumed = walk->used_assumed || walk->used_distribution || walk->used_length ||
                 p->used_choice || walk->grid_assumed || walk->assumed_addresses ||
                 walk->some_warps || walk->some_blocks || walk->flow->sides_assumed ||
                 (!p->emulated.valid && (walk->unknown_sides || walk->some_points));
  out->certain_efficiency = dc__certain_efficiency(walk, p->launch, assumed, p->reissued, p->rows);
  keep_within(&out->expected_efficiency, out->certain_efficiency);
  if (walk->kernel->n_calls > 0) // nothing is expected of what is called
    out->expected_efficiency.low = out->certain_efficiency.low;
}

// Under all combinations; from the beginning again where one shows that there are more. Accesses
// are read off the walk under the first: once it has begun again, most often for good; else one
// more is walked.
static dc_status walk_assumptions(dc__plan *p, dc_reader *reader, double *body, dc_walk *walk,
                                  dc_estimate *out, dc_error *error) {
  dc_scenario scenarios[DC_SCENARIOS_MAX];
  unsigned figures, attempts = 0;
  for (bool more = true; more; ++attempts) {
    if (p->varied.distributions && !dc__plan_assume_distributions(p, error))
      return DC_ERROR_MEMORY;
    unsigned all = dc__scenarios_list(p->varied, scenarios, &figures);
    more = false;
    walk->used_assumed = walk->used_distribution = walk->used_length = p->used_choice = false;
    walk->unknown_sides = walk->some_points = walk->assumed_addresses = false;
    if (reader)
      dc__reader_restart(reader);
    for (unsigned k = 0; k < all && !more; ++k) {
      walk->reader = k == 0 && attempts > 0 ? reader : NULL;
      dc__plan_walk(p, scenarios[k], k < figures ? figures : 2 * DC_SCENARIOS_ENDS, walk);
      more = vary_more(p, walk);
      if (!more)
        dc__figures_add(p, walk, body, k == 0, scenarios[k], out);
    }
  }
  find_certain(p, walk, out);
  if (reader && attempts == 1) {
    uint32_t grid[3];
    walk->reader = reader;
    dc__plan_walk_warps(p, scenarios[0], figures, grid, walk);
  }
  walk->reader = NULL;
  if (reader && !dc__reader_finish(reader, out->accesses))
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for an estimate");
  return DC_OK;
}

bool dc_estimate_arch(const dc_estimate *estimate, dc_arch *arch) {
  if (!estimate->arch.of_file)
    return dc_arch_find_sm(estimate->sm, arch, NULL) == DC_OK;
  *arch = estimate->arch;
  return true;
}

// Of a kernel without blocks nothing is known.
static void estimate_nothing(const dc_arch *arch, const dc_launch *launch, dc_estimate *out) {
  const dc_interval unknown = {-1, -1};
  *out = (dc_estimate){.sm = arch->sm,
                       .launch = *launch,
                       .cycles = unknown,
                       .imbalance = unknown,
                       .reconvergence = unknown,
                       .share = unknown,
                       .instructions = unknown,
                       .efficiency = unknown,
                       .expected_efficiency = unknown,
                       .certain_efficiency = unknown,
                       .divergent_branches = unknown};
  if (arch->of_file)
    out->arch = *arch;
}

static dc_status estimate_view(const dc_kernel *kernel, const dc_arch *arch,
                               const dc_launch *launch, dc_estimate_cache *cache, dc_estimate *out,
                               dc_error *error) {
  dc__plan p = {.kernel = kernel, .arch = arch, .launch = launch, .first_loop = DC_NONE};
  p.distributions = cache ? cache : &p.own;
  if (p.distributions->count > CACHED_MOST)
    dc__distributions_free(p.distributions);
  if (kernel->n_blocks == 0) {
    estimate_nothing(arch, launch, out);
    return DC_OK;
  }
  double *body = calloc((size_t)kernel->n_loops + 1, sizeof *body);
  dc_walk *walk = calloc(1, sizeof *walk);
  dc_loop_estimate *loops = calloc((size_t)kernel->n_loops + 1, sizeof *loops);
  dc_branch_estimate *branches = calloc((size_t)kernel->n_branches + 1, sizeof *branches);
  dc_access_estimate *accesses = calloc((size_t)kernel->n_accesses + 1, sizeof *accesses);
  if (!body || !walk || !loops || !branches || !accesses) {
    free(body);
    free(walk);
    free(loops);
    free(branches);
    free(accesses);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for an estimate");
  }
  dc_reader *reader = NULL;
  dc_status status = dc__plan_prepare(&p, error);
  if (status == DC_OK) {
    out->sm = arch->sm;
    if (arch->of_file)
      out->arch = *arch;
    out->launch = *launch;
    dc__estimate_occupancy(kernel, arch->sm, launch, &out->occupancy);
    out->loops = loops;
    out->n_loops = kernel->n_loops;
    out->branches = branches;
    out->n_branches = kernel->n_branches;
    out->accesses = accesses;
    out->n_accesses = kernel->n_accesses;
    dc__walk_begin(walk);
    foresee(&p);
    status = dc__reader_begin(kernel, launch, &reader, error);
  }
  if (status == DC_OK)
    status = walk_assumptions(&p, reader, body, walk, out, error);
  if (status == DC_OK)
    status = dc__estimate_time(&p, walk, out, error);
  if (status == DC_OK)
    status = dc_estimate_check(out, error);
  if (status != DC_OK) {
    free(loops);
    free(branches);
    free(accesses);
    memset(out, 0, sizeof *out);
  }
  dc__reader_free(reader);
  dc__plan_free(&p);
  free(body);
  free(walk);
  return status;
}

dc_status dc_estimate_kernel(const dc_kernel *kernel, const dc_arch *arch, const dc_launch *launch,
                             dc_estimate_cache *cache, dc_estimate *out, dc_error *error) {
  dc_kernel view;
  memset(out, 0, sizeof *out);
  dc_status status = dc_kernel_in_block(kernel, launch->block, &view, error);
  if (status == DC_OK)
    status = estimate_view(&view, arch, launch, cache, out, error);
  dc_kernel_leave_block(kernel, &view);
  return status;
}

void dc_estimate_free(dc_estimate *estimate) {
  free(estimate->loops);
  free(estimate->branches);
  free(estimate->accesses);
  memset(estimate, 0, sizeof *estimate);
}

dc_interval dc_loop_share(const dc_estimate *estimate, uint32_t loop) {
  return loop < estimate->n_loops ? estimate->loops[loop].share : (dc_interval){0, 0};
}
