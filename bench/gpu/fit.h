// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ordinary least squares with few unknowns.
#ifndef DIVCOST_BENCH_FIT_H
#define DIVCOST_BENCH_FIT_H

#include <stdbool.h>

#include "divcost/error.h"

enum { FIT_UNKNOWNS_MAX = 6 };

typedef struct fit_unknown {
  double value;
  double error; // standard error: from the residuals, 0 if there are none
  bool known;   // false: the points don't tell it, value is 0
} fit_unknown;

typedef struct fit {
  fit_unknown unknowns[FIT_UNKNOWNS_MAX];
  double worst; // greatest absolute residual
} fit;

// Fits y[i] = sum over k of rows[i * unknowns + k] * unknown k to `points` points. Unknowns whose
// columns are zero or combinations of earlier ones are not known. Errors: DC_ERROR_ARGUMENT where
// unknowns is not in 1 .. FIT_UNKNOWNS_MAX or the points are fewer than what is known. By normal
// equations and elimination: O(points * unknowns^2).
dc_status fit_least_squares(const double *rows, const double *y, unsigned points, unsigned unknowns,
                            fit *result, dc_error *error);

#endif
