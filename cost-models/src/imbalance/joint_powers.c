// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The joint distribution of maximum and sum from the distributions of the sum of 1, 2, ... n - 1
// lanes that don't exceed m, kept up to date as m ascends. If i of j lanes have m and the others
// less,
//     G_m^j = sum over i of C(j, i) f(m)^i z^(i m) G_(m-1)^(j-i),
// and the terms with i > 0 for j = n are the row of m. All terms are positive, so every cell has
// its digits, however small. Time: n^3 / 6 multiplications for each position of each row.
#include "imbalance/joint.h"

#include <math.h>
#include <string.h>

double dc__joint_row_mass(double below, double mass, unsigned lanes) {
  double all = below + mass;
  if (below <= 0)
    return pow(mass, lanes);
  return pow(all, lanes) * -expm1(-(double)lanes * log1p(mass / below));
}

static size_t last_position(const dc_joint *joint) {
  return dc__joint_position(joint, joint->count - 1);
}

// The distribution of j lanes' sum, j in 1 .. n - 1, begins here.
static size_t power_begin(size_t position, unsigned j) {
  return position * (j * (size_t)(j - 1) / 2) + (j - 1);
}

size_t dc__joint_powers_bytes(const dc_joint *joint) {
  size_t position = last_position(joint);
  return (power_begin(position, joint->lanes) + joint->lanes * position + 1) * sizeof(double);
}

double dc__joint_powers_seconds(const dc_joint *joint) {
  double positions = 0, n = joint->lanes;
  for (size_t row = 0; row < joint->count; ++row)
    positions += (double)dc__joint_position(joint, row);
  // Measured: 0.25 ns each.
  return 0.25e-9 * n * n * n / 6 * positions;
}

static void add_scaled(double *restrict to, const double *restrict from, size_t count,
                       double factor) {
  for (size_t i = 0; i < count; ++i)
    to[i] += factor * from[i];
}

// to[i] += the terms with at least one of j lanes at the position, for sums from offset on.
// position and below are where the point and the one before it stand, mass its mass.
static void add_terms(const double *powers, size_t stride, unsigned j, size_t position,
                      size_t below, double mass, double *to) {
  double factor = 1;
  for (unsigned i = 1; i <= j; ++i) {
    factor *= mass * (double)(j - i + 1) / (double)i;
    if (i == j)
      to[(size_t)(i - 1) * position] += factor;
    else
      add_scaled(to + (size_t)(i - 1) * position, powers + power_begin(stride, j - i),
                 (j - i) * below + 1, factor);
  }
}

void dc__joint_powers(const dc_joint *joint, void *memory, dc_joint_visit visit, void *context) {
  unsigned n = joint->lanes;
  size_t stride = last_position(joint), below = 0;
  double *powers = memory, *row_cells = powers + power_begin(stride, n);
  memset(powers, 0, dc__joint_powers_bytes(joint));
  double power = 1;
  for (unsigned j = 1; j <= n; ++j) {
    power *= joint->points[0].mass;
    (j < n ? powers + power_begin(stride, j) : row_cells)[0] = power;
  }
  if (joint->first_row == 0)
    visit(context, 0, row_cells);
  for (size_t row = 1; row < joint->count; ++row) {
    size_t position = dc__joint_position(joint, row);
    double mass = joint->points[row].mass;
    if (row >= joint->first_row) {
      memset(row_cells, 0, dc__joint_cells(joint, row) * sizeof(double));
      add_terms(powers, stride, n, position, below, mass, row_cells);
      visit(context, row, row_cells);
    }
    for (unsigned j = n - 1; j > 0; --j) // descending: j needs what those below it were before
      add_terms(powers, stride, j, position, below, mass,
                powers + power_begin(stride, j) + position);
    below = position;
  }
}
