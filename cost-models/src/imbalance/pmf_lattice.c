// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of the imbalance over a grid: the joint distribution of maximum and sum
// (joint.h), row by row into bins, and no table. A wide distribution is taken in octaves of the
// maximum. In octave k the maximum is between 1024 * 2^(k - 1) and 1024 * 2^k positions above the
// least value; there all values stand at multiples of 2^k positions, a value between two of them
// partly at either, so that its mean stays. Values above the octave's begin go to multiples above
// it, so that the octaves' probabilities sum to 1.
#include "divcost/imbalance_pmf.h"

#include "imbalance/imbalance_internal.h"
#include "imbalance/pmf_internal.h"
#include "math/quad.h"
#include "math/sum.h"

#include <stdlib.h>
#include <string.h>

// The octave up to the position DC_GRID_POSITIONS * scale, as a lattice of its own.
typedef struct octave {
  int64_t scale;
  dc_joint joint; // values are positions over scale; the rows of its own begin at first_row
  dc_point points[DC_GRID_POSITIONS + 1];
} octave;

static size_t positions_of(const dc_joint *joint) {
  return dc__joint_position(joint, joint->count - 1);
}

static void make_octave(const dc_joint *joint, int64_t scale, octave *o) {
  double masses[DC_GRID_POSITIONS + 1] = {0};
  int64_t begin = scale > 1 ? DC_GRID_POSITIONS / 2 : -1; // its own positions are above this one
  for (size_t i = 0; i < joint->count; ++i) {
    int64_t position = (int64_t)dc__joint_position(joint, i), low = position / scale;
    if (position > DC_GRID_POSITIONS * scale)
      break;
    double part = (double)(position - low * scale) / (double)scale;
    if (low == begin && part > 0)
      part = 1;
    masses[low] += (1 - part) * joint->points[i].mass;
    if (part > 0)
      masses[low + 1] += part * joint->points[i].mass;
  }
  size_t count = 0;
  o->scale = scale;
  o->joint = (dc_joint){o->points, 0, 1, joint->lanes, 0};
  for (int64_t i = 0; i <= DC_GRID_POSITIONS; ++i) {
    if (masses[i] <= 0)
      continue;
    o->joint.first_row += i <= begin;
    o->points[count++] = (dc_point){i, masses[i]};
  }
  o->joint.count = count;
}

// ---- bins --------------------------------------------------------------------------------------

typedef struct binning {
  const dc_joint *whole;
  const octave *octave;
  double *masses;
  size_t bins;
  dc_sum excess, square;
} binning;

static void bin_row(void *context, size_t row, const double *masses) {
  binning *b = context;
  const dc_joint *joint = &b->octave->joint;
  double n = joint->lanes, lowest = (double)b->whole->points[0].value;
  double unit = (double)(b->whole->unit * b->octave->scale);
  size_t position = dc__joint_position(joint, row), cells = dc__joint_cells(joint, row);
  double slots = n * (lowest + unit * (double)position), excess = 0, square = 0;
  double bins_per_x = n > 1 ? (double)b->bins / (n - 1) : 0;
  for (size_t i = 0; i < cells; ++i) {
    if (masses[i] <= 0)
      continue;
    double sum = n * lowest + unit * (double)(position + i);
    double x = sum > 0 ? (slots - sum) / sum : 0; // X - 1
    size_t bin = (size_t)(x * bins_per_x);
    b->masses[bin < b->bins ? bin : b->bins - 1] += masses[i];
    excess += masses[i] * x;
    square += masses[i] * x * x;
  }
  dc__sum_add(&b->excess, excess);
  dc__sum_add(&b->square, square);
}

// ---- the grid ----------------------------------------------------------------------------------

// Of all octaves, the largest needs.
static size_t joint_bytes(const dc_joint *joint, octave *o) {
  size_t bytes = 0, positions = positions_of(joint);
  for (int64_t scale = 1;; scale *= 2) {
    make_octave(joint, scale, o);
    size_t needed =
        joint->lanes > 1 ? dc__joint_fourier_bytes(&o->joint) : dc__joint_powers_bytes(&o->joint);
    bytes = needed > bytes ? needed : bytes;
    if (positions <= (size_t)(DC_GRID_POSITIONS * scale))
      return bytes;
  }
}

static dc_status check_grid(const dc_distribution *distribution, unsigned lanes, size_t bins,
                            dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK && (bins < 1 || bins > DC_GRID_BINS_MAX))
    status = dc_fail(error, DC_ERROR_ARGUMENT, "bins is %zu, but must be from 1 to %zu", bins,
                     DC_GRID_BINS_MAX);
  return status;
}

dc_status dc_imbalance_grid_bytes(const dc_distribution *distribution, unsigned lanes, size_t bins,
                                  size_t *bytes, dc_error *error) {
  dc_status status = check_grid(distribution, lanes, bins, error);
  if (status != DC_OK)
    return status;
  dc_joint joint = dc__joint_of(distribution, lanes);
  octave o;
  *bytes = bins * sizeof(double) + joint_bytes(&joint, &o);
  return DC_OK;
}

static void build_grid(const dc_joint *joint, size_t bins, double *memory,
                       dc_imbalance_grid *grid) {
  octave o;
  binning b = {.whole = joint, .octave = &o, .masses = memory, .bins = bins};
  memset(memory, 0, bins * sizeof(double));
  size_t positions = positions_of(joint);
  unsigned before = quad_flush_subnormals();
  int64_t scale = 1;
  for (;; scale *= 2) {
    make_octave(joint, scale, &o);
    if (o.joint.first_row < o.joint.count) {
      if (joint->lanes > 1)
        dc__joint_fourier(&o.joint, b.masses + bins, bin_row, &b);
      else
        dc__joint_powers(&o.joint, b.masses + bins, bin_row, &b);
    }
    if (positions <= (size_t)(DC_GRID_POSITIONS * scale))
      break;
  }
  quad_restore_subnormals(before);
  double first = dc__sum_value(&b.excess), second = dc__sum_value(&b.square);
  *grid = (dc_imbalance_grid){
      joint->lanes, bins, b.masses, {1 + first, first, second, second - first * first}, scale > 1};
}

dc_status dc_imbalance_grid_build(const dc_distribution *distribution, unsigned lanes, size_t bins,
                                  dc_imbalance_grid *grid, dc_error *error) {
  size_t bytes = 0;
  *grid = (dc_imbalance_grid){0};
  dc_status status = dc_imbalance_grid_bytes(distribution, lanes, bins, &bytes, error);
  if (status != DC_OK)
    return status;
  double *memory = bytes ? malloc(bytes) : NULL;
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a grid of %zu bytes", bytes);
  dc_joint joint = dc__joint_of(distribution, lanes);
  build_grid(&joint, bins, memory, grid);
  return DC_OK;
}

void dc_imbalance_grid_free(dc_imbalance_grid *grid) {
  free(grid->masses);
  *grid = (dc_imbalance_grid){0};
}

double dc_imbalance_grid_quantile(const dc_imbalance_grid *grid, double probability) {
  double below = 0, width = (double)(grid->lanes - 1) / (double)grid->bins, x = 1;
  for (size_t i = 0; i < grid->bins; ++i) {
    double mass = grid->masses[i];
    if (mass <= 0)
      continue;
    x = 1 + width * (double)(i + 1);
    if (below + mass >= probability)
      return x - width * fmin(1, (below + mass - probability) / mass);
    below += mass;
  }
  return x; // rounding made the sum too small
}
