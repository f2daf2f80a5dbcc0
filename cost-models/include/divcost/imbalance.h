// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imbalance: what a group of lanes that wait for each other loses because their trip counts differ.
//
// For the trip counts w_1 ... w_n of the n lanes of one group (a warp: n = 32), imbalance is
// X = n * max(w) / sum(w): the slots that the group takes over those that do work. 1 is perfect, n
// the worst. A group whose sum is 0 has X = 1. This is H in the source: Swatman, Varbanescu,
// Pimentel, Salzburger, Krasznahorkay, "Modelling performance loss due to thread imbalance in
// stochastic variable-length SIMT workloads" (2022).
//
// Two means answer two questions, and differ (Zipf(2) up to 10^5, 32 lanes: 10.9 and 21.1):
// - expected imbalance E[X]: the mean over groups, each counted alike, short or long;
// - aggregate imbalance E[max(w)] / E[mean(w)]: slots in total over work in total, to which a
//   kernel of many groups tends. A kernel's loss is this one.
//
// All functions: lanes in 1 .. DC_LANES_MAX, else DC_ERROR_ARGUMENT; results are pure numbers, or
// trip counts where said so; *result is written on DC_OK only; error may be NULL; no allocation, no
// state. Distributions come from dc_distribution_build, or passed dc_distribution_check; only the
// count is looked at again. "iid": all lanes draw from the distribution, independently.
#ifndef DIVCOST_IMBALANCE_H
#define DIVCOST_IMBALANCE_H

#include "divcost/distribution.h"
#include "divcost/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DC_LANES_MAX 1024u

// E[max(w)] of iid lanes, in trips: what the group runs. Sum over the support of P(max > v) (order
// statistics; Swatman et al., equation 7), each term to full relative accuracy. O(count).
dc_status dc_expected_maximum(const dc_distribution *distribution, unsigned lanes, double *result,
                              dc_error *error);

// E[X] of iid lanes, the paper's mu: in [1, lanes]. By the integral
//     E[X; sum > 0] = n * sum over m of m * integral over u > 0 of (G_m(u)^n - G_(m-1)(u)^n) du,
//     G_m(u) = sum over v <= m of f(v) exp(-u v)
// (from 1/S = integral of exp(-u S)), without the pmf of X: relative error below 1e-12 (measured:
// 6e-14) for every distribution. O(count * nodes), with at most 20 + 3.7 ln(max / least positive
// value) nodes, and 3.7 ln(lanes) more if a lane can have 0 trips; fewer where small sums are
// improbable: 28 for uniform(1,1000) and 32 lanes.
dc_status dc_expected_imbalance(const dc_distribution *distribution, unsigned lanes, double *result,
                                dc_error *error);

// The first two moments of X of iid lanes, about 1, where X is when all lanes agree, so that
// nothing cancels however little they differ.
typedef struct dc_moments {
  double mean;     // E[X], 1 + excess
  double excess;   // E[X - 1]
  double square;   // E[(X - 1)^2]
  double variance; // square - excess^2
} dc_moments;

// By one pass like that for E[X], with the generating functions of max - w (imbalance/integral.c).
// Relative errors of mean, excess and square below 1e-12 for every distribution, as long as square
// is above 1e-280; variance: absolute error below 1e-12 * square. About twice the time of
// dc_expected_imbalance.
dc_status dc_imbalance_moments(const dc_distribution *distribution, unsigned lanes,
                               dc_moments *result, dc_error *error);

// E[max(w)] / E[w] of iid lanes: in [1, lanes], never falls with more lanes; 1 if all counts are 0.
// O(count).
dc_status dc_aggregate_imbalance(const dc_distribution *distribution, unsigned lanes,
                                 double *result, dc_error *error);

// SIMT efficiency of iid lanes: active lanes per issued iteration, over lanes. 1 / aggregate
// imbalance: in [1/lanes, 1]. A profiler's "average active threads per warp" is this times 32.
// O(count).
dc_status dc_simt_efficiency(const dc_distribution *distribution, unsigned lanes, double *result,
                             dc_error *error);

// The largest X that trip counts in [low, high] can give, however they are distributed and
// correlated: one lane high, the others low: lanes * high / (high + (lanes - 1) * low). 0 <= low <=
// high <= DC_TRIPS_MAX, else DC_ERROR_ARGUMENT. O(1).
dc_status dc_worst_imbalance(int64_t low, int64_t high, unsigned lanes, double *result,
                             dc_error *error);

// X of one group, exactly, from the trip counts of its lanes, counts[lanes], each in 0 ..
// DC_TRIPS_MAX (else DC_ERROR_ARGUMENT, names the lane). Its inverse is the group's SIMT
// efficiency. O(lanes).
dc_status dc_listed_imbalance(const int64_t *counts, unsigned lanes, double *result,
                              dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
