// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "power_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/imbalance.h"

static const char kernel[] = "crowd"; // the cells of the models are those without __syncwarp()

// --- between the crowds measured -----------------------------------------------------------------

// Measured values left and right of x; the same where there is one at x, or none on a side.
typedef struct bracket {
  double low, high, at_low, at_high;
} bracket;

static void narrow(bracket *into, double x, double at, double value) {
  if (at <= x && (into->low < 0 || at > into->low)) {
    into->low = at;
    into->at_low = value;
  }
  if (at >= x && (into->high < 0 || at < into->high)) {
    into->high = at;
    into->at_high = value;
  }
}

static double between(const bracket *of, double x) {
  if (of->low < 0)
    return of->at_high;
  if (of->high <= of->low)
    return of->at_low;
  return of->at_low + (x - of->low) / (of->high - of->low) * (of->at_high - of->at_low);
}

// A term of crowds of so many warps everywhere, all with so many lanes. Between the nearest sizes
// measured, of smaller and of larger crowds, it is taken for linear.
static dc_status term_of(const power_results *from, power_term_kind kind, unsigned warps,
                         unsigned lanes, double *cycles, dc_error *error) {
  bracket found = {-1, -1, 0, 0};
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    if (term->kind == kind && term->warps == term->background && term->lanes == lanes &&
        term->others == lanes && !term->scattered && strcmp(term->kernel, kernel) == 0)
      narrow(&found, warps, term->warps, term->cycles.median);
  }
  if (found.low < 0 || found.high < 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "no term '%s' was measured for crowds of %u warps with %u lanes, nor for "
                   "smaller and larger ones",
                   power_term_name(kind), warps, lanes);
  *cycles = between(&found, warps);
  return DC_OK;
}

static unsigned warps_of(const power_cell *cell) {
  return cell->resident * ((cell->block + LANES - 1) / LANES);
}

dc_status power_times_of(const power_results *from, const power_cell *cell, power_times *result,
                         dc_error *error) {
  unsigned warps = warps_of(cell), lanes = cell->block < LANES ? cell->block : LANES;
  double first = 0;
  *result = (power_times){0};
  dc_status status = term_of(from, TERM_ITERATION, warps, lanes, &result->iteration, error);
  if (status == DC_OK)
    status = term_of(from, TERM_FIRST, warps, lanes, &first, error);
  if (status == DC_OK)
    status = term_of(from, TERM_SETUP, warps, lanes, &result->setup, error);
  if (status == DC_OK)
    status = term_of(from, TERM_ENTRY, warps, LANES, &result->entry, error);
  result->first = first - result->iteration - result->entry;
  return status;
}

dc_status power_corrected(const power_law *law, unsigned lanes, const power_times *times,
                          double *expected, dc_error *error) {
  const dc_distribution *counts = &law->distribution;
  dc_point *points = malloc(counts->count * sizeof *points);
  if (!points)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (size_t p = 0; p < counts->count; ++p) {
    double count = (double)counts->points[p].value;
    double time = times->entry + (count > 0 ? times->first : 0) + count * times->iteration;
    points[p] = (dc_point){llround(time), counts->points[p].mass};
  }
  dc_distribution clocks = {points, counts->count, counts->cut};
  dc_status status = dc_distribution_check(&clocks, error);
  if (status == DC_OK)
    status = dc_expected_imbalance(&clocks, lanes, expected, error);
  free(points);
  return status;
}

// --- an iteration's cycles, by warps and the others' warps ---------------------------------------

static bool is_size(const power_term *term) {
  return term->kind == TERM_ITERATION && term->lanes == LANES && term->others == LANES &&
         !term->scattered && strcmp(term->kernel, kernel) == 0;
}

static double by_background(const power_results *from, unsigned warps, double background) {
  bracket found = {-1, -1, 0, 0};
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    if (is_size(term) && term->warps == warps)
      narrow(&found, background, term->background, term->cycles.median);
  }
  return between(&found, background);
}

static double by_warps(const power_results *from, unsigned warps, double background) {
  bracket found = {-1, -1, 0, 0};
  for (unsigned t = 0; t < from->term_count; ++t) // each crowd size is there with itself around it
    if (is_size(&from->terms[t]) && from->terms[t].warps == from->terms[t].background)
      narrow(&found, warps, from->terms[t].warps, 0);
  if (found.low < 0 && found.high < 0)
    return 0;
  if (found.low >= 0)
    found.at_low = by_background(from, (unsigned)found.low, background);
  if (found.high >= 0)
    found.at_high = by_background(from, (unsigned)found.high, background);
  return between(&found, warps);
}

// What an iteration with fewer lanes takes of one that all lanes do, the other warps having all.
static void by_lanes(const power_results *from, unsigned warps, double full,
                     double work[SHARING_LANES + 1]) {
  for (unsigned lanes = 1; lanes <= SHARING_LANES; ++lanes) {
    bracket found = {-1, -1, 1, 1};
    narrow(&found, lanes, LANES, 1);
    for (unsigned t = 0; t < from->term_count; ++t) {
      const power_term *term = &from->terms[t];
      if (term->kind == TERM_ITERATION && term->warps == warps && term->background == warps &&
          term->others == LANES && term->lanes < LANES && term->scattered &&
          strcmp(term->kernel, kernel) == 0)
        narrow(&found, lanes, term->lanes, term->cycles.median / full);
    }
    work[lanes] = between(&found, lanes);
  }
}

dc_status power_sharing(const power_results *from, const power_cell *cell, sharing *result,
                        dc_error *error) {
  power_times times;
  double full = 0;
  unsigned warps = warps_of(cell);
  dc_status status = power_times_of(from, cell, &times, error);
  if (status == DC_OK)
    status = term_of(from, TERM_ITERATION, warps, LANES, &full, error);
  if (status != DC_OK)
    return status;
  *result = (sharing){.multiprocessors = cell->multiprocessors,
                      .resident = cell->resident,
                      .block = cell->block,
                      .lanes = cell->lanes,
                      .entry = times.entry,
                      .first = times.first / times.iteration,
                      .setup = times.setup / times.iteration};
  for (unsigned b = 0; b <= SHARING_WARPS; ++b)
    for (unsigned w = 1; w <= SHARING_WARPS; ++w)
      result->cycles[b][w] = by_warps(from, w, b) * times.iteration / full;
  for (unsigned lanes = 0; lanes <= SHARING_LANES; ++lanes)
    result->work[lanes] = 1;
  if (cell->block >= LANES)
    by_lanes(from, warps, full, result->work);
  return DC_OK;
}
