// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same for all lanes of an entry is one of PARTS numbers, as likely each; given that,
// lanes are independent.
#include "unit/lanes_together.h"

#include <math.h>

enum { PARTS = 16 };

#define ALIKE 1.001 // the longest lane of an entry, over the mean one

static double normal(double x) { return erfc(-x / sqrt(2)) / 2; }

static double normal_quantile(double share) {
  double low = -8, high = 8;
  for (unsigned k = 0; k < 50; ++k) {
    double middle = (low + high) / 2;
    *(normal(middle) < share ? &low : &high) = middle;
  }
  return low;
}

// The chance of each bin where what is the same is so.
static void find_chances(const dc_together *t, unsigned part, double *chances) {
  double center = sqrt(t->same) * normal_quantile((part + 0.5) / PARTS), wide = sqrt(1 - t->same),
         before = 0;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    double below = t->trips->lanes[bin] > 0 ? normal((t->below[bin] - center) / wide) : before;
    chances[bin] = t->same > 0 ? below - before : (double)t->trips->lanes[bin] / t->all;
    before = below;
  }
}

static unsigned parts_of(const dc_together *t) { return t->same > 0 ? PARTS : 1; }

// ---- passes -------------------------------------------------------------------------------------

// The share of a bin's lanes that do more than so many passes of a kind. Where a bin is of many
// trip counts, all that may be left are as likely.
static double share_of_bin(uint32_t bin, dc_passes kind, double passes) {
  if (kind.modulus && bin >= DC_PROFILE_EXACT)
    return 1 - (passes + 1) / kind.modulus;
  return dc__passes_of(kind, (double)dc_profile_bin_start(bin)) > passes;
}

// The most that so many lanes do which are independent.
static double most_of(const double *chances, double lanes, dc_passes kind) {
  double sum = 0, before = 0, fewer = 0; // fewer: lanes
  for (unsigned k = 0; k + 1 < kind.modulus; ++k) {
    double share = 0;
    for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin)
      share += chances[bin] > 0 ? chances[bin] * share_of_bin(bin, kind, k) : 0;
    sum += 1 - pow(1 - fmin(share, 1), lanes);
  }
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS && !kind.modulus; ++bin) {
    double passes = dc__passes_of(kind, (double)dc_profile_bin_start(bin));
    if (passes > before)
      sum += (passes - before) * (1 - pow(fmin(fewer, 1), lanes));
    fewer += chances[bin];
    before = passes;
  }
  return sum;
}

static double mean_passes(const dc_together *t, dc_passes kind) {
  double sum = 0;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin)
    sum += (double)t->trips->lanes[bin] / t->all *
           dc__passes_of(kind, (double)dc_profile_bin_start(bin));
  return sum;
}

double dc__most_passes(const dc_together *together, dc_passes kind) {
  double sum = 0, chances[DC_PROFILE_BINS];
  if (together->same >= 1)
    return mean_passes(together, kind);
  for (unsigned part = 0; part < parts_of(together); ++part) {
    find_chances(together, part, chances);
    sum += most_of(chances, together->lanes, kind);
  }
  return sum / parts_of(together);
}

dc_together dc__lanes_together(const dc_profile_counts *trips) {
  dc_profile_figures figures = dc_profile_figure(trips);
  double entries = (double)trips->entries, longest = (double)trips->warp_iterations / entries;
  dc_together t = {.trips = trips, .all = figures.lanes, .lanes = figures.lanes / entries};
  double mass = 0, low = 0, high = 1;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    mass += (double)trips->lanes[bin] / t.all;
    t.below[bin] = trips->lanes[bin] ? normal_quantile(mass) : 0;
  }
  bool independent = dc__most_passes(&t, dc__passes_whole(1)) <= longest;
  for (unsigned k = 0; k < 14 && !independent; ++k) {
    t.same = (low + high) / 2;
    *(dc__most_passes(&t, dc__passes_whole(1)) > longest ? &low : &high) = t.same;
  }
  t.same = longest <= figures.mean * ALIKE ? 1 : t.same;
  return t;
}

// ---- groups -------------------------------------------------------------------------------------

static double groups_of(const double *chances, double lanes, uint32_t iterations) {
  double sum = 0, mass = 0;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    mass += chances[bin];
    bool last = bin + 1 == DC_PROFILE_BINS || dc_profile_bin_start(bin + 1) / iterations !=
                                                  dc_profile_bin_start(bin) / iterations;
    if (last && mass > 0)
      sum += 1 - pow(1 - fmin(mass, 1), lanes);
    mass = last ? 0 : mass;
  }
  return sum;
}

double dc__more_groups(const dc_together *together, uint32_t iterations) {
  double sum = 0, chances[DC_PROFILE_BINS];
  for (unsigned part = 0; part < parts_of(together) && together->same < 1; ++part) {
    find_chances(together, part, chances);
    sum += fmax(0, groups_of(chances, together->lanes, iterations) - 1);
  }
  return sum / parts_of(together);
}

double dc__any_iterates(const dc_together *together) {
  double sum = 0, chances[DC_PROFILE_BINS];
  if (together->same >= 1)
    return 1 - (double)together->trips->lanes[0] / together->all;
  for (unsigned part = 0; part < parts_of(together); ++part) {
    find_chances(together, part, chances);
    sum += 1 - pow(fmin(chances[0], 1), together->lanes);
  }
  return sum / parts_of(together);
}
