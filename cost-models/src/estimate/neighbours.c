// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trip counts of a strided loop, whose lanes differ by one at most in each entry: the first lanes
// do M iterations, the others M - 1. A distribution tells which share p(c) of the lanes, of all
// entries, do c iterations. Of these, u(c + 1) are in entries with M = c + 1, and w(c) in those
// with M = c:
//   p(c) = w(c) + u(c + 1),   P(M = c) = u(c) + w(c),   E[M] = sum of c p(c) + sum of u(c).
// Some lane does M iterations: u(c) <= 31 w(c). Below that, u(c) = theta p(c - 1) for all c, where
// theta gives E[M]; if that isn't known, as if sections were of any length, so that 1 to 32 lanes
// do M iterations, each as likely.
#include "estimate/estimate_internal.h"

#include <math.h>
#include <stdlib.h>

#define HALVINGS 40 // of the interval for theta
#define THETA_UNKNOWN ((DC_WARP - 1.0) / (2 * DC_WARP))
#define SHARE_MIN (1.0 / DC_NEIGHBOURS_MAX) // of entries that become a piece

// Entries that become a piece.
typedef struct entries {
  double share, longest, lanes; // sums, over the entries
} entries;

static void add_piece(dc_neighbours *out, double weight, double longest, unsigned lanes) {
  if (weight > 0)
    out->of[out->n++] = (dc_neighbours_piece){weight, (int64_t)longest, lanes};
}

// Closes a piece: whole numbers around the means keep these.
static void close_piece(dc_neighbours *out, entries *of) {
  double longest = of->longest / of->share, below = floor(longest + 1e-9);
  double above = fmax(longest - below, 0), lanes = of->lanes / of->share;
  unsigned few = (unsigned)(lanes + 1e-9);
  double more = fmax(lanes - few, 0);
  for (unsigned k = 0; k < 2; ++k) {
    double weight = of->share * (k ? above : 1 - above);
    add_piece(out, weight * (1 - more), below + k, few);
    add_piece(out, weight * more, below + k, few + 1);
  }
  *of = (entries){0};
}

// The entries by M, from the greatest down, into `out` unless it is NULL. Returns the sum of u.
static double distribute(const dc_distribution *d, double theta, dc_neighbours *out) {
  double up = 0, sum = 0; // u(c + 1)
  entries gathered = {0};
  for (size_t k = d->count; k-- > 0;) {
    const dc_point *point = &d->points[k];
    bool next = k > 0 && point[-1].value == point->value - 1;
    double here = point->mass - up;
    up = next ? fmin(theta * point[-1].mass, (DC_WARP - 1) * here) : 0;
    sum += up;
    double share = here + up;
    if (!out || share <= 0)
      continue;
    if (point->value == 0 && gathered.share > 0) // beside others lanes would do fewer than none
      close_piece(out, &gathered);
    gathered.share += share;
    gathered.longest += share * (double)point->value;
    gathered.lanes += DC_WARP * here;
    if (gathered.share >= SHARE_MIN)
      close_piece(out, &gathered);
  }
  if (out && gathered.share > 0)
    close_piece(out, &gathered);
  return sum;
}

// So that the mean of M is `longest`, or as near as can be.
static double find_theta(const dc_distribution *d, double longest) {
  double low = 0, high = 1, up = longest - dc_distribution_mean(d);
  for (unsigned k = 0; k < HALVINGS; ++k) {
    double middle = (low + high) / 2;
    if (distribute(d, middle, NULL) < up)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const dc_neighbours *dc__distribution_neighbours(dc_distribution_entry *distribution) {
  const dc_distribution *d = &distribution->distribution;
  if (!distribution->neighbours &&
      (distribution->neighbours = calloc(1, sizeof *distribution->neighbours))) {
    // Of warps with alike lanes, and others with independent ones, the mean of M alone is used.
    double theta = distribution->alike > 0 ? find_theta(d, distribution->figures[DC_WARP].maximum)
                                           : THETA_UNKNOWN;
    distribute(d, theta, distribution->neighbours);
  }
  return distribution->neighbours;
}

void dc__neighbours_counts(const dc_neighbours_piece *piece, uint32_t set, double *counts) {
  unsigned size = dc__lanes_count(set), rank = 0;
  for (unsigned lane = 0; lane < DC_WARP; ++lane)
    if (set >> lane & 1)
      counts[lane] = (double)piece->longest - (DC_WARP * rank++ >= piece->lanes * size);
}
