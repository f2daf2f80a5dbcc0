// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models' parameters for the matrix power, from terms that were measured with crowds of warps.
// Nothing in here looks at what a cell's clocks tell, but for power_profiled.
#ifndef DIVCOST_BENCH_POWER_MODEL_H
#define DIVCOST_BENCH_POWER_MODEL_H

#include "power_cells.h"
#include "power_results.h"
#include "sharing.h"

// The time t(c) that a lane's clock tells for c iterations, in a multiprocessor that is always
// full:
//     t(c) = entry + (first if c > 0) + c * iteration.
typedef struct power_times {
  double setup, entry, first, iteration; // cycles; first: more than a later one
} power_times;

// The warps that a multiprocessor holds of the cell's blocks.
unsigned power_resident_warps(const power_cell *cell);

// As measured in a crowd as large as the cell's multiprocessors hold, with as many lanes in each
// warp; between the next smaller and the next larger crowd that was measured, in proportion.
// Errors: DC_ERROR_ARGUMENT, names the term that wasn't measured on both sides.
dc_status power_times_of(const power_results *from, const power_cell *cell, power_times *result,
                         dc_error *error);

// E[lanes * max t / sum t] of iid lanes with these times: dc_expected_imbalance of the law that has
// t(c) instead of c, in cycles.
dc_status power_corrected(const power_law *law, unsigned lanes, const power_times *times,
                          double *expected, dc_error *error);

// The same with the times that iterations took in the cell itself, by number, on average over the
// warps sampled. Not a prediction: it tells which part of a deviation comes from iterations that
// aren't equally long. Errors: DC_ERROR_ARGUMENT if none were sampled.
dc_status power_profiled(const power_results *from, const power_law *law, const power_cell *cell,
                         double *expected, dc_error *error);

// The sharing model of a cell. An iteration's cycles by crowd, with two things that crowds don't
// show by themselves: memory that is saturated serves the warps of a workload, which are out of
// step, at the rate of the largest crowd, however few they are; and where the caches hold what all
// multiprocessors work on, each gets what it gets in the largest such crowd. Errors as
// power_times_of.
dc_status power_sharing(const power_results *from, const power_cell *cell, sharing *result,
                        dc_error *error);

#endif
