// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of the imbalance X = n * max(w) / sum(w) of n iid lanes (imbalance.h), whole:
// Swatman et al. 2022, equations 7-11.
//
// There are two forms. The pmf is exact: one probability for each fraction that X can be, reduced
// to lowest terms. It needs memory for every pair of a maximum and a sum, about n M^2 / 2 numbers
// for M values side by side. The grid has as many bins over [1, n] as the caller wants, and needs
// little memory whatever the distribution.
//
//     dc_imbalance_pmf pmf;
//     if (dc_imbalance_pmf_build(&distribution, 32, DC_PMF_FASTEST, &pmf, &error) != DC_OK) ...
//     double median = dc_imbalance_pmf_quantile(&pmf, 0.5);
//     dc_imbalance_pmf_free(&pmf);
//
// Only the mean or the variance is wanted? dc_imbalance_moments has them a thousand times as fast.
//
// Arguments and errors as in imbalance.h. What is built doesn't point to the distribution.
#ifndef DIVCOST_IMBALANCE_PMF_H
#define DIVCOST_IMBALANCE_PMF_H

#include "divcost/imbalance.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- the pmf -----------------------------------------------------------------------------------

// The most memory that the pmf may take: 1 GiB. At 32 lanes it is enough for 2,800 values side by
// side, at 1024 lanes for 500.
#define DC_PMF_BYTES_MAX ((size_t)1 << 30)

// How it is computed. M: values side by side, or the range of the values over the greatest
// common divisor of their gaps, where they aren't.
typedef enum dc_pmf_method {
  // The one of the two below that is estimated to be faster.
  DC_PMF_FASTEST,
  // For each maximum, the distribution of the sum from its spectrum, G^n. Pairs have an absolute
  // error below
  // 1e-13 times the most probable one of the same maximum; those that small may be 0. O(n M^2 log(n
  // M)), less if the distribution is smooth.
  DC_PMF_SPECTRUM,
  // For each maximum, the distributions of the sum of 1, 2, ... n lanes, from each other. All terms
  // are positive: each probability has a relative error below 1e-14 * M. O(n^3 M^2 / 12).
  DC_PMF_POWERS,
} dc_pmf_method;

// The pairs of one maximum; all counts are divided by their greatest common divisor.
typedef struct dc_pmf_row {
  int64_t maximum;
  int64_t first_sum; // the sum of the row's first cell; the next ones' are unit apart
  size_t begin;      // where in cells the row begins
} dc_pmf_row;

// A cell holds the probability of its fraction maximum * lanes / sum. Where pairs give the same
// fraction, the one with the least maximum has it all, and the others hold 0.
typedef struct dc_imbalance_pmf {
  unsigned lanes;
  int64_t unit;
  size_t rows;
  const dc_pmf_row *row; // rows, and one more, for the end of the last
  const double *cells;
  void *memory; // owned: rows and cells
} dc_imbalance_pmf;

// Bytes of memory that dc_imbalance_pmf_build takes. Errors: DC_ERROR_ARGUMENT; DC_ERROR_LIMIT if
// they would be more than DC_PMF_BYTES_MAX; the text says how many. O(count).
dc_status dc_imbalance_pmf_bytes(const dc_distribution *distribution, unsigned lanes,
                                 dc_pmf_method method, size_t *bytes, dc_error *error);

// Computes the pmf. Probabilities below 1e-280 may be 0. Time: see dc_pmf_method, plus
// about 3 ns a cell to reduce the fractions. Errors, *pmf then being empty: as
// dc_imbalance_pmf_bytes; DC_ERROR_MEMORY.
dc_status dc_imbalance_pmf_build(const dc_distribution *distribution, unsigned lanes,
                                 dc_pmf_method method, dc_imbalance_pmf *pmf, dc_error *error);
void dc_imbalance_pmf_free(dc_imbalance_pmf *pmf);

// P(X = numerator / denominator) = mass, in lowest terms.
typedef struct dc_pmf_point {
  int64_t numerator, denominator;
  double mass; // positive
} dc_pmf_point;

// A place in a pmf. {0} is before its first point.
typedef struct dc_pmf_cursor {
  size_t row, cell;
} dc_pmf_cursor;

// Moves on to the next point and stores it; false after the last. Every fraction comes once, in no
// particular order. All points: O(cells).
bool dc_imbalance_pmf_next(const dc_imbalance_pmf *pmf, dc_pmf_cursor *cursor, dc_pmf_point *point);

// The moments of X, about 1, from the pmf. O(cells).
dc_moments dc_imbalance_pmf_moments(const dc_imbalance_pmf *pmf);

// The least x that X can be, to rounding, with P(X <= x) >= probability, which is in [0, 1];
// rounding moves P by up to 1e-12. O(cells), with 2 to 6 passes over them.
double dc_imbalance_pmf_quantile(const dc_imbalance_pmf *pmf, double probability);

// ---- the grid ----------------------------------------------------------------------------------

#define DC_GRID_BINS_MAX ((size_t)1000000)

// So many positions above the least value are computed with exactly as they are. Beyond, counts
// between 1024 * 2^(k - 1) and 1024 * 2^k are rounded to multiples of 2^k where the maximum is that
// large (and smaller counts of the same group as well, up or down at random so that their mean
// stays). That moves a sum by at most sqrt(lanes) / 1024 of the maximum (standard deviation).
#define DC_GRID_POSITIONS ((int64_t)1024)

typedef struct dc_imbalance_grid {
  unsigned lanes;
  size_t bins;
  double *masses; // owned: P(1 + i w <= X < 1 + (i + 1) w), w = (lanes - 1) / bins; the last bin
                  // has X = lanes too
  dc_moments moments; // of X, not of the bins' middles
  bool rounded;       // whether the values went beyond DC_GRID_POSITIONS
} dc_imbalance_grid;

// Bytes of memory that dc_imbalance_grid_build takes: 8 for each bin, and at most 1 kB for each of
// lanes * min(M, 1024), whatever the distribution. Errors: DC_ERROR_ARGUMENT; bins must be in 1 ..
// DC_GRID_BINS_MAX. O(count).
dc_status dc_imbalance_grid_bytes(const dc_distribution *distribution, unsigned lanes, size_t bins,
                                  size_t *bytes, dc_error *error);

// Computes the grid by the spectrum's method. O(lanes * positions^2 * log(lanes * positions) *
// log(M / positions)) with positions = min(M, 1024). Errors, *grid then being
// empty: as dc_imbalance_grid_bytes; DC_ERROR_MEMORY.
dc_status dc_imbalance_grid_build(const dc_distribution *distribution, unsigned lanes, size_t bins,
                                  dc_imbalance_grid *grid, dc_error *error);
void dc_imbalance_grid_free(dc_imbalance_grid *grid);

// The x with P(X <= x) = probability, if X is spread evenly over each bin: off by one bin's width
// at most. O(bins).
double dc_imbalance_grid_quantile(const dc_imbalance_grid *grid, double probability);

#ifdef __cplusplus
}
#endif

#endif
