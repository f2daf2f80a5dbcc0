// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconvergence, in closed form: how often the lanes of a warp diverge at a loop's exit, and how
// deep the reconvergence stack gets, for two shapes of loop: the single loop, and the double loop
// whose inner and outer bounds are the lane's same trip count. (Other shapes: the emulator.)
//
// Source of the shapes and of the rules of the stack: Bialas and Strzelecki, "Benchmarking the cost
// of thread divergence in CUDA", algorithms 1 and 2, table I. For loops whose n + 1 distinct counts
// are 32 - n ... 32, these functions give the paper's depths n + 1 and n + 2, and n and n(65 - n)/2
// divergent exits.
//
// A loop is taken as compilers build it: a guard that lanes with trip count 0 leave by, then a body
// with the exit branch at its end. With K = the number of distinct positive trip counts in a warp:
// - divergent exits are executions of an exit branch at which some lanes leave and some stay:
//   single loop max(K - 1, 0); double loop that, plus (sum of the distinct counts) - (largest
//   count) for the inner loop, once for each turn of the outer;
// - the guard diverges if some lanes have trip count 0 and some not;
// - stack depth, single loop: the SSY token and one DIV token for each divergent exit: K. A lane
//   that leaves at the guard has its token popped before the loop starts: max(2, K) if the guard
//   diverges. 1 if all lanes leave there. Double loop: K + 1, and also 1 if no lane enters.
// On GPUs with convergence barriers (Volta and later) the same divergent exits occur; there is no
// stack.
//
// All functions: lanes in 1 .. DC_LANES_MAX, else DC_ERROR_ARGUMENT; results are written on DC_OK
// only; error may be NULL; no allocation, no state. "iid": all lanes draw from the distribution,
// independently.
#ifndef DIVCOST_RECONVERGENCE_H
#define DIVCOST_RECONVERGENCE_H

#include "divcost/distribution.h"
#include "divcost/error.h"
#include "divcost/imbalance.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Per warp and entry of the loop. Means for iid lanes, exact counts for listed ones.
typedef struct dc_reconvergence {
  double distinct;        // different trip counts, 0 included: 1 .. lanes
  double divergent_exits; // of both loops in a double loop; without the guard
  double divergent_guard; // 0 .. 1: share of the warps that diverge at the (outer) guard
  double depth;           // greatest depth of the reconvergence stack, in tokens
} dc_reconvergence;

// The single loop, iid lanes. distinct = sum over k of 1 - (1 - f_k)^lanes. Each field has an
// absolute error of a few 1e-16 times distinct. O(count).
dc_status dc_single_loop(const dc_distribution *distribution, unsigned lanes,
                         dc_reconvergence *result, dc_error *error);

// The double loop with equal bounds, iid lanes. O(count).
dc_status dc_double_loop(const dc_distribution *distribution, unsigned lanes,
                         dc_reconvergence *result, dc_error *error);

// The same for one warp's listed trip counts, exactly: counts[lanes], each in 0 .. DC_TRIPS_MAX
// (else DC_ERROR_ARGUMENT, names the lane). O(lanes^2).
dc_status dc_single_loop_listed(const int64_t *counts, unsigned lanes, dc_reconvergence *result,
                                dc_error *error);
dc_status dc_double_loop_listed(const int64_t *counts, unsigned lanes, dc_reconvergence *result,
                                dc_error *error);

// The most lanes that dc_single_loop_depth takes.
#define DC_DEPTH_LANES_MAX 128u

// The distribution of the single loop's depth, iid lanes: probability[d] = P(depth = d) for d in
// 0 .. lanes, so probability has lanes + 1 entries (depth 0 never occurs). Absolute error below
// 1e-14 * lanes. By a dynamic programme over the support, on the state (lanes placed, distinct
// values so far), with a Poisson number of lanes that is conditioned, at the end, on being lanes:
// positive terms only. lanes: 1 .. DC_DEPTH_LANES_MAX (the stack is a warp's, and a warp has 32),
// else DC_ERROR_ARGUMENT; DC_ERROR_MEMORY. Takes 8 (lanes + 1)^2 bytes. Points of small mass are
// placed by the block: O(count + lanes^3), for 32 lanes 1 ms for geometric(0.05), 0.1 s for 10^5
// values.
dc_status dc_single_loop_depth(const dc_distribution *distribution, unsigned lanes,
                               double *probability, dc_error *error);

// P(depth > capacity) of the single loop, from what dc_single_loop_depth wrote. For the double loop
// with equal bounds, ask with capacity - 1 (exact from capacity 3 on). Sums the smaller terms
// first. O(lanes).
double dc_depth_exceeds(const double *probability, unsigned lanes, unsigned capacity);

#ifdef __cplusplus
}
#endif

#endif
