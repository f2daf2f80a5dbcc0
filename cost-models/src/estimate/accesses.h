// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reads accesses to memory off the walk keeps meanwhile.
#ifndef DIVCOST_ESTIMATE_ACCESSES_H
#define DIVCOST_ESTIMATE_ACCESSES_H

#include "estimate/estimate_internal.h"
#include "memory/access.h"

enum {
  SEVERAL = -2,              // iterations
  NODES_MAX = 400,           // of an address
  POINTS_MAX = 32,           // of a run of iterations
  EVALUATIONS_MAX = 6000,    // of addresses, and of what requests take, for a kernel
  GUARD_OPERATIONS = 2000000 // of expressions, over all lanes, that tell who passes guards
};

// An access in the warp that is walked.
typedef struct access_state {
  bool evaluated; // in this warp
  bool again;     // in every iteration
  bool told;      // which told more
  bool by_outer;  // where each lane is, and iterations of loops further out count, too
  bool cut;       // something was left out
  bool walks;     // what iterations add to the address is known
  bool shaped;    // it goes by block dimensions that nobody gave
  dc__lane_values values;
  uint32_t lanes; // that `taken` is of; 0: it isn't found yet
  bool some;      // or of some of them
  dc__taken taken;
  dc_request_of most; // that took `most_taken`
  double most_taken;
  // Over all requests so far.
  double requests, active;
  dc__taken sums;
  bool classified, assumed;
  int64_t stride;
  uint8_t access_class;
} access_state;

// A block that is a target of a predicated branch, which is issued with all lanes: those that take
// another target touch nothing.
typedef struct guard {
  uint32_t branch; // or DC_NONE
  unsigned target;
  uint32_t ways; // that lead to the block
} guard;

struct dc_reader {
  const dc_kernel *kernel;
  uint32_t *first, *ordered; // of each block: its accesses, ordered[first[block]] ...
  guard *guards;             // of each block
  bool *by_iteration;        // of each loop: what its blocks touch may go by its iteration
  int64_t *seen;         // of each loop: the iteration in which blocks inside were seen, -1: none,
                         // -2: several
  access_state *states;  // of each access
  int64_t *no_iteration; // of each loop: -1
  dc_expr_environment anywhere[DC_WARP];
  dc__lane_memo memo;  // of these
  uint32_t block[3];   // dimensions
  uint32_t warp;       // of the block, that is walked
  uint32_t warps;      // bit per warp: those that were walked
  unsigned left;       // of EVALUATIONS_MAX
  uint64_t operations; // of guards, that may still be evaluated
};

// access_plan.c: whether an expression goes by the loop's iteration in another way than by a
// multiple of it, which only moves all lanes alike; as a guess: it has something else than sums and
// products by numbers. At most *left nodes are looked at.
bool dc__goes_by(const dc_expr_pool *pool, dc_expr e, uint32_t loop, unsigned *left);

#endif
