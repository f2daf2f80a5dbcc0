// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profiler sees warps wait for. It looks at a warp every so many cycles, and says at which
// instruction the warp stands, and why it doesn't issue that: the stall reasons of Nsight Compute
// (its documentation, "Warp Stall Reasons"), by the names that its source page has for them.
#ifndef DIVCOST_WAITS_H
#define DIVCOST_WAITS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dc_wait {
  DC_WAIT_SELECTED, // for nothing: it issues
  DC_WAIT_NOT_SELECTED,
  DC_WAIT_LONG_SCOREBOARD,
  DC_WAIT_SHORT_SCOREBOARD,
  DC_WAIT_LG_THROTTLE,
  DC_WAIT_MIO_THROTTLE,
  DC_WAIT_TEX_THROTTLE,
  DC_WAIT_MATH_PIPE_THROTTLE,
  DC_WAIT_FIXED, // "wait"
  DC_WAIT_BARRIER,
  DC_WAIT_MEMBAR,
  DC_WAIT_BRANCH_RESOLVING,
  DC_WAIT_NO_INSTRUCTION,
  DC_WAIT_IMC_MISS,
  DC_WAIT_DRAIN,
  DC_WAIT_DISPATCH,
  DC_WAIT_SLEEPING,
  DC_WAIT_GMMA,
  DC_WAIT_MISC,
  DC_WAIT_COUNT
} dc_wait;

// As in ncu's source page, without its "stall_": "long_sb".
const char *dc_wait_name(dc_wait wait);

// As in the metric smsp__pcsamp_warps_issue_stalled_*: "long_scoreboard".
const char *dc_wait_metric(dc_wait wait);

// The waits but DC_WAIT_SELECTED, those with most of the samples (or shares of them) first.
// O(waits^2).
void dc_waits_rank(const double samples[DC_WAIT_COUNT], dc_wait ranked[DC_WAIT_COUNT - 1]);

// For people, after "warps wait for": "what they read of global, local or texture memory".
const char *dc_wait_words(dc_wait wait);

#ifdef __cplusplus
}
#endif

#endif
