// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page draws of a loop: its distribution of trip counts, that of the imbalance which
// follows, and what sharing items among lanes makes of it.
#include "report/html/wasm/model.h"

#include "report/html/describe.h"

#include "divcost/imbalance_pmf.h"
#include "divcost/workload.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, BINS = 248, TRIP_BINS = 64, POSITIONS = 160 };

// Distributions ready to be computed with.
typedef struct built {
  unsigned count;
  const char *texts[2];
  dc_assumed_distributions assumed;
  dc_distribution distributions[2];
  double correlation;
} built;

static void release(built *b) {
  for (unsigned k = 0; k < 2; ++k)
    dc_distribution_free(&b->distributions[k]);
}

static dc_status build(uint32_t loop, built *b, dc_error *error) {
  const dc_unit_kernel *of = &model_open_one.of;
  const dc_kernel *kernel = &of->kernel;
  *b = (built){0};
  if (loop >= kernel->n_loops || of->n_estimates == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the kernel has no such loop, or was not described");
  b->count = dc__describe_distributions(kernel, loop, &of->estimates[0].loops[loop], &b->assumed,
                                        b->texts);
  b->correlation = kernel->loops[loop].correlation;
  dc_status status = DC_OK;
  for (unsigned k = 0; k < b->count && status == DC_OK; ++k)
    status = dc_distribution_from_text(b->texts[k], NULL, &b->distributions[k], error);
  if (status != DC_OK)
    release(b);
  return status;
}

// ---- trips -------------------------------------------------------------------------------------

// The least value up to which there is all but a thousandth.
static int64_t most_of(const dc_distribution *distribution) {
  double beyond = 0;
  size_t k = distribution->count - 1;
  for (; k > 0 && beyond + distribution->points[k].mass <= 1e-3; --k)
    beyond += distribution->points[k].mass;
  return distribution->points[k].value;
}

static void binned(html_json *json, const char *text, const dc_distribution *distribution,
                   int64_t first, int64_t width, unsigned bins) {
  double masses[TRIP_BINS] = {0}, beyond = 0;
  for (size_t k = 0; k < distribution->count; ++k) {
    int64_t bin = (distribution->points[k].value - first) / width;
    *(bin < bins ? &masses[bin] : &beyond) += distribution->points[k].mass;
  }
  dc__html_open(json, NULL, '{');
  dc__html_string_sized(json, "distribution", text,
                        strlen(text) < DC_DISTRIBUTION_SHOWN ? strlen(text)
                                                             : DC_DISTRIBUTION_SHOWN);
  dc__html_real(json, "mean", dc_distribution_mean(distribution));
  dc__html_real(json, "beyond", beyond);
  dc__html_open(json, "points", '[');
  for (unsigned k = 0; k < bins; ++k) {
    dc__html_open(json, NULL, '[');
    dc__html_whole(json, NULL, first + k * width);
    dc__html_whole(json, NULL, first + (k + 1) * width - 1);
    dc__html_real(json, NULL, masses[k]);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
  dc__html_close(json, '}');
}

static void trips_by_distribution(html_json *json, const built *b) {
  int64_t first = INT64_MAX, last = 0;
  for (unsigned k = 0; k < b->count; ++k) {
    int64_t least = dc_distribution_min(&b->distributions[k]), most = most_of(&b->distributions[k]);
    first = least < first ? least : first;
    last = most > last ? most : last;
  }
  int64_t width = (last - first) / TRIP_BINS + 1;
  unsigned bins = (unsigned)((last - first) / width + 1);
  dc__html_open(json, "distributions", '[');
  for (unsigned k = 0; k < b->count; ++k)
    binned(json, b->texts[k], &b->distributions[k], first, width, bins);
  dc__html_close(json, ']');
}

// The trip count that the expression has in a lane of the first warp of the first block, in the
// first iterations of the loops around. Values that only the launch knows are taken as 65536.
static bool trips_of_lane(const dc_kernel *kernel, const dc_loop *loop, unsigned lane,
                          const int64_t *iv, int64_t *trips, bool *uses_assumed) {
  const dc_launch *launch = &kernel->launches[0];
  dc_expr_environment environment = {
      .lane = lane, .iv = iv, .n_iv = kernel->n_loops, .budget = 1000000, .assumed = 65536};
  int64_t params[256] = {0};
  bool known[256] = {0};
  uint32_t rest = lane;
  for (unsigned axis = 0; axis < 3; ++axis) {
    environment.ntid[axis] = launch->block[axis];
    environment.nctaid[axis] = launch->grid[axis];
    environment.tid[axis] = rest % launch->block[axis];
    rest /= launch->block[axis];
  }
  environment.n_params = kernel->n_params < 256 ? kernel->n_params : 256;
  for (uint32_t k = 0; k < environment.n_params; ++k) {
    params[k] = kernel->params[k].value;
    known[k] = kernel->params[k].known;
  }
  environment.params = params;
  environment.params_known = known;
  bool good = rest == 0 && dc_expr_evaluate(&kernel->pool, loop->trips, &environment, trips);
  *uses_assumed |= environment.uses_assumed;
  return good;
}

static void trips_by_lane(html_json *json, uint32_t index) {
  const dc_kernel *kernel = &model_open_one.of.kernel;
  const dc_loop *loop = &kernel->loops[index];
  int64_t trips[LANES], *iv = calloc((size_t)kernel->n_loops + 1, sizeof *iv);
  bool uses_assumed = false;
  unsigned lanes = 0;
  if (!iv || loop->trips == DC_NO_EXPR) {
    free(iv);
    return;
  }
  while (lanes < LANES && trips_of_lane(kernel, loop, lanes, iv, &trips[lanes], &uses_assumed))
    ++lanes;
  free(iv);
  dc__html_truth(json, "assumed", uses_assumed);
  dc__html_open(json, "lanes", '[');
  for (unsigned k = 0; k < lanes; ++k)
    dc__html_whole(json, NULL, trips[k] > 0 ? trips[k] : 0);
  dc__html_close(json, ']');
}

const char *model_trips(uint32_t loop) {
  built b;
  dc_error error;
  if (build(loop, &b, &error) != DC_OK)
    return model_fail(&error);
  html_json *json = model_begin();
  dc__html_open(json, NULL, '{');
  if (b.count)
    trips_by_distribution(json, &b);
  else
    trips_by_lane(json, loop);
  dc__html_close(json, '}');
  release(&b);
  return model_answer();
}

// ---- imbalance ---------------------------------------------------------------------------------

// The distribution with values rounded to multiples of *step and divided by it, so that there are
// few: X doesn't depend on the unit, a drawing shows no more, and the whole distribution takes its
// time.
static dc_distribution coarse(const dc_distribution *distribution, dc_point *points,
                              int64_t *step) {
  dc_distribution made = {points, 0, distribution->cut, NULL};
  *step = dc_distribution_max(distribution) / POSITIONS + 1;
  for (size_t k = 0; k < distribution->count; ++k) {
    int64_t value = (distribution->points[k].value + *step / 2) / *step;
    if (made.count && points[made.count - 1].value == value)
      points[made.count - 1].mass += distribution->points[k].mass;
    else
      points[made.count++] = (dc_point){value, distribution->points[k].mass};
  }
  return made;
}

static dc_status masses_of(html_json *json, const dc_distribution *distribution, double r,
                           dc_error *error) {
  dc_imbalance_grid grid;
  dc_status status = dc_imbalance_grid_build(distribution, LANES, BINS, &grid, error);
  dc__html_open(json, "masses", '[');
  for (unsigned k = 0; status == DC_OK && k < BINS; ++k)
    dc__html_real(json, NULL, (1 - r) * grid.masses[k] + (k ? 0 : r));
  dc__html_close(json, ']');
  dc_imbalance_grid_free(&grid);
  return status;
}

// With a correlation r, all lanes are alike in a share r of the warps.
static dc_status imbalance_of(html_json *json, const char *text,
                              const dc_distribution *distribution, double r, dc_error *error) {
  double aggregate = 0, expected = 0;
  int64_t step;
  dc_point *points = malloc(distribution->count * sizeof *points);
  if (!points)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the imbalance");
  dc_distribution drawn = coarse(distribution, points, &step);
  dc_status status = dc_aggregate_imbalance(distribution, LANES, &aggregate, error);
  if (status == DC_OK)
    status = dc_expected_imbalance(distribution, LANES, &expected, error);
  dc__html_open(json, NULL, '{');
  dc__html_string_sized(json, "distribution", text,
                        strlen(text) < DC_DISTRIBUTION_SHOWN ? strlen(text)
                                                             : DC_DISTRIBUTION_SHOWN);
  dc__html_real(json, "mean", r + (1 - r) * expected);
  dc__html_real(json, "aggregate", r + (1 - r) * aggregate);
  dc__html_whole(json, "step", step);
  dc__html_real(json, "low", 1);
  dc__html_real(json, "width", (LANES - 1) / (double)BINS);
  if (status == DC_OK)
    status = masses_of(json, &drawn, r, error);
  dc__html_close(json, '}');
  free(points);
  return status;
}

const char *model_imbalance(uint32_t loop) {
  built b;
  dc_error error;
  if (build(loop, &b, &error) != DC_OK)
    return model_fail(&error);
  dc_status status = DC_OK;
  html_json *json = model_begin();
  dc__html_open(json, NULL, '{');
  dc__html_open(json, "distributions", '[');
  for (unsigned k = 0; k < b.count && status == DC_OK; ++k)
    status = imbalance_of(json, b.texts[k], &b.distributions[k], b.correlation, &error);
  dc__html_close(json, ']');
  dc__html_close(json, '}');
  release(&b);
  return status == DC_OK ? model_answer() : model_fail(&error);
}

// ---- granularity -------------------------------------------------------------------------------

static dc_status shared(html_json *json, const built *b, unsigned lanes, dc_error *error) {
  dc_loss losses[2];
  for (unsigned k = 0; k < b->count; ++k) {
    dc_status status = dc_shared_item_loss(&b->distributions[k], LANES, lanes, &losses[k], error);
    if (status != DC_OK)
      return status;
  }
  dc__html_open(json, NULL, '{');
  dc__html_whole(json, "lanes", lanes);
  dc__html_open(json, "aggregate", '[');
  for (unsigned k = 0; k < b->count; ++k)
    dc__html_real(json, NULL, losses[k].aggregate);
  dc__html_close(json, ']');
  dc__html_open(json, "efficiency", '[');
  for (unsigned k = 0; k < b->count; ++k)
    dc__html_real(json, NULL, losses[k].efficiency);
  dc__html_close(json, ']');
  dc__html_close(json, '}');
  return DC_OK;
}

const char *model_granularity(uint32_t loop) {
  built b;
  dc_error error;
  if (build(loop, &b, &error) != DC_OK)
    return model_fail(&error);
  dc_status status = DC_OK;
  html_json *json = model_begin();
  dc__html_open(json, NULL, '{');
  dc__html_open(json, "rows", '[');
  for (unsigned lanes = 1; b.count && lanes <= LANES && status == DC_OK; lanes *= 2)
    status = shared(json, &b, lanes, &error);
  dc__html_close(json, ']');
  dc__html_close(json, '}');
  release(&b);
  return status == DC_OK ? model_answer() : model_fail(&error);
}
