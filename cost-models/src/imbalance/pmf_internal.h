// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files about the distribution of the imbalance share.
#ifndef DIVCOST_PMF_INTERNAL_H
#define DIVCOST_PMF_INTERNAL_H

#include "divcost/imbalance_pmf.h"
#include "imbalance/joint.h"

// The greatest common divisor; dc__gcd(a, 0) = a.
static inline int64_t dc__gcd(int64_t a, int64_t b) {
  while (b > 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The lattice of a distribution's values, all rows wanted.
dc_joint dc__joint_of(const dc_distribution *distribution, unsigned lanes);

// Bytes of memory for dc__reduce_pmf: positions is that of the last row, residues the largest
// value, or the number of cells of the last row if that is less. A multiple of 8.
double dc__reduction_bytes(double positions, double residues);

// Puts the mass of each fraction into the cell of its least maximum. cells are the pmf's.
void dc__reduce_pmf(const dc_imbalance_pmf *pmf, double *cells, void *memory);

#endif
