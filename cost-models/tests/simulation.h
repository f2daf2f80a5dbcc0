// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests that hold a formula against the simulator: simulations, and
// estimates against what they should be.
#ifndef DIVCOST_TESTS_SIMULATION_H
#define DIVCOST_TESTS_SIMULATION_H

#include "support.h"

#include "divcost/simulate.h"

static inline dc_simulated simulate(const dc_simulation *simulation, uint64_t replications,
                                    uint64_t seed, const dc_parallel *parallel) {
  dc_simulated s;
  dc_error error = {0};
  if (dc_simulate(simulation, replications, seed, parallel, &s, &error) != DC_OK)
    fail_msg("%s", error.text);
  return s;
}

// A simulation of one warp whose lanes are iid; type must outlive it.
static inline dc_simulation warps_of(const dc_group_type *type, unsigned lanes) {
  return (dc_simulation){
      .types = type, .count = 1, .grid = {lanes, 1, 1, 1, 1}, .lanes_per_item = 1};
}

// Within five standard errors: wrong once in two million times if the formula is right, and the
// seeds are fixed.
#define assert_simulated(estimate, truth)                                                          \
  do {                                                                                             \
    dc_sampled simulated_estimate = (estimate);                                                    \
    double simulated_truth = (truth);                                                              \
    if (!(fabs(simulated_estimate.value - simulated_truth) <=                                      \
          5 * simulated_estimate.error + 1e-12 * fabs(simulated_truth)))                           \
      fail_msg("%s is %.10g +- %.3g, not %s, which is %.10g", #estimate, simulated_estimate.value, \
               simulated_estimate.error, #truth, simulated_truth);                                 \
  } while (0)

#endif
