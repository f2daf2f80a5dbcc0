// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in all lanes of a warp at once, for the estimate and the emulator.
#ifndef DIVCOST_EXPR_LANES_H
#define DIVCOST_EXPR_LANES_H

#include "divcost/expr.h"

#define DC_EXPR_LANES 64 // at most

typedef struct dc_lanes_value {
  uint64_t known;        // lanes that have a value
  uint64_t uses_assumed; // lanes in which an assumed value was taken, even for nothing
  uint64_t operations;   // over all lanes
  bool spent;            // some lane has no value because its budget didn't do
} dc_lanes_value;

// Of each node of a pool: whether lanes have one value if they are in the same iterations of all
// loops. What levels claim isn't looked at: it may hold for other blocks. The caller frees it;
// NULL: out of memory.
bool *dc__alike_in_lanes(const dc_expr_pool *pool);

// dc_expr_evaluate in every lane of a set, with `budget` operations for each. environments[lane]
// differ in tid, lane and, where `alike` is NULL, the values of iv only; budget and uses_assumed in
// them are not looked at. `alike` saves time: what dc__alike_in_lanes says.
// Stores values[lane] for each lane that has one; values has room for 32, or for 64 where the set
// has a higher lane. O(nodes of e as a tree), times the iterations searched, times lanes where
// division, shifts and the like are. Does not allocate.
dc_lanes_value dc__evaluate_lanes(const dc_expr_pool *pool, dc_expr e,
                                  dc_expr_environment *environments, uint64_t lanes,
                                  uint64_t budget, const bool *alike, int64_t *values);

#endif
