// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a launch, to the first order. A warp is a sequence of segments. In each it would take
// so many cycles by itself (what it waits for, one after the other), and meanwhile takes some of
// what an SM has: issue slots, pipes, lines of L1, sectors of L2 and of the memory behind it. Warps
// of an SM run side by side, all slowed alike by what is short:
//
//   T = integral over v of (1 + sum over k of x_k(v)^4)^(1/4) dv
//
// where v is the warps' own time and x_k(v) the share of resource k that those which are still
// there ask for, 1 being all of it: with one of them short the others hardly matter, with several
// near 1 they add up. The integral ends when the launch's last warp does. Blocks that find no room
// wait for one that ends, in the order of their numbers. No two blocks begin at once, and one that
// waited begins some time after there is room, which is no slower for what others ask for.
//
// The last of n warps that wait for the same takes sqrt(spread) log2(n) longer than the mean: in a
// launch all of whose blocks run at once, n are all its warps, else those of a block, which keeps
// its place until then.
//
// What it leaves out: that warps of a block wait for each other at barriers, and all that an
// instruction does to another's caches.
#ifndef DIVCOST_TIME_H
#define DIVCOST_TIME_H

#include "divcost/error.h"
#include "divcost/machine.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dc_use {
  DC_USE_ISSUE,
  DC_USE_FP64,
  DC_USE_SPECIAL,
  DC_USE_L1, // shared memory, too
  DC_USE_L2,
  DC_USE_DRAM,
  DC_USE_COUNT
} dc_use;

// What a warp takes: cycles by itself, and of each resource the cycles for which all of an SM's
// would be busy. Of L2 and DRAM an SM has its share of the GPU's.
typedef struct dc_demand {
  double cycles;
  double spread; // variance of the cycles, cycles^2: what is read takes longer or shorter each
                 // time, and of many warps the last decides; the square of what each doubling of
                 // the warps adds to the longest
  double use[DC_USE_COUNT];
} dc_demand;

// Warps of a launch that are alike.
typedef struct dc_time_warp {
  double weight;            // their share of all; those of all warps add up to 1
  uint32_t first, segments; // in the array of demands
} dc_time_warp;

typedef struct dc_time_grid {
  uint64_t blocks;
  unsigned warps;    // of a block
  unsigned resident; // blocks of which an SM holds all warps at a time, 1 at least
  unsigned most;     // blocks that it holds, however few of their warps are left; resident at least
  bool longest_first; // blocks are in the order of how long they take; else in any
} dc_time_grid;

// What a launch, or a part of its time, is bound by.
typedef enum dc_bound {
  DC_BOUND_ISSUE,   // issue slots
  DC_BOUND_PIPE,    // double-precision or special units
  DC_BOUND_L1,      // or shared memory
  DC_BOUND_L2,      //
  DC_BOUND_DRAM,    //
  DC_BOUND_LATENCY, // no resource: too few warps for what each waits for
  DC_BOUND_LONGEST, // the same, while less than half of the launch's warps are left
  DC_BOUND_TAIL,    // the same, of several waves, while places for blocks are empty: for all of it
                    // from half of them on, before that in proportion
  DC_BOUND_LAUNCH,  // starting an empty kernel, and more blocks of one that holds all at once
  DC_BOUND_COUNT
} dc_bound;

typedef struct dc_time {
  double cycles;                 // without launching an empty kernel
  double bounds[DC_BOUND_COUNT]; // of these, by what they go to
  double full; // cycles if the same work at the launch's end were done at the rate of before: since
               // no block waits any more; of one whose blocks run all at once, since less than half
               // of its warps are left, and the SMs had the same number of blocks
} dc_time;

// Of a launch whose warps are a mixture of n_warps kinds. The machine is known. O(segments log
// segments), at most some thousand steps more where blocks wait; takes memory of that size, and
// DC_ERROR_MEMORY is the only error.
dc_status dc_time_of_launch(const dc_machine *machine, const dc_time_grid *grid,
                            const dc_time_warp *warps, uint32_t n_warps, const dc_demand *demands,
                            dc_time *out, dc_error *error);

// The names: "issue", "pipe", "l1", "l2", "dram", "latency", "longest-warp", "tail", "launch"; and
// back: the enumerator, or -1.
const char *dc_bound_name(dc_bound bound);
int dc_bound_parse(const char *name);

#ifdef __cplusplus
}
#endif

#endif
