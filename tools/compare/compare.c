// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dc_interval not_known = {-1, -1};

const char *compare_state_name(compare_state state) {
  switch (state) {
  case COMPARE_SAME:
    return "same";
  case COMPARE_CHANGED:
    return "changed";
  case COMPARE_NEW:
    return "new";
  case COMPARE_GONE:
    return "gone";
  }
  return "";
}

// ---- figures -----------------------------------------------------------------------------------

static bool values_differ(double x, double y, bool share) {
  if ((x < 0) != (y < 0))
    return true;
  double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  return fabs(x - y) >= (share ? 0.005 : 0.01 * most) && x != y;
}

static compare_figure figure(const char *name, const char *label, bool share, dc_interval before,
                             dc_interval after) {
  bool differs =
      values_differ(before.low, after.low, share) || values_differ(before.high, after.high, share);
  return (compare_figure){name, label, share, before, after, differs};
}

#define SIDE(of, member) ((of) ? (of)->member : not_known)

static dc_interval taken(const dc_unit_kernel *of, const dc_estimate *estimate,
                         dc_memory_unit unit) {
  dc_interval ideal;
  return estimate ? dc_memory_taken(&of->kernel, estimate, unit, &ideal) : not_known;
}

static dc_interval occupancy(const dc_estimate *estimate) {
  bool known = estimate && estimate->occupancy.known;
  return known ? dc_occupancy_share(&estimate->occupancy) : not_known;
}

static dc_interval microseconds(const dc_estimate *estimate) {
  if (!estimate || !estimate->time.known)
    return not_known;
  return (dc_interval){1e6 * estimate->time.seconds.low, 1e6 * estimate->time.seconds.high};
}

static void memory_figures(const comparison *of, compare_figure figures[3]) {
  static const struct {
    const char *name, *label;
  } units[] = {[DC_SECTORS] = {"sectors", "sectors"},
               [DC_WAVEFRONTS] = {"conflicts", "shared passes"},
               [DC_ADDRESSES] = {"constant_addresses", "constant addresses"}};
  for (unsigned unit = DC_SECTORS; unit <= DC_ADDRESSES; ++unit)
    figures[unit] = figure(units[unit].name, units[unit].label, false,
                           taken(of->before, of->estimates[0], (dc_memory_unit)unit),
                           taken(of->after, of->estimates[1], (dc_memory_unit)unit));
}

static void kernel_figures(comparison *out) {
  const dc_estimate *x = out->estimates[0], *y = out->estimates[1];
  out->figures[0] = figure("cycles", "issue cycles", false, SIDE(x, cycles), SIDE(y, cycles));
  out->figures[1] =
      figure("share", "lost", true, x ? x->share : not_known, y ? y->share : not_known);
  out->figures[2] =
      figure("efficiency", "efficiency", true, SIDE(x, efficiency), SIDE(y, efficiency));
  out->figures[3] = figure("divergent_branches", "divergent branches", false,
                           SIDE(x, divergent_branches), SIDE(y, divergent_branches));
  memory_figures(out, &out->figures[4]);
  out->figures[8] = figure("microseconds", "us, about", false, microseconds(x), microseconds(y));
  out->figures[7] = figure("occupancy", "occupancy", true, occupancy(x), occupancy(y));
}

static const dc_loop_estimate *side_of(const dc_estimate *estimate, uint32_t loop) {
  return estimate && loop != DC_NONE && loop < estimate->n_loops ? &estimate->loops[loop] : NULL;
}

static bool loop_differs(const comparison *of, const compare_loop *pair) {
  const dc_kernel *x = &of->before->kernel, *y = &of->after->kernel;
  const dc_loop *a = &x->loops[pair->before], *b = &y->loops[pair->after];
  bool differs = a->loop_class != b->loop_class || strcmp(dc_kernel_text(x, a->distribution),
                                                          dc_kernel_text(y, b->distribution)) != 0;
  for (unsigned k = 0; k < LOOP_FIGURES; ++k)
    differs |= pair->figures[k].differs;
  return differs;
}

static void add_pair(comparison *out, uint32_t before, uint32_t after) {
  compare_loop *pair = &out->loops[out->n_loops++];
  const dc_loop_estimate *x = side_of(out->estimates[0], before),
                         *y = side_of(out->estimates[1], after);
  const dc_unit_kernel *side = after == DC_NONE ? out->before : out->after;
  pair->before = before;
  pair->after = after;
  pair->kernel = &side->kernel;
  pair->loop = &side->kernel.loops[after == DC_NONE ? before : after];
  pair->figures[0] =
      figure("mean_trips", "mean trips", false, SIDE(x, mean_trips), SIDE(y, mean_trips));
  pair->figures[1] =
      figure("imbalance", "imbalance", false, SIDE(x, aggregate), SIDE(y, aggregate));
  pair->figures[2] = figure("cycles", "issue cycles", false, SIDE(x, body), SIDE(y, body));
  pair->figures[3] =
      figure("imbalance_cycles", "idle cycles", false, SIDE(x, imbalance), SIDE(y, imbalance));
  pair->figures[4] = figure("reconvergence_cycles", "reconvergence", false, SIDE(x, reconvergence),
                            SIDE(y, reconvergence));
  pair->figures[5] = figure("share", "loses of kernel", true, SIDE(x, share), SIDE(y, share));
  if (before == DC_NONE)
    pair->state = COMPARE_NEW;
  else if (after == DC_NONE)
    pair->state = COMPARE_GONE;
  else
    pair->state =
        out->before && out->after && loop_differs(out, pair) ? COMPARE_CHANGED : COMPARE_SAME;
}

// ---- loops -------------------------------------------------------------------------------------

typedef struct identity {
  uint64_t id;
  uint32_t loop;
} identity;

static int compare_identities(const void *x, const void *y) {
  const identity *a = x, *b = y;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return a->loop < b->loop ? -1 : a->loop > b->loop;
}

static identity *identities_of(const dc_kernel *kernel) {
  identity *list = malloc(((size_t)kernel->n_loops + 1) * sizeof *list);
  for (uint32_t k = 0; list && k < kernel->n_loops; ++k)
    list[k] = (identity){kernel->loops[k].id, k};
  if (list && kernel->n_loops)
    qsort(list, kernel->n_loops, sizeof *list, compare_identities);
  return list;
}

// of_after[l]: the loop before that is loop l after, or DC_NONE; of_before the other way round.
static void match(const identity *x, uint32_t n_x, const identity *y, uint32_t n_y,
                  uint32_t *of_before, uint32_t *of_after) {
  for (uint32_t a = 0, b = 0; a < n_x || b < n_y;) {
    int order = a == n_x ? 1 : b == n_y ? -1 : (x[a].id > y[b].id) - (x[a].id < y[b].id);
    if (order == 0) {
      of_before[x[a].loop] = y[b].loop;
      of_after[y[b].loop] = x[a].loop;
    } else if (order < 0) {
      of_before[x[a].loop] = DC_NONE;
    } else {
      of_after[y[b].loop] = DC_NONE;
    }
    a += order <= 0;
    b += order >= 0;
  }
}

static bool pair_loops(comparison *out) {
  static const dc_kernel none = {.n_loops = 0};
  const dc_kernel *x = out->before ? &out->before->kernel : &none,
                  *y = out->after ? &out->after->kernel : &none;
  identity *before = identities_of(x), *after = identities_of(y);
  uint32_t *of_before = malloc(((size_t)x->n_loops + 1) * sizeof *of_before);
  uint32_t *of_after = malloc(((size_t)y->n_loops + 1) * sizeof *of_after);
  out->loops = calloc((size_t)x->n_loops + y->n_loops + 1, sizeof *out->loops);
  bool good = before && after && of_before && of_after && out->loops;
  if (good) {
    match(before, x->n_loops, after, y->n_loops, of_before, of_after);
    for (uint32_t l = 0; l < y->n_loops; ++l)
      add_pair(out, of_after[l], l);
    for (uint32_t l = 0; l < x->n_loops; ++l)
      if (of_before[l] == DC_NONE)
        add_pair(out, l, DC_NONE);
  }
  free(before);
  free(after);
  free(of_before);
  free(of_after);
  return good;
}

// ---- kernels -----------------------------------------------------------------------------------

// The worst estimate after; where one for the launch of `before` is as bad, that one.
static const dc_estimate *worst_like(const dc_unit_kernel *after, const dc_estimate *before) {
  const dc_estimate *worst = dc_worst_estimate(after);
  for (uint32_t k = 0; before && worst && k < after->n_estimates; ++k) {
    const dc_estimate *estimate = &after->estimates[k];
    if (estimate->sm == worst->sm &&
        memcmp(estimate->launch.block, before->launch.block, sizeof before->launch.block) == 0 &&
        memcmp(estimate->launch.grid, before->launch.grid, sizeof before->launch.grid) == 0 &&
        !values_differ(estimate->share.low, worst->share.low, true))
      return estimate;
  }
  return worst;
}

bool compare_kernels(const dc_unit_kernel *before, const dc_unit_kernel *after, comparison *out) {
  *out = (comparison){.before = before, .after = after};
  out->estimates[0] = before ? dc_worst_estimate(before) : NULL;
  out->estimates[1] = after ? worst_like(after, out->estimates[0]) : NULL;
  kernel_figures(out);
  if (!pair_loops(out)) {
    comparison_free(out);
    return false;
  }
  bool differs = false;
  for (unsigned k = 0; k < KERNEL_FIGURES; ++k)
    differs |= out->figures[k].differs;
  for (uint32_t k = 0; k < out->n_loops; ++k)
    differs |= out->loops[k].state != COMPARE_SAME;
  differs |= strcmp(comparison_not_analysed(before), comparison_not_analysed(after)) != 0;
  out->state = !before ? COMPARE_NEW : !after ? COMPARE_GONE : COMPARE_SAME;
  if (before && after && differs)
    out->state = COMPARE_CHANGED;
  return true;
}

void comparison_free(comparison *comparison) {
  free(comparison->loops);
  comparison->loops = NULL;
  comparison->n_loops = 0;
}

const char *comparison_not_analysed(const dc_unit_kernel *of) {
  return of ? dc_kernel_text(&of->kernel, of->kernel.not_analysed) : "";
}

static bool is_unknown(const dc_unit_kernel *of) { return of && of->kernel.n_blocks == 0; }

double comparison_worse(const comparison *comparison) {
  if (is_unknown(comparison->before) || is_unknown(comparison->after))
    return 0;
  const compare_figure *share = &comparison->figures[1];
  return (share->after.low > 0 ? share->after.low : 0) -
         (share->before.low > 0 ? share->before.low : 0);
}
