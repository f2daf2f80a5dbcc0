// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the page's findings: what each costs, as the estimate of its kernel has it.
#include "report/html/html.h"

#include "divcost/words.h"

#include <string.h>

// A share, and what it is one of; NULL: nothing is known.
typedef struct cost {
  dc_interval share;
  const char *of;
  double weight; // of what was measured: that share of the program's time; else -1
} cost;

static const cost no_cost = {{-1, -1}, NULL, -1};

static bool same_place(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  if (a == DC_NONE || b == DC_NONE)
    return false;
  const dc_location *x = &kernel->locations[a], *y = &kernel->locations[b];
  return a == b || (x->line == y->line && x->column == y->column &&
                    strcmp(dc_kernel_text(kernel, x->file), dc_kernel_text(kernel, y->file)) == 0);
}

static cost measured_share(const dc_unit_measured *measured, double share) {
  double time = measured->time_share >= 0 ? measured->time_share : 1;
  return (cost){{share, share}, "of the lane-slots, as measured", share * time};
}

// What was counted of the accesses there; none where only the estimate knows of them.
static cost measured_access(const dc_unit_kernel *of, const dc_finding *finding) {
  static const char *const words[] = {"of the sectors aren't needed, as measured",
                                      "of the passes aren't needed, as measured"};
  const dc_unit_measured *measured = &of->measured;
  double time = measured->time_share >= 0 ? measured->time_share : 1;
  unsigned kind = finding->rule == DC_RULE_BANK_CONFLICT ? DC_TRAFFIC_SHARED : DC_TRAFFIC_GLOBAL;
  for (uint32_t k = 0; k < measured->n_accesses; ++k) {
    const dc_measured_access *access = &measured->accesses[k];
    if (access->kind == kind && same_place(&of->kernel, access->location, finding->location))
      return (cost){{access->share, access->share}, words[kind], access->share * time};
  }
  return no_cost;
}

// A finding of the efficiency is about the whole kernel.
static cost measured_cost(const dc_unit_kernel *of, const dc_finding *finding) {
  const dc_unit_measured *measured = &of->measured;
  if (finding->rule == DC_RULE_EFFICIENCY)
    return measured_share(measured, 1 - measured->efficiency);
  for (uint32_t k = 0; k < measured->n_parts; ++k)
    if (same_place(&of->kernel, measured->parts[k].location, finding->location))
      return measured_share(measured, measured->parts[k].share);
  return no_cost;
}

static cost branch_cost(const dc_kernel *kernel, const dc_estimate *e, uint32_t location) {
  cost worst = no_cost;
  for (uint32_t k = 0; k < e->n_branches; ++k)
    if (same_place(kernel, kernel->branches[k].location, location) &&
        e->branches[k].idle.low > worst.share.low)
      worst = (cost){e->branches[k].idle, "of the lane-slots idle", -1};
  return worst;
}

static double within(double low, double value, double high) {
  return value < low ? low : value > high ? high : value;
}

// What the accesses there take too much, as a share of all that the kernel takes of such memory.
static cost access_cost(const dc_kernel *kernel, const dc_estimate *e, dc_memory_unit unit,
                        uint32_t location) {
  static const char *const words[] = {"of the sectors are too much", "of the passes are too much",
                                      "of the addresses are too much"};
  dc_interval excess = {0, 0}, ideal, all = dc_memory_taken(kernel, e, unit, &ideal);
  for (uint32_t k = 0; k < e->n_accesses; ++k) {
    const dc_access_estimate *figures = &e->accesses[k];
    if (!(figures->requests > 0) ||
        dc_memory_unit_of((dc_space)kernel->accesses[k].space) != unit ||
        !same_place(kernel, kernel->accesses[k].location, location))
      continue;
    excess.low += figures->requests * (figures->taken.low - figures->ideal.high);
    excess.high += figures->requests * (figures->taken.high - figures->ideal.low);
  }
  if (!(all.high > 0) || !(excess.high > 0))
    return no_cost;
  double low = within(0, excess.low / all.high, 1);
  return (cost){{low, all.low > 0 ? within(low, excess.high / all.low, 1) : 1}, words[unit], -1};
}

static cost cost_of(const dc_unit_kernel *of, const dc_finding *finding) {
  const dc_estimate *worst = dc_worst_estimate(of);
  if (!dc_rule_about(finding->rule)->of_cost)
    return no_cost;
  bool of_access = finding->rule == DC_RULE_COALESCING || finding->rule == DC_RULE_BANK_CONFLICT;
  if (of_access && of->measured.traffic_known[finding->rule == DC_RULE_BANK_CONFLICT])
    return measured_access(of, finding);
  if (of->measured.launches && !of_access)
    return measured_cost(of, finding);
  if (!worst)
    return no_cost;
  if (finding->loop != DC_NONE)
    return (cost){dc_loop_share(worst, finding->loop), "of the issue cycles", -1};
  if (finding->rule == DC_RULE_BRANCH)
    return branch_cost(&of->kernel, worst, finding->location);
  if (finding->rule == DC_RULE_EFFICIENCY && worst->efficiency.low >= 0)
    return (cost){{1 - worst->efficiency.high, 1 - worst->efficiency.low}, "of the lanes idle", -1};
  return access_cost(&of->kernel, worst,
                     finding->rule == DC_RULE_BANK_CONFLICT ? DC_WAVEFRONTS
                     : finding->rule == DC_RULE_CONSTANT    ? DC_ADDRESSES
                                                            : DC_SECTORS,
                     finding->location);
}

bool dc__html_index_add_finding(html_index *index, uint32_t number, const dc_unit_kernel *kernel,
                                const dc_finding *finding, uint32_t instances) {
  html_json *row = &index->findings;
  cost what = cost_of(kernel, finding);
  dc__html_open(row, NULL, '[');
  dc__html_whole(row, NULL, finding->rule);
  dc__html_whole(row, NULL, number);
  bool good = dc__html_index_place(index, row, &kernel->kernel, finding->location);
  dc__html_index_share(row, what.share);
  dc__html_string(row, NULL, what.of ? what.of : "");
  dc__html_string(row, NULL, finding->message ? finding->message : "");
  dc__html_string(row, NULL, finding->suppressed ? dc_suppressor_name(finding->by) : "");
  dc__html_whole(row, NULL, instances);
  dc__html_whole(row, NULL, finding->loop == DC_NONE ? -1 : (long long)finding->loop);
  dc__html_real(row, NULL, what.weight);
  double time = kernel->measured.launches ? kernel->measured.time_share : -1;
  dc__html_real(row, NULL, time);
  dc__html_close(row, ']');
  return good && !row->failed;
}
