// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of `divcost model`, first half: the distribution, X, reconvergence, cost. Where warps
// are of several types, every figure is the mean over the types.
#include "model/model.h"

#include "divcost/files.h"
#include "divcost/histogram.h"

#include <stdlib.h>

static dc_status out_of_memory(size_t bytes, dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory: %zu bytes more are needed", bytes);
}

// ---- the distribution ---------------------------------------------------------------------------

// Files of histograms are relative to the current directory.
static const dc_distribution_options distribution_options = {
    .cut = DC_CUT_DEFAULT, .read_histogram = dc_histogram_read_file};

// The parts of the mixture.
static dc_status build_types(model_figures *f, dc_error *error) {
  double weight = 0; // 1, but for how it is written: three times 0.333
  for (const dc_distribution_spec *part = f->spec->parts; part; part = part->next, ++f->n_types)
    weight += part->weight;
  f->types = calloc(f->n_types + 1, sizeof *f->types);
  if (!f->types)
    return out_of_memory(f->n_types * sizeof *f->types, error);
  dc_group_type *type = f->types;
  dc_status status = DC_OK;
  for (const dc_distribution_spec *part = f->spec->parts; part && status == DC_OK;
       part = part->next, ++type) {
    type->weight = part->weight / weight;
    status = dc_distribution_build(part, &distribution_options, &type->distribution, error);
  }
  return status;
}

static dc_status build_distribution(const model_request *request, model_figures *f,
                                    dc_error *error) {
  dc_status status = dc_distribution_parse(request->distribution, &f->spec, error);
  if (status == DC_OK)
    status = dc_distribution_build(f->spec, &distribution_options, &f->trips, error);
  if (status != DC_OK)
    return status;
  if (request->per_warp && f->spec->kind != DC_DISTRIBUTION_MIXTURE)
    return dc_fail(
        error, DC_ERROR_ARGUMENT,
        "--per-warp needs a mixture, whose components are then distributions of whole warps");
  if (request->per_warp)
    return build_types(f, error);
  f->types = malloc(sizeof *f->types);
  if (!f->types)
    return out_of_memory(sizeof *f->types, error);
  f->types[0] = (dc_group_type){1, f->trips};
  f->types[0].distribution.memory = NULL; // it is the distribution's
  f->n_types = 1;
  return DC_OK;
}

// ---- figures -----------------------------------------------------------------------------------

static dc_status add_imbalance(const model_request *request, const dc_group_type *type,
                               model_figures *f, dc_error *error) {
  dc_moments x;
  double maximum;
  dc_status status = dc_imbalance_moments(&type->distribution, request->lanes, &x, error);
  if (status == DC_OK)
    status = dc_expected_maximum(&type->distribution, request->lanes, &maximum, error);
  if (status != DC_OK)
    return status;
  f->maximum += type->weight * maximum;
  f->x.excess += type->weight * x.excess;
  f->x.square += type->weight * x.square;
  f->x.variance = f->n_types == 1 ? x.variance : f->x.square - f->x.excess * f->x.excess;
  return DC_OK;
}

static dc_status add_reconvergence(const model_request *request, const dc_group_type *type,
                                   model_figures *f, dc_error *error) {
  dc_reconvergence r;
  dc_status status = dc_single_loop(&type->distribution, request->lanes, &r, error);
  if (status != DC_OK)
    return status;
  f->distinct += type->weight * r.distinct;
  f->divergent_exits += type->weight * r.divergent_exits;
  f->depth += type->weight * r.depth;
  if (!f->has_depth)
    return DC_OK;
  double probability[DC_DEPTH_LANES_MAX + 1];
  status = dc_single_loop_depth(&type->distribution, request->lanes, probability, error);
  for (unsigned capacity = 1; capacity <= request->lanes && status == DC_OK; ++capacity)
    f->depth_exceeds[capacity] +=
        type->weight * dc_depth_exceeds(probability, request->lanes, capacity);
  return status;
}

static dc_status add_cost(const model_request *request, const dc_group_type *type, model_figures *f,
                          dc_error *error) {
  dc_cost_loss cost;
  dc_status status =
      dc_cost_imbalance(&type->distribution, request->lanes, &request->cost, &cost, error);
  if (status != DC_OK)
    return status;
  f->cost.cycles += type->weight * cost.cycles;
  f->cost.ideal += type->weight * cost.ideal;
  f->cost.expected += type->weight * cost.expected;
  f->cost.lost = f->cost.cycles - f->cost.ideal;
  f->cost.aggregate = f->cost.ideal > 0 ? f->cost.cycles / f->cost.ideal : 1;
  f->cost.efficiency = 1 / f->cost.aggregate;
  return DC_OK;
}

static dc_status warps(const model_request *request, model_figures *f, dc_error *error) {
  f->has_depth = request->lanes <= DC_DEPTH_LANES_MAX;
  dc_status status = dc_typed_loss(f->types, f->n_types, request->lanes, &f->loss, error);
  if (status == DC_OK)
    status = dc_worst_imbalance(dc_distribution_min(&f->trips), dc_distribution_max(&f->trips),
                                request->lanes, &f->worst, error);
  for (size_t i = 0; i < f->n_types && status == DC_OK; ++i) {
    status = add_imbalance(request, &f->types[i], f, error);
    if (status == DC_OK)
      status = add_reconvergence(request, &f->types[i], f, error);
    if (status == DC_OK && request->has_cost)
      status = add_cost(request, &f->types[i], f, error);
  }
  f->x.mean = 1 + f->x.excess;
  return status;
}

// ---- all ---------------------------------------------------------------------------------------

dc_status model_compute(const model_request *request, model_figures *figures, dc_error *error) {
  *figures = (model_figures){0};
  dc_status status = build_distribution(request, figures, error);
  if (status == DC_OK)
    status = warps(request, figures, error);
  if (status == DC_OK)
    status = model_compute_ratios(request, figures, error);
  if (status == DC_OK)
    status = model_compute_groups(request, figures, error);
  if (status != DC_OK)
    model_free(figures);
  return status;
}

void model_free(model_figures *figures) {
  for (size_t i = 0; i < figures->n_types && figures->types; ++i)
    dc_distribution_free(&figures->types[i].distribution);
  free(figures->types);
  dc_distribution_free(&figures->trips);
  dc_distribution_spec_free(figures->spec);
  dc_simulated_free(&figures->simulated);
  *figures = (model_figures){0};
}
