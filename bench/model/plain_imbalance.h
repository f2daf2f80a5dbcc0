// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithm of Swatman et al. 2022, equations 7-11, written down plainly: what the library is
// measured against.
#ifndef DIVCOST_PLAIN_IMBALANCE_H
#define DIVCOST_PLAIN_IMBALANCE_H

#include "divcost/distribution.h"

typedef struct plain_result {
  double mean;          // E[X]
  double total;         // of the pmf, if it was made
  double mean_seconds;  // for E[X] alone
  double whole_seconds; // for the pmf over reduced fractions
} plain_result;

// Processor time of this program: other programs on the machine don't count.
double seconds_now(void);

// lanes is a power of two; the highest value is positive. Ends the program if memory is out.
plain_result plain_imbalance(const dc_distribution *distribution, unsigned lanes);

#endif
