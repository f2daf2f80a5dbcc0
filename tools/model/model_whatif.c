// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of `divcost model`, second half: the work cut up or arranged in other ways, blocks,
// grids, and the simulation.
#include "model/model.h"
#include "threads.h"

#include <stdlib.h>

static void add(model_figures *f, model_change change, uint64_t amount, dc_loss loss) {
  f->what_if[f->n_what_if++] = (model_what_if){change, amount, loss};
}

// Lanes share items: the types' slots and work are added up.
static dc_status add_shared(const model_request *request, unsigned share, model_figures *f,
                            dc_error *error) {
  dc_loss all = {0, 1, 1};
  double slots = 0, work = 0;
  for (size_t i = 0; i < f->n_types; ++i) {
    dc_loss loss;
    const dc_distribution *d = &f->types[i].distribution;
    dc_status status = dc_shared_item_loss(d, request->lanes, share, &loss, error);
    if (status != DC_OK)
      return status;
    double weight = f->types[i].weight, mean = dc_distribution_mean(d);
    all.expected += weight * loss.expected;
    slots += weight * loss.aggregate * mean;
    work += weight * mean;
  }
  if (work > 0) {
    all.aggregate = slots / work;
    all.efficiency = work / slots;
  }
  add(f, MODEL_SHARED, share, all);
  return DC_OK;
}

static dc_status add_binned(const model_request *request, size_t classes, model_figures *f,
                            dc_error *error) {
  dc_loss loss;
  dc_status status = dc_binned_loss(&f->trips, classes, request->lanes, &loss, error);
  if (status == DC_OK)
    add(f, MODEL_BINNED, classes, loss);
  return status;
}

static dc_status add_sorted(const model_request *request, uint64_t groups, model_figures *f,
                            dc_error *error) {
  double aggregate;
  dc_status status = dc_sorted_aggregate(&f->trips, request->lanes, groups, &aggregate, error);
  if (status == DC_OK)
    add(f, MODEL_SORTED, groups, (dc_loss){0, aggregate, 1 / aggregate});
  return status;
}

static dc_status what_if(const model_request *request, model_figures *f, dc_error *error) {
  dc_status status = DC_OK;
  unsigned warps = request->warps ? request->warps : 8;
  uint64_t all_warps = request->blocks * (request->warps ? request->warps : 1);
  add(f, MODEL_TODAY, 0, f->loss);
  for (unsigned share = 2; share <= request->lanes && status == DC_OK; share *= 2)
    if (request->lanes % share == 0)
      status = add_shared(request, share, f, error);
  for (size_t classes = 2; classes <= 16 && status == DC_OK; classes *= 2)
    status = add_binned(request, classes, f, error);
  if (status == DC_OK && warps > 1)
    status = add_sorted(request, warps, f, error);
  if (status == DC_OK && request->blocks && all_warps <= DC_GROUPS_MAX)
    status = add_sorted(request, all_warps, f, error);
  return status;
}

static dc_grid grid_of(const model_request *request) {
  return (dc_grid){request->lanes, request->warps ? request->warps : 1,
                   request->blocks ? request->blocks : 1, request->multiprocessors, request->slots};
}

dc_status model_simulate(const model_request *request, const model_figures *figures, uint64_t warps,
                         dc_simulated *simulated, dc_error *error) {
  dc_simulation simulation = {.types = figures->types,
                              .count = figures->n_types,
                              .grid = grid_of(request),
                              .lanes_per_item = 1,
                              .cost = request->has_cost ? &request->cost : NULL};
  uint64_t each = simulation.grid.blocks * simulation.grid.warps;
  uint64_t replications = warps / each > 32 ? warps / each : 32;
  const unsigned workers = threads_processors();
  dc_parallel parallel = threads_parallel(&workers);
  return dc_simulate(&simulation, replications, request->seed, &parallel, simulated, error);
}

dc_status model_compute_groups(const model_request *request, model_figures *f, dc_error *error) {
  dc_status status = what_if(request, f, error);
  f->has_block = request->warps && !request->per_warp;
  f->has_grid = request->blocks && !request->per_warp;
  dc_grid grid = grid_of(request);
  if (status == DC_OK && f->has_block)
    status = dc_block_imbalance(&f->trips, grid.lanes, grid.warps, &f->block, error);
  if (status == DC_OK && f->has_grid)
    status = dc_grid_makespan(&f->trips, &grid, &f->grid, error);
  if (status == DC_OK && request->simulate)
    status = model_simulate(request, f, request->simulate, &f->simulated, error);
  return status;
}
