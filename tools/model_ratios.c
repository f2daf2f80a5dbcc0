// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of X for `divcost model`: quantiles, and shares of rows for bars.
#include "model.h"

#include <math.h>
#include <stdlib.h>

const double model_quantiles[MODEL_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

// A width of 1, 2 or 5 times a power of ten, so that no more than MODEL_ROWS rows are needed.
static double row_width(double range) {
  double width = range / (MODEL_ROWS - 1), power = pow(10, floor(log10(width)));
  return width <= power       ? power
         : width <= 2 * power ? 2 * power
         : width <= 5 * power ? 5 * power
                              : 10 * power;
}

// Lays out the rows from the least value to one with a thousandth above it.
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

// What is above the rows goes into one more.
static void add(model_ratios *r, double x, double mass) {
  size_t row = r->width > 0 ? (size_t)((x - r->low) / r->width + 1e-9) : 0;
  r->share[row < r->rows ? row : r->rows] += mass;
}

enum { SAMPLE = 1 << 16 };

static dc_status from_sample(const model_request *request, const model_figures *f, model_ratios *r,
                             dc_error *error) {
  void *memory;
  dc_simulated simulated;
  model_request one = *request;
  one.warps = 0;
  one.blocks = 0;
  dc_status status = model_simulate(&one, f, SAMPLE, &memory, &simulated, error);
  if (status != DC_OK)
    return status;
  r->from = "simulated";
  for (size_t i = 0; i < MODEL_QUANTILES; ++i)
    r->quantile[i] = dc_simulated_quantile(&simulated, model_quantiles[i], NULL, NULL);
  lay_out(r, simulated.x[0], dc_simulated_quantile(&simulated, 0.999, NULL, NULL));
  for (size_t i = 0; i < SAMPLE; ++i)
    add(r, simulated.x[i], 1.0 / SAMPLE);
  free(memory);
  return DC_OK;
}

dc_status model_compute_ratios(const model_request *request, model_figures *figures,
                               dc_error *error) {
  return from_sample(request, figures, &figures->ratios, error);
}
