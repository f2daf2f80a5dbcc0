// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel's warps wait for and what its accesses take, for people.
#include "profile/measured_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN 0.05 // share of the samples, or of what a kernel takes
enum { WAITS_MAX = 3, LINES_MAX = 5 };

// How much of a use an order goes by.
typedef double measure(const dc_instruction_use *use);

static double excess(const dc_instruction_use *use, dc_traffic_kind kind) {
  return fmax(0, use->traffic[kind].taken - use->traffic[kind].ideal);
}

static double excess_global(const dc_instruction_use *use) {
  return excess(use, DC_TRAFFIC_GLOBAL);
}

static double excess_shared(const dc_instruction_use *use) {
  return excess(use, DC_TRAFFIC_SHARED);
}

double excess_share(const dc_measured_kernel *kernel, dc_traffic_kind kind) {
  double sum = 0, all = 0;
  for (uint32_t u = 0; u < kernel->n_uses; ++u) {
    sum += excess(&kernel->uses[u].use, kind);
    all += kernel->uses[u].use.traffic[kind].taken;
  }
  return per(sum, all);
}

dc_wait main_wait(const dc_instruction_use *use) {
  dc_wait ranked[DC_WAIT_COUNT - 1];
  dc_waits_rank(use->samples, ranked);
  return use->samples[ranked[0]] > 0 ? ranked[0] : DC_WAIT_SELECTED;
}

// What is known of a line, by whatever calls its code was inlined.
typedef struct line_use {
  uint32_t line; // DC_SITE_NONE: of no line
  double weight;
  dc_instruction_use use;
} line_use;

static int by_line(const void *x, const void *y) {
  const line_use *a = x, *b = y;
  return a->line < b->line ? -1 : a->line > b->line;
}

static int by_weight(const void *x, const void *y) {
  const line_use *a = x, *b = y;
  return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : by_line(x, y);
}

// The lines of a kernel, those with the most first; NULL: out of memory.
static line_use *rank_lines(const dc_measured_kernel *kernel, measure *of, uint32_t *n) {
  line_use *list = malloc(((size_t)kernel->n_uses + 1) * sizeof *list);
  *n = 0;
  if (!list)
    return NULL;
  for (uint32_t u = 0; u < kernel->n_uses; ++u)
    list[u] = (line_use){.line = dc_measured_own_line(kernel, &kernel->uses[u]),
                         .use = kernel->uses[u].use};
  qsort(list, kernel->n_uses, sizeof *list, by_line);
  for (uint32_t u = 0; u < kernel->n_uses; ++u)
    if (*n && list[*n - 1].line == list[u].line)
      dc_instruction_use_add(&list[*n - 1].use, &list[u].use);
    else
      list[(*n)++] = list[u];
  for (uint32_t k = 0; k < *n; ++k)
    list[k].weight = of(&list[k].use);
  qsort(list, *n, sizeof *list, by_weight);
  return list;
}

// Of the lines, those with the most, each with what `describe` says. False: out of memory.
static bool print_worst(const dc_measured *measured, const dc_measured_kernel *kernel, measure *of,
                        double all, void (*describe)(const dc_instruction_use *use)) {
  uint32_t n;
  line_use *list = rank_lines(kernel, of, &n);
  for (uint32_t k = 0; list && k < n && k < LINES_MAX && list[k].weight >= SHOWN * all; ++k) {
    printf("  %5.1f%%  ", 100 * list[k].weight / all);
    if (list[k].line == DC_SITE_NONE)
      puts("in code that the source page doesn't list");
    else
      print_line(&measured->lines[list[k].line]);
    describe(&list[k].use);
  }
  free(list);
  return list;
}

static void describe_waits(const dc_instruction_use *use) {
  dc_wait wait = main_wait(use);
  if (wait == DC_WAIT_SELECTED)
    return;
  printf("         %.0f%% of these wait for %s (%s)\n",
         100 * use->samples[wait] / dc_instruction_samples(use), dc_wait_words(wait),
         dc_wait_name(wait));
}

static bool print_waits(const dc_measured *measured, const dc_measured_kernel *kernel,
                        const dc_instruction_use *sum) {
  dc_wait order[DC_WAIT_COUNT - 1];
  double all = dc_instruction_samples(sum);
  if (all <= 0)
    return true;
  dc_waits_rank(sum->samples, order);
  bool waits = sum->samples[order[0]] >= SHOWN * all;
  printf("  %.0f samples of its warps, of which %.1f%% issue%s\n", all,
         100 * sum->samples[DC_WAIT_SELECTED] / all, waits ? "; the others wait most for" : "");
  for (uint32_t k = 0; k < WAITS_MAX && sum->samples[order[k]] >= SHOWN * all; ++k)
    printf("  %5.1f%%  %s (%s)\n", 100 * sum->samples[order[k]] / all, dc_wait_words(order[k]),
           dc_wait_name(order[k]));
  puts("  and stand most at");
  return print_worst(measured, kernel, dc_instruction_samples, all, describe_waits);
}

static void describe_traffic(const dc_traffic *traffic, const char *unit) {
  if (traffic->warps > 0)
    printf("         %.1f %s for each access of a warp, where %.1f would do\n",
           traffic->taken / traffic->warps, unit, traffic->ideal / traffic->warps);
}

static void describe_global(const dc_instruction_use *use) {
  describe_traffic(&use->traffic[DC_TRAFFIC_GLOBAL], "sectors");
}

static void describe_shared(const dc_instruction_use *use) {
  describe_traffic(&use->traffic[DC_TRAFFIC_SHARED], "wavefronts");
}

static bool print_traffic(const dc_measured *measured, const dc_measured_kernel *kernel,
                          dc_traffic_kind kind, const dc_traffic *sum) {
  static const struct {
    const char *words;
    measure *excess;
    void (*describe)(const dc_instruction_use *use);
  } kinds[] = {
      [DC_TRAFFIC_GLOBAL] = {"sectors of global memory", excess_global, describe_global},
      [DC_TRAFFIC_SHARED] = {"wavefronts of shared memory", excess_shared, describe_shared}};
  double share = excess_share(kernel, kind);
  if (share < SHOWN)
    return true;
  printf("  %.0f %s, of which %.1f%% weren't needed\n", sum->taken, kinds[kind].words, 100 * share);
  return print_worst(measured, kernel, kinds[kind].excess, sum->taken, kinds[kind].describe);
}

bool print_uses(const dc_measured *measured, const dc_measured_kernel *kernel) {
  dc_instruction_use sum = dc_measured_use(kernel);
  bool good = print_waits(measured, kernel, &sum);
  for (int kind = 0; good && kind < DC_TRAFFIC_COUNT; ++kind)
    good = print_traffic(measured, kernel, (dc_traffic_kind)kind, &sum.traffic[kind]);
  return good;
}
