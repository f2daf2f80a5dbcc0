// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cells of table 1 of Swatman et al., "Modelling performance loss due to thread imbalance in
// stochastic variable-length SIMT workloads": five laws of trip counts, five sizes of a group. Each
// cell's counts are drawn here, for the GPU and for the models alike: they follow from the cell and
// the number of groups.
#ifndef DIVCOST_BENCH_POWER_CELLS_H
#define DIVCOST_BENCH_POWER_CELLS_H

#include "divcost/distribution.h"
#include "divcost/sampler.h"

enum { POWER_LAWS = 5, POWER_SIZES = 5 };

// A law's name in the paper, and its text.
typedef struct power_name {
  const char *paper, *text;
} power_name;
extern const power_name power_laws[POWER_LAWS];

// Lanes of a group: 2, 4, 8, 16, 32.
extern const unsigned power_sizes[POWER_SIZES];

// A law, cut at DC_CUT_PAPER as the paper's, and what draws from it.
typedef struct power_law {
  dc_distribution distribution;
  dc_sampler sampler;
} power_law;

dc_status power_law_open(unsigned law, power_law *result, dc_error *error);
void power_law_close(power_law *law);

// counts[groups * lanes], group by group: the same at any time, and the first groups of more. Each
// pair of law (its number) and lanes has draws of its own. O(groups * lanes).
void power_draw(const power_law *from, unsigned law, unsigned lanes, unsigned groups, int *counts);

// The same work in total, to less than one iteration of `unit` lanes, without imbalance: units of
// neighbouring lanes that do as much as each other, all units as much as any other or one iteration
// more. unit divides count. O(count).
void power_balance(const int *counts, unsigned count, unsigned unit, int *balanced);

#endif
