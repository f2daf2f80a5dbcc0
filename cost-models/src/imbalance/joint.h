// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The joint distribution of the maximum and the sum of n iid lanes, one row for each maximum:
// Swatman et al. 2022, equations 7-10. Two ways to the rows: through the spectrum (joint_fourier.c)
// and through powers with positive terms (joint_powers.c).
#ifndef DIVCOST_JOINT_H
#define DIVCOST_JOINT_H

#include "divcost/distribution.h"

#include <stddef.h>

// Values on a lattice: the point r stands at position (value - first value) / unit.
typedef struct dc_joint {
  const dc_point *points; // ascending
  size_t count;
  int64_t unit;
  unsigned lanes;
  size_t first_row; // rows before it aren't wanted
} dc_joint;

static inline size_t dc__joint_position(const dc_joint *joint, size_t row) {
  return (size_t)((joint->points[row].value - joint->points[0].value) / joint->unit);
}

// Cells of a row: its sums stand at the positions p, p + 1, ... n p for a maximum at position p.
static inline size_t dc__joint_cells(const dc_joint *joint, size_t row) {
  return (joint->lanes - 1) * dc__joint_position(joint, row) + 1;
}

// Takes P(maximum at row's point, sum at position p + i) as masses[i], for rows in ascending order.
typedef void (*dc_joint_visit)(void *context, size_t row, const double *masses);

// P(maximum is the point) for a point of this mass with the mass below beneath it: (below + mass)^n
// - below^n, to full relative accuracy.
double dc__joint_row_mass(double below, double mass, unsigned lanes);

// The spectrum's way. Absolute error of a cell: below 1e-14 times the largest of its row.
// bytes: of memory. seconds: an estimate, for choosing.
size_t dc__joint_fourier_bytes(const dc_joint *joint);
double dc__joint_fourier_seconds(const dc_joint *joint);
void dc__joint_fourier(const dc_joint *joint, void *memory, dc_joint_visit visit, void *context);

// The powers' way: relative error of a cell below 1e-14 * rows.
size_t dc__joint_powers_bytes(const dc_joint *joint);
double dc__joint_powers_seconds(const dc_joint *joint);
void dc__joint_powers(const dc_joint *joint, void *memory, dc_joint_visit visit, void *context);

#endif
