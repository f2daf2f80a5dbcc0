// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte-Carlo simulation of everything that imbalance.h, cost.h, workload.h and grid.h compute, and
// of what has no closed form: draws trip counts, and does with them what the hardware would. Each
// figure comes with its standard error. It is the check on the formulas, so it shares none of them.
//
// One replication is one launch of a grid: blocks of warps of lanes. For questions about one warp,
// the grid is one block of one warp, and every replication one warp.
//
// All draws are pure functions of (seed, replication, warp, lane), see random.h, and figures are
// added up in the order of the replications: the same seed gives the same result, to the last bit,
// whatever the number of threads.
#ifndef DIVCOST_SIMULATE_H
#define DIVCOST_SIMULATE_H

#include "divcost/cost.h"
#include "divcost/distribution.h"
#include "divcost/error.h"
#include "divcost/grid.h"
#include "divcost/parallel.h"
#include "divcost/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The most replications of one simulation: 2^32.
#define DC_REPLICATIONS_MAX ((uint64_t)1 << 32)

typedef struct dc_simulation {
  const dc_group_type *types;    // what each warp draws its distribution from; one type: iid lanes
  size_t count;                  // of types
  dc_grid grid;                  // one warp: {lanes, 1, 1, 1, 1}
  unsigned lanes_per_item;       // so many lanes share each item drawn (dc_shared_item_loss); 1
  bool sorted;                   // the grid's items are sorted before the warps take them
  const dc_iteration_cost *cost; // T; NULL: an iteration takes 1, however many lanes are active
} dc_simulation;

// An estimate, with its standard error: the truth is within 2 of them 19 times out of 20.
typedef struct dc_sampled {
  double value, error;
} dc_sampled;

typedef struct dc_simulated {
  dc_sampled mean;            // E[W], a lane's trip count
  dc_sampled maximum;         // E[max over a warp]
  dc_sampled expected;        // E[X]
  dc_sampled variance;        // of a replication's mean X: with one warp, of X
  dc_sampled aggregate;       // E[max] / E[W]
  dc_sampled efficiency;      // 1 / aggregate
  dc_sampled cycles;          // E[cycles of a warp], with T
  dc_sampled cost_expected;   // as in dc_cost_loss
  dc_sampled cost_aggregate;  // likewise
  dc_sampled block;           // E[cycles of a block]: of its slowest warp
  dc_sampled makespan;        // E[cycles of the grid], list scheduling as in dc_grid_makespan
  dc_sampled grid_efficiency; // as in dc_makespan; with a cost, of cycles at T(lanes)
  double *x;                  // owned: each replication's mean X, ascending
  uint64_t replications;
} dc_simulated;

// Bytes of memory that dc_simulate takes: 64 for each replication, 16 for each point of the types;
// and for each worker 8 for each lane of a warp (if sorted, of the grid) and 8 for each place of
// the GPU. Errors: DC_ERROR_ARGUMENT, as dc_simulate.
dc_status dc_simulate_bytes(const dc_simulation *simulation, uint64_t replications,
                            const dc_parallel *parallel, size_t *bytes, dc_error *error);

// Simulates. Means are those of the replications; ratios are ratios of means, with the standard
// error of the delta method. An error is 0 with one replication. Errors: DC_ERROR_ARGUMENT for
// replications outside 1 .. DC_REPLICATIONS_MAX, or for a field; DC_ERROR_MEMORY;
// DC_ERROR_LIMIT if the bytes exceed what a size_t holds. O(replications * lanes of the grid),
// about 12 ns for each lane; more by a factor log(items) if sorted.
dc_status dc_simulate(const dc_simulation *simulation, uint64_t replications, uint64_t seed,
                      const dc_parallel *parallel, dc_simulated *result, dc_error *error);
void dc_simulated_free(dc_simulated *simulated);

// The share-quantile of X from a simulation of one warp: the least x of the sample with at least
// that share of it at or below; *low and *high (may be NULL) are the sample's values one standard
// error of the rank below and above. share in [0, 1]. O(1).
double dc_simulated_quantile(const dc_simulated *simulated, double share, double *low,
                             double *high);

#ifdef __cplusplus
}
#endif

#endif
