// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several lanes for each item: what becomes of the loops whose lanes draw from a distribution. With
// c cycles for an iteration of the warp, 32 items take c 32 E[W] A / 32 cycles, A being the
// aggregate imbalance; so a loop's body changes as A does, and what it loses is body (1 - 1 / A).
#include "base/lanes.h"
#include "divcost/what_if.h"
#include "divcost/workload.h"

#include <stdlib.h>

// What a loop's distribution costs.
typedef struct sharing {
  dc_loss before, after;
} sharing;

static bool has_distribution(const dc_loop *loop) {
  return loop->level >= DC_DIVERGENT &&
         (loop->distribution || loop->loop_class == DC_CLASS_DATA_DEPENDENT ||
          loop->loop_class == DC_CLASS_UNKNOWN);
}

bool dc_what_if_shares(const dc_kernel *kernel, uint32_t loop) {
  uint32_t around = kernel->loops[loop].parent;
  while (around != DC_NONE && !has_distribution(&kernel->loops[around]))
    around = kernel->loops[around].parent;
  return around == DC_NONE && has_distribution(&kernel->loops[loop]);
}

// A share `alike` of the warps has one draw for all its items: they wait for nobody.
static dc_loss mix(dc_loss independent, dc_loss alone, double alike) {
  dc_loss loss = {alike * alone.expected + (1 - alike) * independent.expected,
                  alike * alone.aggregate + (1 - alike) * independent.aggregate, 0};
  loss.efficiency = 1 / loss.aggregate;
  return loss;
}

static dc_status share_distribution(const dc_distribution *distribution, double alike,
                                    unsigned lanes_per_item, sharing *out, dc_error *error) {
  dc_loss alone = {1, 1, 1}, many;
  dc_status status = dc_shared_item_loss(distribution, DC_WARP, 1, &many, error);
  if (status != DC_OK)
    return status;
  out->before = mix(many, alone, alike);
  status = dc_shared_item_loss(distribution, lanes_per_item, lanes_per_item, &alone, error);
  if (status == DC_OK)
    status = dc_shared_item_loss(distribution, DC_WARP, lanes_per_item, &many, error);
  if (status == DC_OK)
    out->after = mix(many, alone, alike);
  return status;
}

static dc_status share_text(const char *text, double alike, unsigned lanes_per_item, sharing *out,
                            dc_error *error) {
  dc_distribution distribution;
  dc_status status = dc_distribution_from_text(text, NULL, &distribution, error);
  if (status == DC_OK)
    status = share_distribution(&distribution, alike, lanes_per_item, out, error);
  dc_distribution_free(&distribution);
  return status;
}

// The distribution of a loop, or those that are assumed: low and high.
static dc_status share_loop(const dc_kernel *kernel, uint32_t loop, unsigned lanes_per_item,
                            sharing out[2], dc_error *error) {
  const dc_loop *data = &kernel->loops[loop];
  const char *distribution = dc_kernel_text(kernel, data->distribution);
  dc_assumed_distributions assumed = dc_distributions_assumed(dc_most_trips(kernel, loop));
  dc_status status = share_text(*distribution ? distribution : assumed.low, data->correlation,
                                lanes_per_item, &out[0], error);
  out[1] = out[0];
  if (status == DC_OK && !*distribution)
    status = share_text(assumed.high, data->correlation, lanes_per_item, &out[1], error);
  return status;
}

// ---- figures -----------------------------------------------------------------------------------

static const dc_interval not_known = {-1, -1};

static dc_interval interval_of(double x, double y) {
  return x < y ? (dc_interval){x, y} : (dc_interval){y, x};
}

static void scale(dc_interval *interval, double low, double high) {
  if (interval->low >= 0)
    *interval = interval_of(interval->low * low, interval->high * high);
}

// Adds what is known of a part, `sign` times.
static void add(dc_interval *to, dc_interval part, double sign) {
  to->low += part.low > 0 ? sign * part.low : 0;
  to->high += part.high > 0 ? sign * part.high : 0;
}

static void change_loop(dc_loop_estimate *loop, const sharing out[2]) {
  double lost[2];
  scale(&loop->body, out[0].after.aggregate / out[0].before.aggregate,
        out[1].after.aggregate / out[1].before.aggregate);
  lost[0] = loop->body.low * (1 - 1 / out[0].after.aggregate);
  lost[1] = loop->body.high * (1 - 1 / out[1].after.aggregate);
  if (loop->body.low >= 0)
    loop->imbalance = interval_of(lost[0], lost[1]);
  loop->expected = interval_of(out[0].after.expected, out[1].after.expected);
  loop->aggregate = interval_of(out[0].after.aggregate, out[1].after.aggregate);
  loop->efficiency = interval_of(out[0].after.efficiency, out[1].after.efficiency);
  loop->worst = -1;
  loop->divergent_exits = loop->stack_depth = loop->reconvergence = not_known;
}

// A loop inside of one that shares runs as often as its iterations do, any other one as often as
// there are threads.
static void change_other(dc_loop_estimate *loop, const sharing *around, double n) {
  double low = around ? around[0].after.aggregate / around[0].before.aggregate : n,
         high = around ? around[1].after.aggregate / around[1].before.aggregate : n;
  scale(&loop->body, low, high);
  scale(&loop->imbalance, low, high);
  scale(&loop->reconvergence, low, high);
}

// What the kernel's issue cycles consist of: `sign` times the parts that are of a loop that shares,
// or inside of it.
static void add_parts(dc_estimate *sum, const dc_loop_estimate *loop, bool shares, double sign) {
  if (shares)
    add(&sum->cycles, loop->body, sign);
  add(&sum->cycles, loop->reconvergence, sign);
  add(&sum->imbalance, loop->imbalance, sign);
  add(&sum->reconvergence, loop->reconvergence, sign);
}

static void keep_above_zero(dc_interval *interval) {
  interval->low = interval->low > 0 ? interval->low : 0;
  interval->high = interval->high > 0 ? interval->high : 0;
}

static void change_shares(dc_estimate *estimate) {
  dc_interval all = {0, 0};
  add(&all, estimate->imbalance, 1);
  add(&all, estimate->reconvergence, 1);
  if (estimate->cycles.low > 0)
    estimate->share = interval_of(all.low / estimate->cycles.low, all.high / estimate->cycles.high);
  for (uint32_t l = 0; l < estimate->n_loops; ++l) {
    dc_loop_estimate *loop = &estimate->loops[l];
    dc_interval lost = {0, 0};
    add(&lost, loop->imbalance, 1);
    add(&lost, loop->reconvergence, 1);
    if (estimate->cycles.low > 0)
      loop->share = interval_of(lost.low / estimate->cycles.low, lost.high / estimate->cycles.high);
  }
}

// around[l]: the distribution of the loop that shares and is l, or has it inside; NULL: there is
// none.
static void change_estimate(const dc_kernel *kernel, double n, const sharing *const *around,
                            dc_estimate *estimate) {
  bool known = estimate->cycles.low >= 0;
  for (uint32_t l = 0; known && l < estimate->n_loops; ++l)
    if (around[l])
      add_parts(estimate, &estimate->loops[l], dc_what_if_shares(kernel, l), -1);
  keep_above_zero(&estimate->cycles);
  keep_above_zero(&estimate->imbalance);
  keep_above_zero(&estimate->reconvergence);
  scale(&estimate->cycles, n, n);
  scale(&estimate->imbalance, n, n);
  scale(&estimate->reconvergence, n, n);
  for (uint32_t l = 0; l < estimate->n_loops; ++l) {
    bool shares = dc_what_if_shares(kernel, l);
    if (shares && around[l])
      change_loop(&estimate->loops[l], around[l]);
    else
      change_other(&estimate->loops[l], around[l], n);
    if (around[l])
      add_parts(estimate, &estimate->loops[l], shares, 1);
  }
  if (known)
    change_shares(estimate);
  else
    estimate->cycles = estimate->imbalance = estimate->reconvergence = estimate->share = not_known;
  estimate->instructions = estimate->efficiency = estimate->divergent_branches = not_known;
  estimate->expected_efficiency = estimate->certain_efficiency = not_known;
  estimate->emulated = false;
}

static dc_status find_distributions(const dc_kernel *kernel, unsigned lanes_per_item,
                                    sharing (*distributions)[2], const sharing **around, bool *any,
                                    dc_error *error) {
  dc_status status = DC_OK;
  *any = false;
  for (uint32_t l = 0; status == DC_OK && l < kernel->n_loops; ++l) {
    uint32_t parent = kernel->loops[l].parent; // outer loops come first
    around[l] = parent == DC_NONE ? NULL : around[parent];
    if (!dc_what_if_shares(kernel, l))
      continue;
    *any = true;
    around[l] = distributions[l];
    status = share_loop(kernel, l, lanes_per_item, distributions[l], error);
  }
  return status;
}

dc_status dc_what_if_share(dc_unit_kernel *kernel, unsigned lanes_per_item, dc_error *error) {
  if (lanes_per_item == 0 || lanes_per_item > DC_WARP ||
      (lanes_per_item & (lanes_per_item - 1)) != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%u lanes per item, must be 1, 2, 4, 8, 16 or 32",
                   lanes_per_item);
  size_t n = kernel->kernel.n_loops;
  sharing(*distributions)[2] = calloc(n + 1, sizeof *distributions);
  const sharing **around = calloc(n + 1, sizeof *around);
  bool any = false;
  dc_status status =
      distributions && around
          ? find_distributions(&kernel->kernel, lanes_per_item, distributions, around, &any, error)
          : dc_fail(error, DC_ERROR_MEMORY, "out of memory for distributions");
  for (uint32_t e = 0; status == DC_OK && any && lanes_per_item > 1 && e < kernel->n_estimates; ++e)
    change_estimate(&kernel->kernel, lanes_per_item, around, &kernel->estimates[e]);
  free(distributions);
  free(around);
  return status;
}
