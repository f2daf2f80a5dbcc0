// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions that an estimate meets, each text parsed and built once, and the figures of
// each for each number of lanes, computed when first asked for. Trip counts of the lanes are
// independent and identically distributed (iid), or, in a share of the warps that a correlation
// between lanes asks for, all the same: every figure is the weighted sum of those of the two kinds
// of warps.
//
// The iterations of a loop, as the loops inside see them: in iteration k (from 0) each of n lanes
// takes part with probability P(W > k), so the number that does is binomial; rows[n][j] adds up
// over k how often it is j. In supports of more than FEW_VALUES values, neighbours share their mean
// probability.
#include "estimate/estimate_internal.h"

#include "divcost/imbalance.h"
#include "divcost/reconvergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_VALUES 64
#define SHARE_STEP 5e-4

// Spills can't matter below this expected depth: the probability of 17 different values is then
// under 1e-4.
#define DEPTH_MATTERS 6

static void free_entry(dc_distribution_entry *entry) {
  if (entry) {
    dc_distribution_free(&entry->distribution);
    free(entry->text);
    free(entry->steps);
    free(entry->rows);
    free(entry->neighbours);
    free(entry->at_most);
    for (unsigned k = 0; k < sizeof entry->passes / sizeof *entry->passes; ++k)
      free(entry->passes[k]);
    free(entry);
  }
}

void dc__distributions_free(dc_distributions *distributions) {
  for (uint32_t k = 0; k < distributions->count; ++k)
    free_entry(distributions->entries[k]);
  free(distributions->entries);
  *distributions = (dc_distributions){0};
}

dc_estimate_cache *dc_estimate_cache_create(void) { return calloc(1, sizeof(dc_estimate_cache)); }

void dc_estimate_cache_free(dc_estimate_cache *cache) {
  if (cache)
    dc__distributions_free(cache);
  free(cache);
}

// Iterations grouped by how likely a lane takes part: one group for each value of the support; of
// large supports, neighbours that differ by less than SHARE_STEP are one.
static dc_status build_steps(dc_distribution_entry *entry, dc_error *error) {
  const dc_distribution *d = &entry->distribution;
  double merge = d->count <= FEW_VALUES ? 0 : SHARE_STEP;
  // From the top down, so that the tail is summed without cancellation; first counted, then kept.
  for (int round = 0; round < 2; ++round) {
    double share = 0, end = (double)d->points[d->count - 1].value, area = 0, begun = 0;
    entry->n_steps = 0;
    for (size_t k = d->count; k-- > 0;) {
      double from = k == 0 ? 0 : (double)d->points[k - 1].value;
      share += d->points[k].mass;
      area += ((double)d->points[k].value - from) * (share < 1 ? share : 1);
      if (from == end || (k > 0 && share + d->points[k - 1].mass - begun < merge))
        continue;
      if (round)
        entry->steps[entry->n_steps] =
            (dc_distribution_step){from, end - from, area / (end - from)};
      ++entry->n_steps;
      end = from;
      area = 0;
      begun = share;
    }
    if (round == 0 && !(entry->steps = malloc((entry->n_steps + 1) * sizeof *entry->steps)))
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  }
  for (uint32_t a = 0, b = entry->n_steps; a + 1 < b; ++a) { // ascending
    dc_distribution_step swap = entry->steps[a];
    entry->steps[a] = entry->steps[--b];
    entry->steps[b] = swap;
  }
  return DC_OK;
}

// E[max], divergent exits and depth of a single loop for 1 ... 32 lanes in one pass over the
// support (imbalance.h and reconvergence.h have them for one number of lanes). With n lanes,
// u(n) = 1 - (1 - p)^n is the chance that some lane has what has probability p; it follows from
// u(n - 1) without cancellation. K, the number of distinct positive counts, has mean sum of u.
static void build_figures(dc_distribution_entry *entry) {
  const dc_distribution *d = &entry->distribution;
  dc_distribution_figures *figures = entry->figures;
  double zero = d->points[0].value == 0 ? d->points[0].mass : 0, above = 0;
  for (size_t k = d->count; k > 0 && d->points[k - 1].value > 0; --k) {
    const dc_point *point = &d->points[k - 1];
    double mass = point->mass;
    double length = (double)(point->value - (k > 1 ? point[-1].value : 0));
    above = above + mass < 1 ? above + mass : 1;
    // both, one: all lanes have this value or 0; all have this value. Then K is 1.
    double higher = 0, here = 0, both = 1, one = 1, none = 1;
    for (unsigned n = 1; n <= DC_WARP; ++n) {
      higher += above * (1 - higher);
      here += mass * (1 - here);
      figures[n].maximum += length * higher;
      figures[n].depth += here;
      if (zero == 0)
        continue;
      both *= zero + mass;
      one *= mass;
      none *= zero;
      figures[n].depth += both - one - none; // the guard's token makes depth 1 a 2
    }
  }
  double none = 1;
  for (unsigned n = 1; n <= DC_WARP; ++n) {
    none *= zero;
    figures[n].depth += none; // no lane enters: the SSY token alone
    figures[n].divergent_exits = fmax(figures[n].depth - 1, 0);
  }
  if (zero == 0)
    return;
  for (unsigned n = 1; n <= DC_WARP; ++n) { // exits: E[K] - P(K > 0), without the guard's token
    double distinct = 0, all = pow(zero, n);
    for (size_t k = 1; k < d->count; ++k)
      distinct -= expm1(n * log1p(-d->points[k].mass));
    figures[n].divergent_exits = fmax(distinct - (1 - all), 0); // 0 for one lane, but for rounding
    figures[n].divergent_guard = 1 - all - pow(1 - zero, n);
  }
}

// Lanes that have one draw: as many iterations as it says, one exit for all, depth 1.
static void mix_in_alike(dc_distribution_entry *entry) {
  double iid = 1 - entry->alike;
  for (unsigned n = 1; n <= DC_WARP && entry->alike > 0; ++n) {
    dc_distribution_figures *figures = &entry->figures[n];
    figures->maximum = entry->alike * entry->mean + iid * figures->maximum;
    figures->depth = entry->alike + iid * figures->depth;
    figures->divergent_exits *= iid;
    figures->divergent_guard *= iid;
  }
}

static dc_status build(dc_distribution_entry *entry, dc_error *error) {
  dc_status status = dc_distribution_from_text(entry->text, NULL, &entry->distribution, error);
  if (status == DC_OK)
    status = build_steps(entry, error);
  if (status == DC_OK)
    entry->mean = dc_distribution_mean(&entry->distribution);
  if (status == DC_OK) {
    if (entry->alike < 1)
      build_figures(entry);
    mix_in_alike(entry);
  }
  return status;
}

int dc__distributions_find(dc_distributions *distributions, const char *text, double alike,
                           dc_error *error) {
  for (uint32_t k = 0; k < distributions->count; ++k)
    if (strcmp(distributions->entries[k]->text, text) == 0 &&
        distributions->entries[k]->alike == alike)
      return (int)k;
  dc_distribution_entry **grown =
      realloc(distributions->entries, (distributions->count + 1) * sizeof *grown);
  if (grown)
    distributions->entries = grown;
  dc_distribution_entry *entry = calloc(1, sizeof *entry);
  size_t length = strlen(text) + 1;
  char *copy = malloc(length);
  if (!grown || !entry || !copy) {
    free(entry);
    free(copy);
    dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
    return -1;
  }
  entry->text = memcpy(copy, text, length);
  entry->alike = alike;
  if (build(entry, error) != DC_OK) {
    free_entry(entry);
    return -1;
  }
  distributions->entries[distributions->count] = entry;
  return (int)distributions->count++;
}

double dc__distribution_imbalance(dc_distribution_entry *distribution, unsigned lanes) {
  dc_distribution_figures *figures = &distribution->figures[lanes];
  if (!figures->imbalance_known) {
    figures->expected_imbalance = 1;
    if (lanes > 0)
      dc_expected_imbalance(&distribution->distribution, lanes, &figures->expected_imbalance, NULL);
    figures->expected_imbalance =
        distribution->alike + (1 - distribution->alike) * figures->expected_imbalance;
    figures->imbalance_known = true;
  }
  return figures->expected_imbalance;
}

void dc__binomial_lanes(double *row, unsigned n, double share, double length) {
  double absent = 1 - share;
  if (absent <= 0) {
    row[n] += length;
    return;
  }
  // From the likelier end, so that the first term doesn't vanish.
  if (share <= 0.5) {
    double term = pow(absent, n), ratio = share / absent;
    for (unsigned j = 1; j <= n; ++j) {
      term *= ratio * (n - j + 1) / j;
      row[j] += length * term;
    }
  } else {
    double term = pow(share, n), ratio = absent / share;
    for (unsigned j = n; j >= 1; --j) {
      row[j] += length * term;
      term *= ratio * j / (n - j + 1);
    }
  }
}

void dc__distribution_lanes(const dc_distribution_entry *distribution, double *row, unsigned n,
                            double share, double length) {
  dc__binomial_lanes(row, n, share, (1 - distribution->alike) * length);
  row[n] += distribution->alike * share * length;
}

double dc__distribution_enter(const dc_distribution_entry *distribution) {
  const dc_distribution_step *first = distribution->steps;
  return distribution->n_steps == 0 ? 0 : first->first == 0 ? first->share : 1;
}

double dc__distribution_some(const dc_distribution_entry *distribution, unsigned n, double share) {
  return distribution->alike * share + (1 - distribution->alike) * (1 - pow(1 - share, n));
}

const double *dc__distribution_exits_apart(dc_distribution_entry *distribution, unsigned ways) {
  dc_apart *apart = &distribution->apart[ways % DC_APART_KEPT];
  if (apart->ways == ways)
    return apart->exits;
  const dc_distribution *d = &distribution->distribution;
  *apart = (dc_apart){.ways = ways};
  for (size_t k = 0; k < d->count && ways > 1; ++k) {
    double all = d->points[k].value > 0 ? d->points[k].mass : 0, one = all / ways;
    double some = 0, some_of_one = 0;
    for (unsigned n = 1; n <= DC_WARP; ++n) {
      some += all * (1 - some);
      some_of_one += one * (1 - some_of_one);
      apart->exits[n] += (1 - distribution->alike) * (ways * some_of_one - some);
    }
  }
  return apart->exits;
}

// Merging neighbours moves the sums over a row, by some 1e-6 of them: a factor a + b j puts both
// right, that of the iterations and that of the lanes in them.
static void correct_row(const dc_distribution_entry *distribution, unsigned lanes, double *row) {
  double sums[3] = {0}; // of the row, times j, times j^2
  for (unsigned j = 1; j <= lanes; ++j) {
    sums[0] += row[j];
    sums[1] += row[j] * j;
    sums[2] += row[j] * j * j;
  }
  double determinant = sums[0] * sums[2] - sums[1] * sums[1];
  double iterations = distribution->figures[lanes].maximum, of_lanes = lanes * distribution->mean;
  if (!(determinant > 1e-6 * sums[0] * sums[2])) // always the same number of lanes
    return;
  double a = (iterations * sums[2] - of_lanes * sums[1]) / determinant;
  double b = (of_lanes * sums[0] - iterations * sums[1]) / determinant;
  for (unsigned j = 1; j <= lanes; ++j)
    row[j] *= a + b * j;
}

const double *dc__distribution_row(dc_distribution_entry *distribution, unsigned lanes) {
  if (!distribution->rows &&
      !(distribution->rows = calloc(DC_WARP + 1, sizeof *distribution->rows)))
    return NULL;
  double *row = distribution->rows[lanes];
  if (!distribution->row_known[lanes]) {
    for (uint32_t k = 0; k < distribution->n_steps; ++k)
      dc__distribution_lanes(distribution, row, lanes, distribution->steps[k].share,
                             distribution->steps[k].length);
    correct_row(distribution, lanes, row);
    distribution->row_known[lanes] = true;
  }
  return row;
}

double dc__distribution_worst(const dc_distribution_entry *distribution, unsigned lanes) {
  const dc_distribution *d = &distribution->distribution;
  double worst = -1;
  if (distribution->alike == 1)
    return 1;
  if (d->cut == 0)
    dc_worst_imbalance(dc_distribution_min(d), dc_distribution_max(d), lanes, &worst, NULL);
  return worst;
}

// With lazy reloading, a loop that reaches the given depth spills once for each spill_entries
// entries beyond the capacity (Bialas and Strzelecki: floor((n - 12) / 4) times for n + 1 entries).
double dc__spills_at_depth(unsigned depth, const dc_arch *arch) {
  if (arch->spill_entries == 0 || depth <= arch->stack_entries)
    return 0;
  unsigned spills = (depth - arch->stack_entries + arch->spill_entries - 1) / arch->spill_entries;
  return spills;
}

double dc__distribution_spills(dc_distribution_entry *distribution, unsigned lanes,
                               const dc_arch *arch) {
  dc_distribution_figures *figures = &distribution->figures[lanes];
  double iid = 1 - distribution->alike;
  if (lanes <= arch->stack_entries || figures->depth < distribution->alike + iid * DEPTH_MATTERS)
    return 0;
  if (!figures->depths_known) {
    if (dc_single_loop_depth(&distribution->distribution, lanes, figures->depths, NULL) != DC_OK)
      memset(figures->depths, 0, sizeof figures->depths);
    figures->depths_known = true;
  }
  double spills = 0;
  for (unsigned depth = 0; depth <= lanes; ++depth)
    spills += figures->depths[depth] * dc__spills_at_depth(depth, arch);
  return iid * spills;
}
