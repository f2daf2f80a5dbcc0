// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops and branches of a kernel whose part of its time is told: those whose lanes idle most,
// where items have something to do with it. Branches that lanes take by data inside of loops, or
// that are neither evaluated nor drawn, have none.
#include "estimate/timing.h"

#define LEAST 0.01 // of what a kernel issues, that idles

typedef struct list {
  dc_time_part of[DC_TIME_PARTS];
  double idle[DC_TIME_PARTS];
  uint32_t n;
} list;

// Keeps the order; what idles least has no room.
static void insert(list *to, dc_time_part part, double idle) {
  uint32_t at = to->n < DC_TIME_PARTS ? to->n++ : DC_TIME_PARTS;
  for (; at > 0 && to->idle[at - 1] < idle; --at)
    if (at < DC_TIME_PARTS) {
      to->of[at] = to->of[at - 1];
      to->idle[at] = to->idle[at - 1];
    }
  if (at < DC_TIME_PARTS) {
    to->of[at] = part;
    to->idle[at] = idle;
  }
}

// Loops that run by the same number are one: this is the one whose lanes idle most.
static bool is_first(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t loop) {
  for (uint32_t k = 0; k < kernel->n_loops; ++k) {
    double idle = estimate->loops[k].share.high, own = estimate->loops[loop].share.high;
    if (k != loop && dc__draw_of(kernel, k) == dc__draw_of(kernel, loop) &&
        (idle > own || (idle == own && k < loop)))
      return false;
  }
  return true;
}

static void add_loops(const dc__plan *p, const dc_estimate *estimate, list *to) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    const dc_loop_facts *facts = &p->facts[loop];
    double idle = estimate->loops[loop].share.high;
    bool of_items = facts->distribution >= 0 ? facts->of_item : facts->evaluable;
    if (p->kernel->loops[loop].level >= DC_DIVERGENT && of_items && idle >= LEAST &&
        is_first(p->kernel, estimate, loop))
      insert(to, (dc_time_part){loop, DC_NONE, {0, 0}}, idle);
  }
}

// Whether there are others, outside of loops, whose part can't be told.
static bool add_branches(const dc__plan *p, const dc_flow *flow, const dc_estimate *estimate,
                         list *to) {
  bool others = false;
  for (uint32_t k = 0; k < p->kernel->n_branches; ++k) {
    double idle = estimate->branches[k].idle.high;
    if (idle < LEAST)
      continue;
    if (flow->masked[k])
      insert(to, (dc_time_part){DC_NONE, k, {0, 0}}, idle);
    else
      others |= p->kernel->blocks[p->kernel->branches[k].block].loop == DC_NONE;
  }
  return others;
}

bool dc__parts_find(const dc__plan *p, const dc_flow *flow, dc_estimate *out) {
  list parts = {.n = 0};
  add_loops(p, out, &parts);
  bool others = add_branches(p, flow, out, &parts);
  out->time.n_parts = parts.n;
  for (uint32_t k = 0; k < parts.n; ++k)
    out->time.parts[k] = parts.of[k];
  return parts.n > 1 || others;
}

dc__alike dc__part_alike(const dc_kernel *kernel, const dc_time_part *part) {
  if (part->loop != DC_NONE)
    return (dc__alike){true, dc__draw_of(kernel, part->loop), kernel->loops[part->loop].trips};
  return (dc__alike){true, dc__draw_of_branch(part->branch),
                     kernel->branches[part->branch].condition};
}
