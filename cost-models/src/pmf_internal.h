// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files about the distribution of the imbalance share.
#ifndef DIVCOST_PMF_INTERNAL_H
#define DIVCOST_PMF_INTERNAL_H

#include "divcost/imbalance_pmf.h"
#include "joint.h"

// The greatest common divisor; dc_gcd(a, 0) = a.
static inline int64_t dc_gcd(int64_t a, int64_t b) {
  while (b > 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The lattice of a distribution's values, all rows wanted.
dc_joint dc_joint_of(const dc_distribution *distribution, unsigned lanes);

// Bytes of memory for dc_reduce_pmf: positions is that of the last row, residues the largest value,
// or the number of cells of the last row if that is less. A multiple of 8.
double dc_reduction_bytes(double positions, double residues);

// Puts the mass of each fraction into the cell of its least maximum. cells are the pmf's.
void dc_reduce_pmf(const dc_imbalance_pmf *pmf, double *cells, void *memory);

#endif
