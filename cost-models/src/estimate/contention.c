// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that the hardware can't do in one instruction, such as floating-point additions in shared
// memory, and loops in which code does the same: each lane reads, adds, and tries to swap, and of
// the lanes of one address one succeeds in each pass. n lanes of one address take n passes, with n,
// n - 1 ... 1 lanes: n - 1 more than one lane does. Where addresses differ, how many lanes have the
// same is assumed, as what lanes do by data is: none (DC_CHOICE_RARE), those of COMMON addresses,
// each as likely (DC_CHOICE_EVEN), or all (DC_CHOICE_ALIKE).
#include "estimate/estimate_internal.h"
#include "kernel/instructions.h"

#include <math.h>

#define COMMON 256 // bins, as of a histogram

// Lanes that are left after a pass: of each address that some of them have, one is done.
static double after_pass(double left, double addresses) {
  left -= addresses * (1 - pow(1 - 1 / addresses, left));
  return left < 0.05 ? 0 : left;
}

// Passes of n lanes but the first, and the lanes in these.
static dc_issued more_passes(double n, double addresses) {
  dc_issued more = {0, 0};
  for (double left = n; left > 1;) {
    left = after_pass(left, addresses);
    if (left == 0)
      break;
    more.instructions += fmin(left, 1); // which may be no lane at all
    more.lane_instructions += left;
  }
  return more;
}

static dc_issued passes_of(const dc_walk *walk, uint32_t block, double lanes) {
  const dc_block *data = &walk->kernel->blocks[block];
  dc_issued one = {fmax(lanes - 1, 0), fmax(lanes - 1, 0) * lanes / 2}, other = {0, 0};
  if (walk->choice == DC_CHOICE_ALIKE)
    other = one;
  else if (walk->choice == DC_CHOICE_EVEN)
    other = more_passes(lanes, COMMON);
  return (dc_issued){DC_TRY_INSTRUCTIONS * (data->contended_one * one.instructions +
                                            data->contended * other.instructions),
                     DC_TRY_INSTRUCTIONS * (data->contended_one * one.lane_instructions +
                                            data->contended * other.lane_instructions)};
}

void dc__contention_add(dc_walk *walk) {
  for (uint32_t block = 0; block < walk->kernel->n_blocks; ++block) {
    const dc_block *data = &walk->kernel->blocks[block];
    const dc_visits *visits = &walk->visits[block];
    walk->retries[block] = (dc_issued){0, 0};
    if (data->contended_one + data->contended == 0 || !(visits->executions > 0))
      continue;
    dc_issued more = passes_of(walk, block, visits->lanes / visits->executions);
    more.instructions *= visits->executions;
    more.lane_instructions *= visits->executions;
    walk->retries[block] = more;
    walk->executed.instructions += more.instructions;
    walk->executed.lane_instructions += more.lane_instructions;
    walk->executed.cycles += more.instructions * walk->arch->issue[DC_MIX_INTEGER];
    walk->assumed_addresses |= data->contended > 0;
  }
}

void dc__contention_turns(dc_walk *walk, dc_swaps swaps, uint32_t lanes, double *passes) {
  bool one = swaps == DC_SWAPS_ONE || walk->choice == DC_CHOICE_ALIKE,
       common = walk->choice == DC_CHOICE_EVEN;
  double left = dc__lanes_count(lanes), addresses = one ? 1 : COMMON;
  for (unsigned pass = 1; lanes; ++pass) {
    left = one || common ? after_pass(left, addresses) : 0;
    for (; lanes && dc__lanes_count(lanes) > left + 0.5; lanes &= lanes - 1)
      passes[dc__first_lane(lanes)] = pass;
  }
  walk->assumed_addresses = true;
}
