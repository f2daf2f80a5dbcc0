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
  if (of->high <= of->low) // also if there is none above
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

unsigned power_resident_warps(const power_cell *cell) {
  return cell->resident * ((cell->block + LANES - 1) / LANES);
}

dc_status power_times_of(const power_results *from, const power_cell *cell, power_times *result,
                         dc_error *error) {
  unsigned warps = power_resident_warps(cell), lanes = cell->block < LANES ? cell->block : LANES;
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

// Of the law with its counts replaced by times, which ascend with them; takes the points.
static dc_status expected_of(const power_law *law, unsigned lanes, dc_point *points,
                             double *expected, dc_error *error) {
  dc_distribution times = {points, law->distribution.count, law->distribution.cut, NULL};
  dc_status status = dc_distribution_check(&times, error);
  if (status == DC_OK)
    status = dc_expected_imbalance(&times, lanes, expected, error);
  free(points);
  return status;
}

static dc_point *copy_points(const power_law *law, dc_error *error) {
  const dc_distribution *counts = &law->distribution;
  dc_point *points = malloc(counts->count * sizeof *points);
  if (points)
    memcpy(points, counts->points, counts->count * sizeof *points);
  else
    dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  return points;
}

dc_status power_corrected(const power_law *law, unsigned lanes, const power_times *times,
                          double *expected, dc_error *error) {
  dc_point *points = copy_points(law, error);
  if (!points)
    return DC_ERROR_MEMORY;
  for (size_t p = 0; p < law->distribution.count; ++p) {
    double count = (double)points[p].value;
    points[p].value =
        llround(times->entry + (count > 0 ? times->first : 0) + count * times->iteration);
  }
  return expected_of(law, lanes, points, expected, error);
}

// Mean cycles of the cell's iterations, by number, the last ones as long as the last one sampled;
// how many there are.
static unsigned profile_of(const power_results *from, const power_cell *cell,
                           double cycles[POWER_KEYS]) {
  unsigned count = 0;
  for (unsigned p = 0; p < from->profile_count; ++p) {
    const power_profile *profile = &from->profiles[p];
    if (!profile->by_active && profile->block == cell->block && profile->lanes == cell->lanes &&
        profile->law == cell->law && profile->key == count && count < POWER_KEYS)
      cycles[count++] = profile->cycles;
  }
  return count;
}

dc_status power_profiled(const power_results *from, const power_law *law, const power_cell *cell,
                         double *expected, dc_error *error) {
  double cycles[POWER_KEYS], time = 0;
  unsigned known = profile_of(from, cell, cycles);
  if (known == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "no iterations of blocks of %u threads with groups of %u were sampled",
                   cell->block, cell->lanes);
  dc_point *points = copy_points(law, error);
  if (!points)
    return DC_ERROR_MEMORY;
  int64_t done = 0;
  for (size_t p = 0; p < law->distribution.count; ++p) {
    for (; done < points[p].value; ++done)
      time += cycles[done < known ? done : known - 1];
    points[p].value = llround(time);
  }
  return expected_of(law, cell->lanes, points, expected, error);
}

// --- an iteration's cycles, by warps and the others' warps ---------------------------------------

static bool is_size(const power_term *term) {
  return term->kind == TERM_ITERATION && term->lanes == LANES && term->others == LANES &&
         !term->scattered && strcmp(term->kernel, kernel) == 0;
}

static bool is_even(const power_term *term) { // the same crowd on all multiprocessors
  return is_size(term) && term->warps == term->background;
}

typedef struct limits {
  unsigned multiprocessors, most; // most: warps of the largest crowd
  double alone, memory_rate;      // cycles: of one warp; of the largest crowd, by warp
  unsigned cached;                // warps of the largest crowd that the caches hold, or 0
  double cached_rate;             // its cycles, by warp
} limits;

// The warps of a multiprocessor, on average over all of them: some had other crowds than most.
static double mean_of(const power_term *term, unsigned multiprocessors) {
  double share = (double)term->cycles.launches / term->warps / multiprocessors;
  return share * term->warps + (1 - share) * term->background;
}

// An iteration's cycles in a crowd that was measured, by the mean over all multiprocessors: the
// memory behind the caches is everybody's. While the caches hold what all have, it isn't needed,
// and each multiprocessor gets what it got in the largest crowd that they hold.
static double by_mean(const power_results *from, const limits *of, unsigned warps, double mean) {
  bracket found = {-1, -1, 0, 0};
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    if (is_size(term) && term->warps == warps)
      narrow(&found, mean, mean_of(term, of->multiprocessors), term->cycles.median);
  }
  if (of->cached > 0 && warps > of->cached)
    narrow(&found, mean, of->cached, warps * of->cached_rate);
  return between(&found, mean);
}

static double by_warps(const power_results *from, const limits *of, unsigned warps, double mean) {
  bracket found = {-1, -1, 0, 0};
  for (unsigned t = 0; t < from->term_count; ++t) // each crowd size is there with itself around it
    if (is_even(&from->terms[t]))
      narrow(&found, warps, from->terms[t].warps, 0);
  if (found.low < 0 && found.high < 0)
    return 0;
  if (found.low >= 0)
    found.at_low = by_mean(from, of, (unsigned)found.low, mean);
  if (found.high >= 0)
    found.at_high = by_mean(from, of, (unsigned)found.high, mean);
  return between(&found, warps);
}

// Crowds start together and stay in step: their warps wait for the same things at the same times,
// and crowds of few warps don't get what the memory behind the caches gives the largest one. The
// warps of a workload are out of step and do. So b warps on each multiprocessor wait for as long as
// it takes to serve them at the rate of the largest crowd, unless less is measured.
static double saturated(const power_results *from, const limits *of, unsigned b) {
  double crowd = by_warps(from, of, b, b), all = b * of->memory_rate;
  if (crowd <= all)
    return 1;
  return all > of->alone ? (all - of->alone) / (crowd - of->alone) : 0;
}

static limits find_limits(const power_results *from, unsigned multiprocessors) {
  limits of = {.multiprocessors = multiprocessors};
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    if (is_even(term) && term->warps == 1)
      of.alone = term->cycles.median;
    if (is_even(term) && term->warps > of.most) {
      of.most = term->warps;
      of.memory_rate = term->cycles.median / term->warps;
    }
  }
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    double rate = term->cycles.median / term->warps;
    if (is_even(term) && term->warps > of.cached && rate < of.memory_rate) {
      of.cached = term->warps;
      of.cached_rate = rate;
    }
  }
  return of;
}

// scale: of the whole table.
static void by_crowd(const power_results *from, double scale, sharing *result) {
  limits of = find_limits(from, result->multiprocessors);
  for (unsigned b = 0; b <= SHARING_WARPS; ++b) {
    double share = b > of.cached && b <= of.most ? saturated(from, &of, b) : 1;
    for (unsigned w = 1; w <= SHARING_WARPS; ++w)
      result->cycles[b][w] = scale * (of.alone + share * (by_warps(from, &of, w, b) - of.alone));
  }
}

static bool is_probe(const power_term *term) {
  return term->kind == TERM_ITERATION && term->warps == term->background && term->others == LANES &&
         term->lanes < LANES && term->scattered && strcmp(term->kernel, kernel) == 0;
}

// What an iteration with fewer lanes takes of one with the most lanes that were measured, of the
// first warp among others with all lanes. From the largest crowd that isn't larger.
static void by_lanes(const power_results *from, unsigned warps, double work[SHARING_LANES + 1]) {
  const power_term *full = NULL;
  for (unsigned t = 0; t < from->term_count; ++t) {
    const power_term *term = &from->terms[t];
    if (is_probe(term) && term->warps <= warps &&
        (!full || term->warps > full->warps ||
         (term->warps == full->warps && term->lanes > full->lanes)))
      full = term;
  }
  for (unsigned lanes = 1; full && lanes <= SHARING_LANES; ++lanes) {
    bracket found = {-1, -1, 1, 1};
    for (unsigned t = 0; t < from->term_count; ++t) {
      const power_term *term = &from->terms[t];
      if (is_probe(term) && term->warps == full->warps)
        narrow(&found, lanes, term->lanes, term->cycles.median / full->cycles.median);
    }
    work[lanes] = between(&found, lanes);
  }
}

dc_status power_sharing(const power_results *from, const power_cell *cell, sharing *result,
                        dc_error *error) {
  power_times times;
  double full = 0;
  unsigned warps = power_resident_warps(cell);
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
  by_crowd(from, times.iteration / full, result);
  for (unsigned lanes = 0; lanes <= SHARING_LANES; ++lanes)
    result->work[lanes] = 1;
  if (cell->block >= LANES)
    by_lanes(from, warps, result->work);
  return DC_OK;
}
