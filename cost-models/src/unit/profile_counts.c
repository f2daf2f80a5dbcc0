// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of one loop of a profile: what can be, sums, and the figures that come out.
#include "divcost/profile.h"

#include <inttypes.h>

#define LANES 32
#define BINS_PER_OCTAVE 4
#define EXACT_BITS 10 // DC_PROFILE_EXACT is 2^10

// ---- bins ---------------------------------------------------------------------------------------

uint32_t dc_profile_bin(uint32_t trips) {
  if (trips < DC_PROFILE_EXACT)
    return trips;
  unsigned octave = EXACT_BITS;
  while (octave < 31 && trips >> (octave + 1))
    ++octave;
  unsigned part = trips >> (octave - 2) & (BINS_PER_OCTAVE - 1);
  return DC_PROFILE_EXACT + (octave - EXACT_BITS) * BINS_PER_OCTAVE + part;
}

uint32_t dc_profile_bin_start(uint32_t bin) {
  if (bin < DC_PROFILE_EXACT)
    return bin;
  unsigned octave = EXACT_BITS + (bin - DC_PROFILE_EXACT) / BINS_PER_OCTAVE;
  unsigned part = (bin - DC_PROFILE_EXACT) % BINS_PER_OCTAVE;
  return (BINS_PER_OCTAVE + part) << (octave - 2);
}

uint32_t dc_profile_bin_end(uint32_t bin) {
  return bin + 1 < DC_PROFILE_BINS ? dc_profile_bin_start(bin + 1) - 1 : UINT32_MAX;
}

// ---- what can be --------------------------------------------------------------------------------

// Sums and products that stop at UINT64_MAX.
static uint64_t plus(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

static uint64_t times(uint64_t a, uint64_t b) {
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t divided_up(uint64_t a, uint64_t b) { return a / b + (a % b > 0); }

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high) {
  return value < low ? low : value > high ? high : value;
}

// Iterations of the lanes in a bin.
static uint64_t iterations_in(const dc_profile_counts *counts, unsigned bin) {
  return bin < DC_PROFILE_EXACT ? times(counts->lanes[bin], bin)
                                : counts->sums[bin - DC_PROFILE_EXACT];
}

dc_profile_totals dc_profile_total(const dc_profile_counts *counts) {
  dc_profile_totals all = {0, 0};
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    all.lanes = plus(all.lanes, counts->lanes[bin]);
    all.iterations = plus(all.iterations, iterations_in(counts, bin));
  }
  return all;
}

// 31/2 for each lane.
static uint64_t pairs_most(uint64_t lanes) {
  return plus(times(lanes / 2, LANES - 1), lanes % 2 * (LANES - 1) / 2);
}

static uint64_t spread_most(uint64_t pairs) {
  return times(pairs, (uint64_t)(DC_PROFILE_SPREAD_END - 1) * (DC_PROFILE_SPREAD_END - 1));
}

static dc_status check_bins(const dc_profile_counts *counts, dc_error *error) {
  for (unsigned bin = DC_PROFILE_EXACT; bin < DC_PROFILE_BINS; ++bin) {
    uint64_t lanes = counts->lanes[bin], sum = counts->sums[bin - DC_PROFILE_EXACT];
    uint32_t start = dc_profile_bin_start(bin), end = dc_profile_bin_end(bin);
    if (lanes > UINT64_MAX / start || sum < lanes * start || sum > times(lanes, end))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "%" PRIu64 " lanes of %" PRIu32 " to %" PRIu32
                     " trips can't have a sum of %" PRIu64,
                     lanes, start, end, sum);
  }
  return DC_OK;
}

dc_status dc_profile_check_counts(const dc_profile_counts *counts, dc_error *error) {
  if (check_bins(counts, error) != DC_OK)
    return DC_ERROR_ARGUMENT;
  dc_profile_totals all = dc_profile_total(counts);
  if (all.lanes == UINT64_MAX || all.iterations == UINT64_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s of all bins add up to 2^64 - 1 or more",
                   all.lanes == UINT64_MAX ? "lanes" : "iterations");
  if (counts->entries > all.lanes || all.lanes > times(counts->entries, LANES))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "%" PRIu64 " entries of warps can't be of %" PRIu64 " lanes", counts->entries,
                   all.lanes);
  if (counts->warp_iterations > all.iterations ||
      all.iterations > times(counts->warp_iterations, LANES))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "%" PRIu64 " iterations of warps can't be %" PRIu64 " of lanes",
                   counts->warp_iterations, all.iterations);
  if (counts->pairs > pairs_most(all.lanes))
    return dc_fail(error, DC_ERROR_ARGUMENT, "%" PRIu64 " lanes can't make %" PRIu64 " pairs",
                   all.lanes, counts->pairs);
  if (counts->spread > spread_most(counts->pairs))
    return dc_fail(error, DC_ERROR_ARGUMENT, "%" PRIu64 " pairs can't have a spread of %" PRIu64,
                   counts->pairs, counts->spread);
  return DC_OK;
}

bool dc_profile_mend_counts(dc_profile_counts *counts) {
  if (dc_profile_check_counts(counts, NULL) == DC_OK)
    return false;
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    uint64_t start = dc_profile_bin_start(bin), end = dc_profile_bin_end(bin), *lanes,
             most = (UINT64_MAX - 1) / DC_PROFILE_BINS / (end ? end : 1); // so no sum is too large
    lanes = &counts->lanes[bin];
    *lanes = *lanes > most ? most : *lanes;
    if (bin >= DC_PROFILE_EXACT) {
      uint64_t *sum = &counts->sums[bin - DC_PROFILE_EXACT];
      *sum = clamp(*sum, *lanes * start, *lanes * end);
    }
  }
  dc_profile_totals all = dc_profile_total(counts);
  counts->entries = clamp(counts->entries, divided_up(all.lanes, LANES), all.lanes);
  counts->warp_iterations =
      clamp(counts->warp_iterations, divided_up(all.iterations, LANES), all.iterations);
  counts->pairs = clamp(counts->pairs, 0, pairs_most(all.lanes));
  counts->spread = clamp(counts->spread, 0, spread_most(counts->pairs));
  return true;
}

// ---- sums ---------------------------------------------------------------------------------------

enum { WORDS = sizeof(dc_profile_counts) / sizeof(uint64_t) };

bool dc_profile_add_counts(dc_profile_counts *to, const dc_profile_counts *from) {
  uint64_t *sums = (uint64_t *)to;
  const uint64_t *more = (const uint64_t *)from;
  for (unsigned k = 0; k < WORDS; ++k)
    if (more[k] > UINT64_MAX - sums[k])
      return false;
  for (unsigned k = 0; k < WORDS; ++k)
    sums[k] += more[k];
  dc_profile_totals all = dc_profile_total(to);
  bool fits = all.lanes < UINT64_MAX && all.iterations < UINT64_MAX;
  for (unsigned k = 0; !fits && k < WORDS; ++k)
    sums[k] -= more[k];
  return fits;
}

// ---- figures ------------------------------------------------------------------------------------

// The mean trip count of the entries in a bin, which isn't empty.
static double bin_mean(const dc_profile_counts *counts, unsigned bin) {
  if (bin < DC_PROFILE_EXACT)
    return bin;
  return (double)counts->sums[bin - DC_PROFILE_EXACT] / (double)counts->lanes[bin];
}

static double variance_of(const dc_profile_counts *counts, const dc_profile_figures *f) {
  double variance = 0;
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin]) {
      double distance = bin_mean(counts, bin) - f->mean;
      variance += (double)counts->lanes[bin] / f->lanes * distance * distance;
    }
  return variance;
}

dc_profile_figures dc_profile_figure(const dc_profile_counts *counts) {
  dc_profile_figures f = {.efficiency = 1, .aggregate = 1};
  dc_profile_totals all = dc_profile_total(counts);
  if (all.lanes == 0)
    return f;
  f.lanes = (double)all.lanes;
  f.iterations = (double)all.iterations;
  f.mean = f.iterations / f.lanes;
  f.mean = f.mean > UINT32_MAX ? UINT32_MAX : f.mean; // by rounding
  f.variance = variance_of(counts, &f);
  if (counts->warp_iterations && all.iterations) {
    f.efficiency = f.iterations / (LANES * (double)counts->warp_iterations);
    double lanes = counts->entries ? f.lanes / (double)counts->entries : LANES;
    f.aggregate = lanes * (double)counts->warp_iterations / f.iterations;
  }
  if (counts->pairs && f.variance > 0)
    f.correlation = 1 - (double)counts->spread / (double)counts->pairs / (2 * f.variance);
  f.correlation = f.correlation < -1 ? -1 : f.correlation; // pairs are of complete entries alone
  return f;
}

size_t dc_profile_points(const dc_profile_counts *counts, dc_point *points) {
  size_t n = 0;
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin])
      points[n++] = (dc_point){(int64_t)(bin_mean(counts, bin) + 0.5), (double)counts->lanes[bin]};
  return n;
}
