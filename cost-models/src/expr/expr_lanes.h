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

// dc_expr_evaluate in every lane of a set, with `budget` operations for each. environments[lane]
// differ in tid and lane only, and without same_iterations in the values of iv; budget and
// uses_assumed in them are not looked at. Nodes at levels up to block-uniform have one value.
// Stores values[lane] for each lane that has one; values has room for 32, or for 64 where the set
// has a higher lane. O(nodes of e as a tree), times the iterations searched, times lanes where
// division, shifts and the like are. Does not allocate.
dc_lanes_value dc__evaluate_lanes(const dc_expr_pool *pool, dc_expr e,
                                  dc_expr_environment *environments, uint64_t lanes,
                                  uint64_t budget, bool same_iterations, int64_t *values);

#endif
