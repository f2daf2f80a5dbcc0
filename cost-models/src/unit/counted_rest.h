// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that the machine executes beside those that a kernel's blocks stand for, as far as
// counts tell: each group of lanes that parted from others comes by itself to where they meet again
// (BSYNC), and in front of each kind of passes of an unrolled loop stands a guard.
#ifndef DIVCOST_SRC_COUNTED_REST_H
#define DIVCOST_SRC_COUNTED_REST_H

#include "measured/code_graph.h"
#include "unit/lanes_together.h"

#include "divcost/block_counts.h"

// So many instructions of warps, by so many lanes in all.
typedef struct dc_counted_rest {
  double warps, lanes;
} dc_counted_rest;

// Of a branch, from the counts of all blocks. Where the lanes that pass by a side have no block, a
// warp whose lanes aren't all in the side is taken to part. O(1).
dc_counted_rest dc__rest_of_branch(const dc_kernel *kernel, const dc_code_graph *graph,
                                   const dc_block_plan *plan, const dc_block_count *counts,
                                   uint32_t branch);

// Of a block's atomics that lanes try until they are alone with the address, if all have one: n
// lanes take n - 1 tries more than one. Of those that `same` address is known of, or of the others.
dc_counted_rest dc__rest_of_tries(const dc_block *block, const dc_block_count *count, bool same);

// Of a divergent loop, from its trip counts. O(bins).
dc_counted_rest dc__rest_of_loop(const dc_kernel *kernel, uint32_t loop,
                                 const dc_together *together);

// By which share warps do more iterations of a divergent loop when it is unrolled: lanes that do as
// many in all have different numbers of whole passes and of those that are left. O(bins * copies).
double dc__more_by_unrolling(const dc_loop *loop, const dc_together *together);

// What the passes of an unrolled loop have fewer than its iterations, with the lanes of these: each
// copy but the first what they share. Without trip counts each entry has as many iterations as the
// mean. O(edges of the loop's header + bins).
dc_counted_rest dc__saved_by_unrolling(const dc_kernel *kernel, const dc_code_graph *graph,
                                       const dc_block_count *counts, uint32_t loop,
                                       const dc_profile_counts *trips);

// How many instructions more than dc__saved_by_unrolling says passes save warps, whose longest
// lanes have other shares of whole passes than all lanes in the mean, in the iterations that were
// counted; may be below 0. O(bins * copies).
double dc__saved_by_warps(const dc_loop *loop, const dc_code_graph *graph,
                          const dc_block_count *counts, const dc_together *together);

#endif
