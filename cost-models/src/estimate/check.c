// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the figures of an estimate fit together. Each combination of assumptions has figures of
// which no part exceeds the whole, so the least parts don't exceed the least whole, nor the
// greatest the greatest; sums are held against each other at their low ends, since the high ends
// may be of different assumptions.
#include "divcost/estimate.h"

#include "base/lanes.h"

#include <math.h>
#include <stdio.h>

#define ROUNDING 1e-6 // of sums of millions of terms, relative

typedef struct checker {
  const dc_estimate *estimate;
  uint32_t loop; // or DC_NONE: the kernel
  dc_error *error;
  dc_status status; // of the first that is wrong
} checker;

static void complain(checker *c, const char *what, double part, double whole) {
  char where[40] = "the kernel";
  if (c->status != DC_OK)
    return;
  if (c->loop != DC_NONE)
    snprintf(where, sizeof where, "loops[%u]", (unsigned)c->loop);
  c->status = dc_fail(c->error, DC_ERROR_LIMIT,
                      "the estimate contradicts itself, which is a fault of divcost: in %s, %s "
                      "(%.6g, at most %.6g)",
                      where, what, part, whole);
}

static bool is_known(dc_interval interval) { return interval.low >= 0; }

static bool exceeds(double part, double whole) {
  return !(part <= whole + ROUNDING * (1 + fabs(whole)));
}

// An interval that is known lies within these bounds, and is finite.
static void check_range(checker *c, const char *what, dc_interval interval, double low,
                        double high) {
  bool neither = interval.low == -1 && interval.high == -1;
  if (neither)
    return;
  if (!(interval.low <= interval.high) || exceeds(low, interval.low))
    complain(c, what, low, interval.low);
  if (!(interval.high < (double)INFINITY) || exceeds(interval.high, high))
    complain(c, what, interval.high, high);
}

static void check_part(checker *c, const char *what, dc_interval part, dc_interval whole) {
  if (!is_known(part) || !is_known(whole))
    return;
  if (exceeds(part.low, whole.low))
    complain(c, what, part.low, whole.low);
  if (exceeds(part.high, whole.high))
    complain(c, what, part.high, whole.high);
}

// The ends of its parts may be of different assumptions.
static void check_share(checker *c, const dc_estimate *e) {
  double least = e->imbalance.low + e->reconvergence.low,
         most = e->imbalance.high + e->reconvergence.high;
  check_range(c, "the share of the cycles that is lost", e->share, 0, 1);
  if (!is_known(e->share) || !is_known(e->imbalance) || !(e->cycles.low > 0))
    return;
  if (exceeds(least / e->cycles.high, e->share.low))
    complain(c, "less is lost than its parts", e->share.low, least / e->cycles.high);
  if (exceeds(e->share.high, most / e->cycles.low))
    complain(c, "more is lost than its parts", e->share.high, most / e->cycles.low);
}

static void check_loop(checker *c, const dc_loop_estimate *loop) {
  const dc_estimate *e = c->estimate;
  const double none = (double)INFINITY;
  check_range(c, "the number of entries", loop->entries, 0, none);
  check_range(c, "the mean trip count", loop->mean_trips, 0, none);
  check_range(c, "the expected imbalance", loop->expected, 1, DC_WARP);
  check_range(c, "the aggregate imbalance", loop->aggregate, 1, DC_WARP);
  check_range(c, "the efficiency", loop->efficiency, 0, 1);
  check_range(c, "the share of the kernel's issue cycles", loop->share, 0, 1);
  check_range(c, "the number of divergent exits", loop->divergent_exits, 0, none);
  check_range(c, "the stack's depth", loop->stack_depth, 0, none);
  check_range(c, "the cycles of its iterations", loop->body, 0, none);
  check_range(c, "the cycles lost", loop->imbalance, 0, none);
  check_range(c, "the cycles of reconvergence", loop->reconvergence, 0, none);
  if (loop->worst >= 0 && (exceeds(1, loop->worst) || exceeds(loop->worst, DC_WARP)))
    complain(c, "the worst imbalance", loop->worst, DC_WARP);
  check_part(c, "its cycles exceed the kernel's", loop->body, e->cycles);
  check_part(c, "more cycles are lost than it takes", loop->imbalance, loop->body);
  check_part(c, "its reconvergence exceeds the kernel's", loop->reconvergence, e->reconvergence);
}

dc_status dc_estimate_check(const dc_estimate *estimate, dc_error *error) {
  checker c = {estimate, DC_NONE, error, DC_OK};
  const double none = (double)INFINITY;
  double share = 0, lost = 0;
  check_range(&c, "the number of cycles", estimate->cycles, 0, none);
  check_range(&c, "the number of instructions", estimate->instructions, 0, none);
  check_range(&c, "the number of divergent branches", estimate->divergent_branches, 0, none);
  check_range(&c, "the efficiency", estimate->efficiency, 0, 1);
  check_range(&c, "the expected efficiency", estimate->expected_efficiency, 0, 1);
  check_range(&c, "the certain efficiency", estimate->certain_efficiency, 0, 1);
  check_range(&c, "the cycles lost", estimate->imbalance, 0, none);
  check_range(&c, "the cycles of reconvergence", estimate->reconvergence, 0, none);
  check_share(&c, estimate);
  if (is_known(estimate->cycles) &&
      exceeds(estimate->imbalance.low + estimate->reconvergence.low, estimate->cycles.low))
    complain(&c, "imbalance and reconvergence exceed the cycles",
             estimate->imbalance.low + estimate->reconvergence.low, estimate->cycles.low);
  check_part(&c, "imbalance exceeds the cycles", estimate->imbalance, estimate->cycles);
  check_part(&c, "reconvergence exceeds the cycles", estimate->reconvergence, estimate->cycles);
  for (c.loop = 0; c.loop < estimate->n_loops; ++c.loop) {
    const dc_loop_estimate *loop = &estimate->loops[c.loop];
    check_loop(&c, loop);
    share += loop->share.low > 0 ? loop->share.low : 0;
    lost += is_known(loop->imbalance) ? loop->imbalance.low : 0;
  }
  c.loop = DC_NONE;
  double idle = 0;
  for (uint32_t k = 0; k < estimate->n_branches; ++k) {
    check_range(&c, "the share that idles at a branch", estimate->branches[k].idle, 0, 1);
    idle += estimate->branches[k].idle.low > 0 ? estimate->branches[k].idle.low : 0;
  }
  if (exceeds(idle, 1))
    complain(&c, "more idles at the branches than there is", idle, 1);
  if (exceeds(share, 1))
    complain(&c, "the loops' shares exceed the whole", share, 1);
  if (is_known(estimate->imbalance) && exceeds(lost, estimate->imbalance.low))
    complain(&c, "the loops lose more than the kernel", lost, estimate->imbalance.low);
  return c.status;
}
