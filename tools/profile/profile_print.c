// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/profile.h"

#include "command.h"

#include "divcost/kernel.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME 0.0005 // shares and efficiencies that differ by less are shown as equal

// The least trip count that a share of the entries doesn't exceed; for a bin of several, its least.
static uint32_t quantile(const dc_profile_counts *counts, double lanes, double share) {
  double below = 0;
  uint32_t bin = 0;
  for (uint32_t k = 0; k < DC_PROFILE_BINS; ++k) {
    if (!counts->lanes[k])
      continue;
    bin = k;
    below += (double)counts->lanes[k];
    if (below >= share * lanes)
      break;
  }
  return dc_profile_bin_start(bin);
}

static void print_name(const dc_profile_loop *loop) {
  printf("%s:%" PRIu32 ":%" PRIu32 ": loop %" PRIu32 " of %s", loop->file, loop->line, loop->column,
         loop->number, loop->function);
  if (strcmp(loop->kernel, loop->function) != 0 || *loop->path)
    printf(", in %s", loop->kernel);
  if (*loop->path)
    printf(" by %s", loop->path);
  putchar('\n');
}

static void print_loop(const dc_profile_loop *loop) {
  const dc_profile_counts *counts = &loop->counts;
  dc_profile_figures f = dc_profile_figure(counts);
  print_name(loop);
  if (counts->entries == 0) {
    puts("  never entered");
    return;
  }
  printf("  entered by %" PRIu64 " warps with %.0f lanes; %" PRIu64
         " warp-iterations, %.0f lane-iterations\n",
         counts->entries, f.lanes, counts->warp_iterations, f.iterations);
  printf("  trips: mean %.4g, standard deviation %.4g; least %" PRIu32 ", median %" PRIu32
         ", 99%% %" PRIu32 ", most %" PRIu32 "\n",
         f.mean, sqrt(f.variance), quantile(counts, f.lanes, 0), quantile(counts, f.lanes, 0.5),
         quantile(counts, f.lanes, 0.99), quantile(counts, f.lanes, 1));
  printf("  SIMT efficiency %.1f%%, imbalance %.3f, correlation of lanes %.2f\n",
         100 * f.efficiency, f.aggregate, f.correlation);
  if (counts->parted && loop->level < DC_DIVERGENT)
    printf("  WRONG: called %s, but %" PRIu64 " lanes left it with another trip count\n",
           dc_uniformity_name((dc_uniformity)loop->level), counts->parted);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// "  parameter 2 = 1000: 12", and what its array has: "  parameter 0, 4096 bytes: 12".
static void print_param(const dc_profile_param *param) {
  bool extent = param->kind == DC_PROFILE_EXTENT;
  for (unsigned k = 0; k < param->n_values; ++k)
    printf(extent ? "  parameter %" PRIu32 ", array of %" PRId64 " bytes: %" PRIu64 "\n"
                  : "  parameter %" PRIu32 " = %" PRId64 ": %" PRIu64 "\n",
           param->number, param->values[k].value, param->values[k].count);
  if (param->more)
    printf("  parameter %" PRIu32 ", others: %" PRIu64 "\n", param->number, param->more);
}

static void print_launches(const dc_profile_kernel *kernel) {
  uint64_t all = dc_profile_launch_count(kernel);
  printf("%s: %" PRIu64 " launch%s\n", kernel->symbol, all, all == 1 ? "" : "es");
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_profile_launch *launch = &kernel->launches[k];
    printf("  grid %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", block %" PRIu32 "x%" PRIu32 "x%" PRIu32,
           launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
           launch->block[2]);
    if (launch->shared)
      printf(", %" PRIu64 " bytes of shared memory", launch->shared);
    printf(": %" PRIu64 "\n", launch->count);
  }
  if (kernel->more)
    printf("  others: %" PRIu64 "\n", kernel->more);
  for (uint32_t k = 0; k < kernel->n_params; ++k)
    print_param(&kernel->params[k]);
}

static void print_body(const dc_profile_body *body) {
  if (body->n_blocks == 0) // names of parameters
    return;
  printf("blocks of %s", body->function);
  if (strcmp(body->kernel, body->function) != 0 || *body->path)
    printf(", in %s", body->kernel);
  if (*body->path)
    printf(" by %s", body->path);
  putchar('\n');
  for (uint32_t k = 0; k < body->n_blocks; ++k) {
    const dc_profile_block *block = &body->blocks[k];
    printf("  %" PRIu32 ": by %" PRIu64 " warps, %" PRIu64 " lanes", block->number, block->warps,
           block->lanes);
    if (block->warps)
      printf(", %.1f each", (double)block->lanes / (double)block->warps);
    putchar('\n');
  }
}

void profile_show_text(const dc_profile *profile) {
  printf("%" PRIu32 " loop%s, %" PRIu64 " run%s\n", profile->n_loops, plural(profile->n_loops),
         profile->runs, plural(profile->runs));
  for (uint32_t k = 0; k < profile->n_kernels; ++k)
    print_launches(&profile->kernels[k]);
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    print_loop(profile->loops[k]);
  for (uint32_t k = 0; k < profile->n_bodies; ++k)
    print_body(&profile->bodies[k]);
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t *histogram(const dc_profile_counts *counts) {
  json_t *list = json_array();
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin])
      json_array_append_new(
          list,
          json_pack("[I, I, I]", (json_int_t)dc_profile_bin_start(bin),
                    (json_int_t)counts->lanes[bin],
                    (json_int_t)(bin < DC_PROFILE_EXACT ? bin * counts->lanes[bin]
                                                        : counts->sums[bin - DC_PROFILE_EXACT])));
  return list;
}

static json_t *describe(const dc_profile_loop *loop) {
  const dc_profile_counts *counts = &loop->counts;
  dc_profile_figures f = dc_profile_figure(counts);
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, loop->hash);
  return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:f, "
                   "s:f, s:f, s:f, s:f, s:f, s:f, s:o}",
                   "kernel", loop->kernel, "path", loop->path, "function", loop->function, "number",
                   (json_int_t)loop->number, "hash", hash, "file", loop->file, "line",
                   (json_int_t)loop->line, "column", (json_int_t)loop->column, "level",
                   dc_uniformity_name((dc_uniformity)loop->level), "entries",
                   (json_int_t)counts->entries, "warp_iterations",
                   (json_int_t)counts->warp_iterations, "pairs", (json_int_t)counts->pairs,
                   "spread", (json_int_t)counts->spread, "parted", (json_int_t)counts->parted,
                   "lanes", f.lanes, "iterations", f.iterations, "mean", f.mean, "variance",
                   f.variance, "efficiency", f.efficiency, "aggregate", f.aggregate, "correlation",
                   f.correlation, "histogram", histogram(counts));
}

static json_t *dimensions(const uint32_t *d) {
  return json_pack("[I, I, I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *describe_param(const dc_profile_param *param) {
  json_t *values = json_array();
  for (unsigned k = 0; k < param->n_values; ++k)
    json_array_append_new(values, json_pack("[I, I]", (json_int_t)param->values[k].value,
                                            (json_int_t)param->values[k].count));
  return json_pack("{s:i, s:s, s:o, s:I}", "number", (int)param->number, "kind",
                   param->kind == DC_PROFILE_EXTENT ? "extent" : "integer", "values", values,
                   "more", (json_int_t)param->more);
}

static json_t *describe_kernel(const dc_profile_kernel *kernel) {
  json_t *launches = json_array();
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_profile_launch *launch = &kernel->launches[k];
    json_array_append_new(
        launches, json_pack("{s:o, s:o, s:I, s:I}", "grid", dimensions(launch->grid), "block",
                            dimensions(launch->block), "shared", (json_int_t)launch->shared,
                            "count", (json_int_t)launch->count));
  }
  json_t *params = json_array();
  for (uint32_t k = 0; k < kernel->n_params; ++k)
    json_array_append_new(params, describe_param(&kernel->params[k]));
  return json_pack("{s:s, s:o, s:I, s:o}", "symbol", kernel->symbol, "launches", launches, "more",
                   (json_int_t)kernel->more, "params", params);
}

static json_t *describe_body(const dc_profile_body *body) {
  json_t *blocks = json_array();
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, body->hash);
  for (uint32_t k = 0; k < body->n_blocks; ++k)
    json_array_append_new(blocks,
                          json_pack("{s:I, s:I, s:I}", "number", (json_int_t)body->blocks[k].number,
                                    "warps", (json_int_t)body->blocks[k].warps, "lanes",
                                    (json_int_t)body->blocks[k].lanes));
  return json_pack("{s:s, s:s, s:s, s:s, s:o}", "kernel", body->kernel, "path", body->path,
                   "function", body->function, "hash", hash, "blocks", blocks);
}

int profile_show_json(const dc_profile *profile) {
  json_t *loops = json_array(), *bodies = json_array(), *kernels = json_array();
  bool good = true;
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    good &= json_array_append_new(loops, describe(profile->loops[k])) == 0;
  for (uint32_t k = 0; k < profile->n_bodies; ++k)
    if (profile->bodies[k].n_blocks) // else names of parameters
      good &= json_array_append_new(bodies, describe_body(&profile->bodies[k])) == 0;
  for (uint32_t k = 0; k < profile->n_kernels; ++k)
    good &= json_array_append_new(kernels, describe_kernel(&profile->kernels[k])) == 0;
  json_t *root =
      json_pack("{s:i, s:I, s:o, s:o, s:o}", "divcost-profile", 2, "runs",
                (json_int_t)profile->runs, "kernels", kernels, "loops", loops, "bodies", bodies);
  if (!good) {
    json_decref(root);
    return command_fail(NULL, "out of memory, or a name that is no UTF-8");
  }
  char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
  if (text)
    puts(text);
  free(text);
  json_decref(root);
  return text ? 0 : command_fail(NULL, "out of memory");
}

// ---- differences --------------------------------------------------------------------------------

// Half the sum of the differences of the shares of all bins: the total variation distance.
static double distance(const dc_profile_counts *a, double lanes_a, const dc_profile_counts *b,
                       double lanes_b) {
  double sum = 0;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin)
    sum += fabs((double)a->lanes[bin] / lanes_a - (double)b->lanes[bin] / lanes_b);
  return sum / 2;
}

static bool same_but_for_text(const dc_profile_loop *a, const dc_profile_loop *b) {
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->path, b->path) &&
         !strcmp(a->function, b->function) && a->number == b->number;
}

static const dc_profile_loop *find(const dc_profile *profile, const dc_profile_loop *like) {
  const dc_profile_loop *found = NULL;
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    if (same_but_for_text(profile->loops[k], like) &&
        (!found || profile->loops[k]->hash == like->hash))
      found = profile->loops[k];
  return found;
}

// Whether there was anything to say.
static bool print_difference(const dc_profile_loop *a, const dc_profile_loop *b) {
  dc_profile_figures x = dc_profile_figure(&a->counts), y = dc_profile_figure(&b->counts);
  if (x.lanes == 0 && y.lanes == 0)
    return false;
  double moved =
      x.lanes > 0 && y.lanes > 0 ? distance(&a->counts, x.lanes, &b->counts, y.lanes) : 1;
  if (moved < SAME && fabs(x.efficiency - y.efficiency) < SAME && a->hash == b->hash)
    return false;
  print_name(a);
  if (a->hash != b->hash)
    puts("  the function's text is another one");
  printf("  mean trips %.4g -> %.4g, efficiency %.1f%% -> %.1f%%, %.1f%% of the entries moved\n",
         x.mean, y.mean, 100 * x.efficiency, 100 * y.efficiency, 100 * moved);
  return true;
}

void profile_diff_text(const dc_profile *a, const dc_profile *b) {
  bool any = false;
  for (uint32_t k = 0; k < a->n_loops; ++k) {
    const dc_profile_loop *other = find(b, a->loops[k]);
    if (other) {
      any |= print_difference(a->loops[k], other);
    } else {
      print_name(a->loops[k]);
      puts("  in the first file alone");
      any = true;
    }
  }
  for (uint32_t k = 0; k < b->n_loops; ++k)
    if (!find(a, b->loops[k])) {
      print_name(b->loops[k]);
      puts("  in the second file alone");
      any = true;
    }
  if (!any)
    puts("no difference");
}
