// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of X for `divcost model`: quantiles, and shares of rows for bars. From the exact
// pmf where that is small; else from the grid; where warps are of several types, from a sample.
#include "model/model.h"

#include "divcost/imbalance_pmf.h"

#include <math.h>

const double model_quantiles[MODEL_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

// A width of 1, 2 or 5 times a power of ten, so that no more than MODEL_ROWS rows are needed.
static double row_width(double range) {
  double width = range / (MODEL_ROWS - 1), power = pow(10, floor(log10(width)));
  return width <= power       ? power
         : width <= 2 * power ? 2 * power
         : width <= 5 * power ? 5 * power
                              : 10 * power;
}

// Lays out the rows between values with little below and above.
static void lay_out(model_ratios *r, double low, double high) {
  r->low = low;
  if (high <= low) {
    r->rows = 1;
    return;
  }
  r->width = row_width(high - low);
  r->low = floor(low / r->width + 1e-9) * r->width;
  while (r->rows < MODEL_ROWS && r->low + (double)r->rows * r->width <= high)
    ++r->rows;
}

// What is above the rows goes into one more, what is below, into the first.
static void add(model_ratios *r, double x, double mass) {
  double at = r->width > 0 ? (x - r->low) / r->width + 1e-9 : 0;
  size_t row = at > 0 ? (size_t)at : 0;
  r->share[row < r->rows ? row : r->rows] += mass;
}

enum { SAMPLE = 1 << 16 };

static dc_status from_sample(const model_request *request, const model_figures *f, model_ratios *r,
                             dc_error *error) {
  dc_simulated simulated;
  model_request one = *request;
  one.warps = 0;
  one.blocks = 0;
  dc_status status = model_simulate(&one, f, SAMPLE, &simulated, error);
  if (status != DC_OK)
    return status;
  r->from = "simulated";
  for (size_t i = 0; i < MODEL_QUANTILES; ++i)
    r->quantile[i] = dc_simulated_quantile(&simulated, model_quantiles[i], NULL, NULL);
  lay_out(r, dc_simulated_quantile(&simulated, 0.001, NULL, NULL),
          dc_simulated_quantile(&simulated, 0.999, NULL, NULL));
  for (size_t i = 0; i < SAMPLE; ++i)
    add(r, simulated.x[i], 1.0 / SAMPLE);
  dc_simulated_free(&simulated);
  return DC_OK;
}

// A pmf of this size is computed and asked for its quantiles in about a second.
#define PMF_BYTES_MAX ((size_t)128 << 20)

static dc_status from_pmf(const model_request *request, const dc_distribution *d, model_ratios *r,
                          dc_error *error) {
  dc_imbalance_pmf pmf;
  dc_status status = dc_imbalance_pmf_build(d, request->lanes, DC_PMF_FASTEST, &pmf, error);
  if (status == DC_OK) {
    r->from = "exact";
    for (size_t i = 0; i < MODEL_QUANTILES; ++i)
      r->quantile[i] = dc_imbalance_pmf_quantile(&pmf, model_quantiles[i]);
    lay_out(r, dc_imbalance_pmf_quantile(&pmf, 0.001), dc_imbalance_pmf_quantile(&pmf, 0.999));
    dc_pmf_cursor cursor = {0};
    for (dc_pmf_point p; dc_imbalance_pmf_next(&pmf, &cursor, &p);)
      add(r, (double)p.numerator / (double)p.denominator, p.mass);
  }
  dc_imbalance_pmf_free(&pmf);
  return status;
}

enum { BINS = 20000 };

static dc_status from_grid(const model_request *request, const dc_distribution *d, model_ratios *r,
                           dc_error *error) {
  dc_imbalance_grid grid;
  dc_status status = dc_imbalance_grid_build(d, request->lanes, BINS, &grid, error);
  if (status == DC_OK) {
    r->from = "grid";
    for (size_t i = 0; i < MODEL_QUANTILES; ++i)
      r->quantile[i] = dc_imbalance_grid_quantile(&grid, model_quantiles[i]);
    lay_out(r, dc_imbalance_grid_quantile(&grid, 0.001), dc_imbalance_grid_quantile(&grid, 0.999));
    double width = (request->lanes - 1.0) / BINS;
    for (size_t i = 0; i < BINS; ++i)
      add(r, 1 + ((double)i + 0.5) * width, grid.masses[i]);
  }
  dc_imbalance_grid_free(&grid);
  return status;
}

dc_status model_compute_ratios(const model_request *request, model_figures *figures,
                               dc_error *error) {
  if (figures->n_types > 1)
    return from_sample(request, figures, &figures->ratios, error);
  const dc_distribution *d = &figures->trips;
  size_t bytes = 0;
  dc_status status = dc_imbalance_pmf_bytes(d, request->lanes, DC_PMF_FASTEST, &bytes, error);
  if (status == DC_OK && bytes <= PMF_BYTES_MAX)
    return from_pmf(request, d, &figures->ratios, error);
  if (status == DC_OK || status == DC_ERROR_LIMIT)
    status = from_grid(request, d, &figures->ratios, error);
  return status;
}
