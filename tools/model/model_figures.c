// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of `divcost model`, first half: the law, X, reconvergence, cost. Where warps are of
// several types, every figure is the mean over the types.
#include "model/model.h"

#include "divcost/histogram.h"

#include <stdlib.h>

static dc_status out_of_memory(size_t bytes, dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory: %zu bytes more are needed", bytes);
}

// ---- the law -----------------------------------------------------------------------------------

// Files of histograms are relative to the current directory.
static const dc_distribution_options law_options = {.cut = DC_CUT_DEFAULT,
                                                    .read_histogram = dc_histogram_read_file};

static dc_status build(const dc_law *law, void **memory, dc_distribution *distribution,
                       dc_error *error) {
  size_t bytes;
  dc_status status = dc_distribution_bytes(law, &law_options, &bytes, error);
  if (status != DC_OK)
    return status;
  if (!(*memory = malloc(bytes)))
    return out_of_memory(bytes, error);
  return dc_distribution_build(law, &law_options, *memory, bytes, distribution, error);
}

// The parts of the mixture, each with its points behind those of the one before.
static dc_status build_types(model_figures *f, dc_error *error) {
  size_t count = 0, total = 0;
  double weight = 0; // 1, but for how it is written: three times 0.333
  for (const dc_law *part = f->law->parts; part; part = part->next, ++count) {
    size_t bytes;
    weight += part->weight;
    dc_status status = dc_distribution_bytes(part, &law_options, &bytes, error);
    if (status != DC_OK)
      return status;
    total += bytes;
  }
  f->types = f->memory[2] = calloc(count ? count : 1, sizeof *f->types);
  char *points = f->memory[3] = malloc(total ? total : 1);
  if (!f->types || !points)
    return out_of_memory(count * sizeof *f->types + total, error);
  f->n_types = count;
  size_t k = 0;
  for (const dc_law *part = f->law->parts; part; part = part->next, ++k) {
    size_t bytes;
    dc_status status = dc_distribution_bytes(part, &law_options, &bytes, error);
    if (status == DC_OK)
      status = dc_distribution_build(part, &law_options, points, bytes, &f->types[k].distribution,
                                     error);
    if (status != DC_OK)
      return status;
    f->types[k].weight = part->weight / weight;
    points += bytes;
  }
  return DC_OK;
}

static dc_status build_law(const model_request *request, model_figures *f, dc_error *error) {
  size_t bytes = dc_law_bytes(request->law);
  if (!(f->memory[0] = malloc(bytes)))
    return out_of_memory(bytes, error);
  dc_status status = dc_law_parse(request->law, f->memory[0], bytes, &f->law, error);
  if (status == DC_OK)
    status = build(f->law, &f->memory[1], &f->trips, error);
  if (status != DC_OK)
    return status;
  if (request->per_warp && f->law->kind != DC_LAW_MIXTURE)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "--per-warp needs a mixture, whose parts are then laws of whole warps");
  if (request->per_warp)
    return build_types(f, error);
  f->types = f->memory[2] = malloc(sizeof *f->types);
  if (!f->types)
    return out_of_memory(sizeof *f->types, error);
  f->types[0] = (dc_group_type){1, f->trips};
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
  size_t bytes = dc_depth_bytes(request->lanes);
  void *memory = malloc(bytes);
  if (!memory)
    return out_of_memory(bytes, error);
  status =
      dc_single_loop_depth(&type->distribution, request->lanes, memory, bytes, probability, error);
  free(memory);
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
  dc_status status = build_law(request, figures, error);
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
  for (size_t i = 0; i < sizeof figures->memory / sizeof *figures->memory; ++i)
    free(figures->memory[i]);
  free(figures->simulation);
  *figures = (model_figures){0};
}
