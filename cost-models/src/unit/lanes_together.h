// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the trip counts of a warp's lanes go together, as far as a profile tells: the trip counts of
// all lanes, and how many iterations warps made. Each lane is taken to have drawn a normal number,
// of which a part is the same for all lanes of an entry (a Gaussian copula: Nelsen, An Introduction
// to Copulas, 2nd edition, 2.3.5), and the part to be such that warps make these iterations: none
// where lanes are independent, all of it where they are alike.
#ifndef DIVCOST_UNIT_LANES_TOGETHER_H
#define DIVCOST_UNIT_LANES_TOGETHER_H

#include "kernel/passes.h"

#include "divcost/profile.h"

typedef struct dc_together {
  const dc_profile_counts *trips;
  double all, lanes;             // lanes, and of them in an entry, in the mean
  double same;                   // the variance of what is the same; 1: lanes are alike
  double below[DC_PROFILE_BINS]; // lanes of a bin, or one before, have a number below this
} dc_together;

// Of trip counts that have entries, and stay as they are. O(bins).
dc_together dc__lanes_together(const dc_profile_counts *trips);

// The most passes of a kind that lanes of an entry do, in the mean. O(bins * copies).
double dc__most_passes(const dc_together *together, dc_passes kind);

// How many different numbers of passes, of so many iterations, the lanes of an entry do, more than
// one. O(bins).
double dc__more_groups(const dc_together *together, uint32_t iterations);

// The share of the entries in which any lane has iterations. O(bins).
double dc__any_iterates(const dc_together *together);

#endif
