// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a walk found to the figures of an estimate: intervals over all assumptions.
#include "estimate/plan.h"

#include <math.h>

// Machine instructions of a block are expected to be up to this many times more or fewer.
#define MACHINE_FACTOR 1.5

static const dc_interval not_known = {-1, -1};

static void widen(dc_interval *interval, double value, bool first) {
  if (first)
    *interval = not_known;
  if (!(value >= 0)) // not known under these assumptions
    return;
  if (interval->low < 0)
    interval->low = interval->high = value;
  else if (value < interval->low)
    interval->low = value;
  else if (value > interval->high)
    interval->high = value;
}

static double ratio(double a, double b) { return b > 0 ? a / b : -1; }

// The mean of E[imbalance] over the entries of a loop: of evaluated ones, and of those with a
// distribution.
static double expected_imbalance(const dc__plan *p, const dc_walk *walk, uint32_t loop) {
  const dc_loop_sums *sums = &p->sums[loop];
  const dc_loop_facts *facts = &p->facts[loop];
  int number =
      facts->distribution >= 0 ? facts->distribution : facts->assumed_distribution[walk->spread];
  dc_distribution_entry *distribution = number >= 0 ? p->distributions->entries[number] : NULL;
  double sum = sums->imbalance, entries = 0, lanes = 0;
  unsigned different = 0;
  for (unsigned j = 1; j <= DC_WARP; ++j) {
    entries += sums->by_lanes[j];
    lanes += sums->by_lanes[j] * j;
    different += sums->by_lanes[j] > 0;
  }
  if (distribution && different > 4) { // costly, and smooth in the number of lanes
    double mean = lanes / entries;
    unsigned below = (unsigned)mean;
    double above = mean - below;
    sum += entries * (1 - above) * dc__distribution_imbalance(distribution, below);
    if (above > 0)
      sum += entries * above * dc__distribution_imbalance(distribution, below + 1);
  } else if (distribution) {
    for (unsigned j = 1; j <= DC_WARP; ++j)
      if (sums->by_lanes[j] > 0)
        sum += sums->by_lanes[j] * dc__distribution_imbalance(distribution, j);
  }
  return ratio(sum, sums->entries);
}

// Issue cycles of each loop, inner loops included.
static void add_bodies(const dc__plan *p, double *body) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    body[loop] = p->sums[loop].cycles;
  for (uint32_t loop = p->kernel->n_loops; loop-- > 0;)
    if (p->kernel->loops[loop].parent != DC_NONE)
      body[p->kernel->loops[loop].parent] += body[loop];
}

// Cycles that managing a loop's lanes takes.
static double managing_of(const dc__plan *p, uint32_t loop) {
  const dc_loop_sums *sums = &p->sums[loop];
  return sums->exits * p->arch->divergent_exit + sums->spills * p->arch->spill;
}

// The share of the kernel's issue cycles that a loop loses.
static double share_of(const dc__plan *p, uint32_t loop, double kernel_cycles) {
  if (p->flow[0].detached[loop] || !(kernel_cycles > 0))
    return 0;
  return (p->sums[loop].lost + (p->arch->has_cycles ? managing_of(p, loop) : 0)) / kernel_cycles;
}

static void add_loop(const dc__plan *p, const dc_walk *walk, uint32_t loop, double body,
                     double kernel_cycles, bool first, dc_loop_estimate *out) {
  const dc_loop_sums *sums = &p->sums[loop];
  const dc_arch *arch = p->arch;
  bool part = !p->flow[0].detached[loop], cycles = part && arch->has_cycles;
  double share = share_of(p, loop, kernel_cycles),
         aggregate = ratio(sums->slots, sums->lane_iterations);
  if (sums->visited && sums->lane_iterations == 0)
    aggregate = 1;
  if (first || sums->from > out->from)
    out->from = sums->from;
  widen(&out->entries, part ? sums->entries : -1, first);
  widen(&out->mean_trips, ratio(sums->lane_iterations, sums->lanes), first);
  widen(&out->expected, expected_imbalance(p, walk, loop), first);
  widen(&out->aggregate, aggregate, first);
  widen(&out->efficiency, ratio(sums->lane_iterations, DC_WARP * sums->iterations), first);
  widen(&out->divergent_exits, ratio(sums->exits, sums->entries), first);
  widen(&out->stack_depth, arch->rules == DC_RULES_STACK ? ratio(sums->depth, sums->entries) : -1,
        first);
  widen(&out->body, cycles ? body : -1, first);
  widen(&out->imbalance, cycles ? sums->lost : -1, first);
  widen(&out->reconvergence, cycles ? managing_of(p, loop) : -1, first);
  widen(&out->share, share, first);
  out->least_share = first ? share : fmin(out->least_share, share);
  double worst = sums->visited && sums->bounded ? sums->worst : -1;
  if (first || worst < 0 || (out->worst >= 0 && worst > out->worst))
    out->worst = first || out->worst >= 0 ? worst : out->worst;
}

static void add_branches(const dc__plan *p, const dc_walk *walk, bool first, dc_estimate *out) {
  dc__attribute_branches(walk, &p->control, p->idle);
  for (uint32_t k = 0; k < out->n_branches; ++k) {
    bool told = walk->flow->masked[k] || p->emulated.valid;
    if (first || !told)
      out->branches[k].from = told ? DC_FROM_DERIVED : DC_FROM_ASSUMED;
    widen(&out->branches[k].idle, p->idle[k], first);
  }
}

void dc__figures_add(dc__plan *p, const dc_walk *walk, double *body, bool first, dc_scenario of,
                     dc_estimate *out) {
  const dc_arch *arch = p->arch;
  const dc_executed *executed = &walk->executed;
  double lost = 0, exits = 0, parted = 0, spills = walk->spills;
  add_bodies(p, body);
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    if (p->flow[0].detached[loop])
      continue;
    lost += p->sums[loop].lost;
    exits += p->sums[loop].exits;
    parted += p->sums[loop].parted;
    spills += p->sums[loop].spills;
  }
  double managing = exits * arch->divergent_exit + executed->branches * arch->divergent_branch +
                    spills * arch->spill;
  double cycles = executed->cycles + managing;
  // Each group that diverged from others comes to the end of its region by itself.
  double issued = executed->instructions;
  if (dc__is_counted(p->kernel))
    issued += parted + executed->branches;
  p->reissued = issued - executed->instructions;
  dc_interval efficiency =
      dc__account_efficiency(walk, p->reissued, MACHINE_FACTOR, false, p->rows);
  widen(&out->expected_efficiency, efficiency.low, first);
  widen(&out->expected_efficiency, efficiency.high, false);
  if (!of.of_figures) {
    for (uint32_t loop = 0; loop < p->kernel->n_loops && of.length != DC_LENGTH_MEAN; ++loop)
      out->loops[loop].least_share = fmin(out->loops[loop].least_share, share_of(p, loop, cycles));
    return;
  }
  if (of.choice != DC_CHOICE_ALIKE) // where none idle
    add_branches(p, walk, first, out);
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    add_loop(p, walk, loop, body[loop], cycles, first, &out->loops[loop]);
  widen(&out->cycles, arch->has_cycles ? cycles : -1, first);
  widen(&out->imbalance, arch->has_cycles ? lost : -1, first);
  widen(&out->reconvergence, arch->has_cycles ? managing : -1, first);
  double share = cycles > 0 ? (lost + managing) / cycles : 0;
  widen(&out->share, arch->has_cycles ? share : -1, first);
  widen(&out->instructions, issued, first);
  widen(&out->efficiency, ratio(executed->lane_instructions, DC_WARP * issued), first);
  out->emulated = p->emulated.valid && (first || out->emulated);
  out->sampled |= walk->some_warps || walk->some_blocks || walk->some_points;
  widen(&out->divergent_branches, parted + executed->branches, first);
}
