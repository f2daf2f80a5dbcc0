// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations whose cost depends on how many lanes are active: T(a) cycles for one iteration of a
// warp with a active lanes. A body that waits for memory gets cheaper as lanes leave; one that
// computes doesn't. With a constant T, everything here is what imbalance.h says, times T.
//
// In iteration k the lanes with a trip count of at least k are active: A_k of them. For iid lanes
// A_k ~ Binomial(lanes, P(W >= k)), so that
//     E[cycles of a warp] = sum over k >= 1 of E[T(A_k)].
// What imbalance loses is measured against the ideal: the same work with all lanes active in every
// iteration, which takes E[W] * T(lanes) cycles. Where T(a) / a grows with a (each lane gets more
// expensive the more there are), the ideal isn't the least, and a loss may be negative.
#ifndef DIVCOST_COST_H
#define DIVCOST_COST_H

#include "divcost/distribution.h"
#include "divcost/error.h"
#include "divcost/imbalance.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// T, in cycles or any other unit of time: linear, or listed.
typedef struct dc_iteration_cost {
  const double *table; // table[a - 1] = T(a), at least `lanes` entries; or NULL: linear
  size_t count;        // entries of the table
  double base;         // linear: T(a) = base + per_lane * a
  double per_lane;
} dc_iteration_cost;

// T(a), for a in 1 .. lanes of a checked cost; T(0) = 0. O(1).
double dc_iteration_cycles(const dc_iteration_cost *cost, unsigned active);

// Checks that T is finite and not negative for 1 .. lanes active lanes, positive for lanes, and at
// most 1e12. Errors: DC_ERROR_ARGUMENT, names the number of lanes and the cost. O(lanes).
dc_status dc_iteration_cost_check(const dc_iteration_cost *cost, unsigned lanes, dc_error *error);

typedef struct dc_cost_loss {
  double cycles;     // E[cycles of a warp]
  double ideal;      // E[W] * T(lanes)
  double lost;       // cycles - ideal
  double expected;   // E[cycles of a warp / (its mean trip count * T(lanes))], each warp counted
                     // alike; a warp whose counts are all 0 counts as 1
  double aggregate;  // cycles / ideal; 1 if all counts are 0
  double efficiency; // SIMT efficiency with cost: ideal / cycles, 1 / aggregate
} dc_cost_loss;

// The loss of iid lanes with cost T. Linear T: cycles = base * E[max] + per_lane * lanes * E[W],
// and expected = (base * E[X] + per_lane * lanes) / T(lanes), so in O(count) and as
// dc_expected_imbalance does. Listed T: the binomial sums above, and for `expected` the same sums
// under the distributions that are tilted by exp(-u W), integrated over u: O(count * b) and O(nodes
// * count
// * b), where b, at most lanes, is about 20 standard deviations of A_k (geometric(0.05), 32 lanes:
// 3 ms). Relative errors below 1e-12. Errors: DC_ERROR_ARGUMENT, as dc_iteration_cost_check and
// imbalance.h.
dc_status dc_cost_imbalance(const dc_distribution *distribution, unsigned lanes,
                            const dc_iteration_cost *cost, dc_cost_loss *result, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
