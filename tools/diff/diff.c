// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost diff`: what got worse and better between two builds. Both are merged as `divcost report`
// does it; kernels are compared one at a time.
#include "command.h"
#include "compare/compare.h"
#include "diff/match.h"
#include "report/merge_inputs.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: divcost diff [--json] BEFORE AFTER\n"
    "\n"
    "Compares the reports of two builds, each a file, a folder or @LIST as for divcost report:\n"
    "kernels and loops that lose more or less than before, have other figures or another class,\n"
    "are new or gone. What got worse most comes first. Kernels are the same where their symbols\n"
    "and files are, loops where their ids are; less than 1% of a figure, and less than half a\n"
    "percentage point of a share, is no difference.\n"
    "\n"
    "  --json   prints the differences as JSON (docs/report.md)\n"
    "  --help   prints this\n"
    "\n"
    "Exit status: 0 done, whether there are differences or not, 1 a report can't be read, 2 wrong\n"
    "usage.\n";

// A pair that differs, or not, and where it belongs.
typedef struct ranked {
  match_pair pair;
  compare_state state;
  double worse;  // share of its issue cycles that is lost more
  double slower; // cycles, relative
} ranked;

typedef struct builds {
  report_stream streams[2];
  dc_kernels kernels[2];
  ranked *list;
  uint32_t count, of_state[COMPARE_GONE + 1], n_worse, n_better;
} builds;

static dc_status get(builds *all, unsigned side, uint32_t index, const dc_unit_kernel **kernel,
                     dc_error *error) {
  *kernel = NULL;
  const dc_kernels *of = &all->kernels[side];
  return index == DC_NONE ? DC_OK : of->get(of->context, index, kernel, error);
}

static dc_status compare_pair(builds *all, const match_pair *pair, comparison *out,
                              dc_error *error) {
  const dc_unit_kernel *before, *after;
  dc_status status = get(all, 0, pair->before, &before, error);
  if (status != DC_OK)
    return status;
  status = get(all, 1, pair->after, &after, error);
  if (status != DC_OK)
    return status;
  return compare_kernels(before, after, out)
             ? DC_OK
             : dc_fail(error, DC_ERROR_MEMORY, "out of memory for a comparison");
}

// ---- order -------------------------------------------------------------------------------------

static double slower(const comparison *of) {
  double before = of->figures[0].before.low, after = of->figures[0].after.low;
  return before > 0 && after >= 0 ? (after - before) / before : 0;
}

// What got worse first, most of all; then what got better; then by cycles, then as in the report.
static int compare_ranked(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->worse != b->worse)
    return a->worse > b->worse ? -1 : 1;
  if (a->slower != b->slower)
    return a->slower > b->slower ? -1 : 1;
  if (a->pair.after != b->pair.after)
    return a->pair.after < b->pair.after ? -1 : 1;
  return (a->pair.before > b->pair.before) - (a->pair.before < b->pair.before);
}

static void count_pair(builds *all, const match_pair *pair, const comparison *of) {
  double worse = comparison_worse(of);
  ++all->of_state[of->state];
  if (of->state == COMPARE_CHANGED) {
    all->n_worse += worse >= 0.005;
    all->n_better += worse <= -0.005;
  }
  if (of->state != COMPARE_SAME)
    all->list[all->count++] = (ranked){*pair, of->state, worse, slower(of)};
}

static dc_status rank_pairs(builds *all, const match_pair *pairs, uint32_t count, dc_error *error) {
  all->list = malloc(((size_t)count + 1) * sizeof *all->list);
  if (!all->list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the differences");
  for (uint32_t k = 0; k < count; ++k) {
    comparison of;
    dc_status status = compare_pair(all, &pairs[k], &of, error);
    if (status != DC_OK)
      return status;
    count_pair(all, &pairs[k], &of);
    comparison_free(&of);
  }
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, compare_ranked);
  return DC_OK;
}

static dc_status rank(builds *all, dc_error *error) {
  match_pair *pairs;
  uint32_t count;
  dc_status status = match_kernels(&all->kernels[0], &all->kernels[1], &pairs, &count, error);
  if (status != DC_OK)
    return status;
  status = rank_pairs(all, pairs, count, error);
  free(pairs);
  return status;
}

// ---- printing ----------------------------------------------------------------------------------

static void print_counts(const builds *all) {
  const uint32_t *of = all->of_state;
  uint32_t other = of[COMPARE_CHANGED] - all->n_worse - all->n_better;
  if (all->count == 0) {
    printf("no difference (kernels: %u)\n", of[COMPARE_SAME]);
    return;
  }
  printf("kernels: %u lose more, %u less, %u differ otherwise, %u new, %u gone, %u the same\n",
         all->n_worse, all->n_better, other, of[COMPARE_NEW], of[COMPARE_GONE], of[COMPARE_SAME]);
}

static int print_text(builds *all) {
  static const compare_words words = {"before", "after", NULL};
  print_counts(all);
  for (uint32_t k = 0; k < all->count; ++k) {
    dc_error error;
    comparison of;
    if (compare_pair(all, &all->list[k].pair, &of, &error) != DC_OK)
      return command_fail(NULL, error.text);
    compare_print(&of, &words, stdout);
    comparison_free(&of);
  }
  return 0;
}

static int print_json(builds *all) {
  printf("{\"divcost-diff\": 1, \"same\": %u, \"kernels\": [", all->of_state[COMPARE_SAME]);
  for (uint32_t k = 0; k < all->count; ++k) {
    dc_error error;
    comparison of;
    if (compare_pair(all, &all->list[k].pair, &of, &error) != DC_OK)
      return command_fail(NULL, error.text);
    json_t *kernel = compare_json(&of);
    comparison_free(&of);
    fputs(k ? ",\n" : "\n", stdout);
    bool good = kernel && (json_dumpf(kernel, stdout, JSON_REAL_PRECISION(9)) == 0 ||
                           command_output_failed());
    json_decref(kernel);
    if (!good)
      return command_fail(NULL, "out of memory for a difference");
  }
  puts("\n]}");
  return 0;
}

// ---- the command -------------------------------------------------------------------------------

static int compare_builds(char *const *names, bool json) {
  dc_error error;
  builds all = {.count = 0};
  int status = report_merge_inputs(1, &names[0], &all.streams[0], &all.kernels[0]);
  if (status == 0) {
    status = report_merge_inputs(1, &names[1], &all.streams[1], &all.kernels[1]);
    if (status == 0 && rank(&all, &error) != DC_OK)
      status = command_fail(NULL, error.text);
    if (status == 0)
      status = json ? print_json(&all) : print_text(&all);
    report_stream_end(&all.streams[1]);
  }
  report_stream_end(&all.streams[0]);
  free(all.list);
  return status;
}

int command_diff(int count, char **arguments) {
  bool json = false;
  int names = 0;
  for (int k = 0; k < count; ++k) {
    if (strcmp(arguments[k], "--help") == 0)
      return command_print(help);
    if (strcmp(arguments[k], "--json") == 0)
      json = true;
    else if (arguments[k][0] == '-')
      return command_unknown_option(arguments[k]);
    else
      arguments[names++] = arguments[k];
  }
  if (names != 2)
    return command_misuse("diff needs two reports, before and after", "");
  return compare_builds(arguments, json);
}
