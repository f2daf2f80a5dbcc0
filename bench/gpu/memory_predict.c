// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts the loops with random trip counts that gpu-memory measured, from the cost of an
// iteration by active lanes that it measured too.
#include <stdio.h>
#include <string.h>

#include "memory_costs.h"

static const char help[] =
    "usage: memory-predict [--costs] FILE\n"
    "Reads memory.tsv as gpu-memory wrote it and prints, tab-separated, the measured and the\n"
    "predicted cycles of each loop with random trip counts: by the cost of an iteration for each\n"
    "number of active lanes (table), by the line through it (line), by the drawn counts instead "
    "of\n"
    "the law (drawn), and as if lanes that leave saved nothing (constant); exits are the "
    "divergent\n"
    "exits, which the predictions leave out. --costs prints the cost of an iteration instead.\n";

typedef struct analysis {
  walk_times times;
  walk_law laws[WALK_LAWS];
} analysis;

static void print_place(const walk_place *place) {
  printf("%s\t%d\t%d\t%d\t%u", walk_levels[place->level].name, place->loads, place->sectors,
         place->spacing, place->warps);
}

static void print_costs(const walk_place *place, const walk_cost *cost) {
  for (unsigned a = 1; a <= WALK_LANES; ++a) {
    print_place(place);
    printf("\t%u\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", a, cost->table[a - 1],
           cost->base + cost->per_lane * a, cost->base, cost->per_lane, cost->entry);
  }
}

static dc_status print_predictions(const analysis *all, const walk_place *place,
                                   const walk_cost *cost, dc_error *error) {
  dc_status status = DC_OK;
  for (int l = 0; status == DC_OK && l < WALK_LAWS; ++l) {
    const walk_time *measured = walk_times_find(&all->times, place, 0, l, 1);
    walk_prediction by;
    if (!measured)
      return dc_fail(error, DC_ERROR_ARGUMENT, "no time of %s for %s, %d loads, %d sectors",
                     walk_laws[l], walk_levels[place->level].name, place->loads, place->sectors);
    status = walk_predict(cost, &all->laws[l], &by, error);
    if (status != DC_OK)
      return status;
    print_place(place);
    printf("\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", walk_laws[l], measured->cycles, by.table,
           by.line, by.drawn, by.constant, all->laws[l].exits);
  }
  return status;
}

static dc_status print_all(const analysis *all, bool costs, dc_error *error) {
  printf("# %s\nlevel\tloads\tsectors\tspacing\twarps\t%s\n", all->times.origin,
         costs ? "active\tcycles\tline\tbase\tper_lane\tentry"
               : "law\tmeasured\ttable\tline\tdrawn\tconstant\texits");
  dc_status status = DC_OK;
  for (unsigned i = 0; status == DC_OK && i < all->times.count; ++i) {
    const walk_time *item = &all->times.items[i];
    if (item->active != WALK_LANES || item->times != WALK_SHORT)
      continue; // once for each place
    walk_cost cost;
    status = walk_cost_of(&all->times, &item->place, &cost, error);
    if (status == DC_OK && costs)
      print_costs(&item->place, &cost);
    else if (status == DC_OK)
      status = print_predictions(all, &item->place, &cost, error);
  }
  return status;
}

static dc_status analyse(const char *path, bool costs, dc_error *error) {
  analysis all = {0};
  dc_status status = walk_times_read(path, &all.times, error);
  for (int l = 0; status == DC_OK && l < WALK_LAWS; ++l)
    status = walk_law_open(l, &all.laws[l], error);
  if (status == DC_OK)
    status = print_all(&all, costs, error);
  for (int l = 0; l < WALK_LAWS; ++l)
    walk_law_close(&all.laws[l]);
  walk_times_free(&all.times);
  return status;
}

int main(int count, char **arguments) {
  bool costs = count == 3 && strcmp(arguments[1], "--costs") == 0;
  bool asked = count == 2 && strcmp(arguments[1], "--help") == 0;
  if (asked || (count != 2 && !costs)) {
    fputs(help, asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  dc_error error;
  dc_status status = analyse(arguments[count - 1], costs, &error);
  if (status != DC_OK)
    fprintf(stderr, "memory-predict: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
