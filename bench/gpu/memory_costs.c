// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_costs.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/cost.h"
#include "divcost/imbalance.h"
#include "divcost/reconvergence.h"

#include "fields.h"

// --- reading -------------------------------------------------------------------------------------

// The columns of a line, as gpu-memory writes them.
enum { LEVEL, LOADS, SECTORS, SPACING, WARPS, ACTIVE, LAW, TIMES, ITEMS, CYCLES };
enum { COLUMNS = 13 };

static bool at_least(int least, const char *text, int *value) {
  return field_int(text, value) && *value >= least;
}

static bool parse_line(char *line, walk_time *item) {
  char *columns[COLUMNS];
  int warps, items;
  if (!fields_split(line, columns, COLUMNS))
    return false;
  walk_place *at = &item->place;
  at->level = walk_level_find(columns[LEVEL]);
  item->law = walk_law_find(columns[LAW]);
  if (!at_least(1, columns[LOADS], &at->loads) || !at_least(1, columns[SECTORS], &at->sectors) ||
      !at_least(1, columns[SPACING], &at->spacing) || !at_least(1, columns[WARPS], &warps) ||
      !field_unsigned(columns[ACTIVE], &item->active) ||
      !at_least(1, columns[TIMES], &item->times) || !at_least(1, columns[ITEMS], &items) ||
      !field_double(columns[CYCLES], &item->cycles))
    return false;
  at->warps = (unsigned)warps;
  item->cycles /= items;
  return at->level >= 0 && item->active <= WALK_LANES && (item->active == 0) == (item->law >= 0);
}

static dc_status append(walk_times *all, const walk_time *item, dc_error *error) {
  if ((all->count & (all->count - 1)) == 0) {
    walk_time *items = realloc(all->items, (all->count ? 2 * all->count : 1) * sizeof *items);
    if (!items)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
    all->items = items;
  }
  all->items[all->count++] = *item;
  return DC_OK;
}

static dc_status read_lines(FILE *file, const char *path, walk_times *all, dc_error *error) {
  char line[640];
  unsigned count = 0;
  dc_status status = DC_OK;
  while (status == DC_OK && fgets(line, sizeof line, file)) {
    walk_time item;
    ++count;
    if (count == 1 && strncmp(line, "# ", 2) == 0)
      snprintf(all->origin, sizeof all->origin, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
    else if (line[0] == '#' || strncmp(line, "level\t", 6) == 0)
      continue;
    else if (parse_line(line, &item))
      status = append(all, &item, error);
    else // parsing has cut the line
      status = dc_fail(error, DC_ERROR_SYNTAX, "%s, line %u is not a measurement", path, count);
  }
  if (status == DC_OK && ferror(file))
    status = dc_fail(error, DC_ERROR_FILE, "cannot read '%s'", path);
  return status;
}

dc_status walk_times_read(const char *path, walk_times *all, dc_error *error) {
  memset(all, 0, sizeof *all);
  FILE *file = fopen(path, "r");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%s': %s", path, strerror(errno));
  dc_status status = read_lines(file, path, all, error);
  fclose(file);
  if (status != DC_OK)
    walk_times_free(all);
  return status;
}

void walk_times_free(walk_times *all) {
  free(all->items);
  memset(all, 0, sizeof *all);
}

static bool same_place(const walk_place *a, const walk_place *b) {
  return a->level == b->level && a->loads == b->loads && a->sectors == b->sectors &&
         a->spacing == b->spacing && a->warps == b->warps;
}

const walk_time *walk_times_find(const walk_times *all, const walk_place *place, unsigned active,
                                 int law, int times) {
  for (unsigned i = 0; i < all->count; ++i) {
    const walk_time *item = &all->items[i];
    if (item->active == active && item->law == law && item->times == times &&
        same_place(&item->place, place))
      return item;
  }
  return NULL;
}

// --- the cost of an iteration --------------------------------------------------------------------

static void fit_line(walk_cost *cost) {
  double mean = (WALK_LANES + 1) / 2.0, sum = 0, product = 0, squares = 0;
  for (unsigned a = 1; a <= WALK_LANES; ++a) {
    sum += cost->table[a - 1];
    product += (a - mean) * cost->table[a - 1];
    squares += (a - mean) * (a - mean);
  }
  cost->per_lane = product / squares;
  cost->base = sum / WALK_LANES - cost->per_lane * mean;
  cost->worst = 0;
  for (unsigned a = 1; a <= WALK_LANES; ++a) {
    double at = cost->table[a - 1];
    cost->worst = fmax(cost->worst, fabs(cost->base + cost->per_lane * a - at) / at);
  }
}

dc_status walk_cost_of(const walk_times *all, const walk_place *place, walk_cost *cost,
                       dc_error *error) {
  for (unsigned a = 1; a <= WALK_LANES; ++a) {
    const walk_time *few = walk_times_find(all, place, a, -1, WALK_SHORT);
    const walk_time *many = walk_times_find(all, place, a, -1, WALK_LONG);
    if (!few || !many)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "no time of %u active lanes for %s, %d loads, %d sectors, %u warps", a,
                     walk_levels[place->level].name, place->loads, place->sectors, place->warps);
    cost->table[a - 1] = (many->cycles - few->cycles) / (WALK_LONG - WALK_SHORT);
    cost->entry = few->cycles - WALK_SHORT * cost->table[a - 1];
  }
  fit_line(cost);
  return DC_OK;
}

// --- loops with random trip counts ---------------------------------------------------------------

static void count_iterations(const uint16_t *trips, double iterations[WALK_LANES]) {
  memset(iterations, 0, WALK_LANES * sizeof *iterations);
  for (size_t row = 0; row < WALK_TRIPS; ++row) {
    const uint16_t *counts = trips + row * WALK_LANES;
    unsigned active = WALK_LANES, done = 0;
    while (active > 0) { // from one count that occurs to the next
      unsigned next = UINT16_MAX;
      active = 0;
      for (unsigned lane = 0; lane < WALK_LANES; ++lane)
        if (counts[lane] > done) {
          ++active;
          next = counts[lane] < next ? counts[lane] : next;
        }
      if (active > 0)
        iterations[active - 1] += (double)(next - done) / WALK_TRIPS;
      done = next;
    }
  }
}

static dc_status draw_and_count(const dc_distribution *distribution, double iterations[WALK_LANES],
                                dc_error *error) {
  uint16_t *trips = malloc((size_t)WALK_TRIPS * WALK_LANES * sizeof *trips);
  if (!trips)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = walk_draw(distribution, trips, error);
  if (status == DC_OK)
    count_iterations(trips, iterations);
  free(trips);
  return status;
}

dc_status walk_law_open(int law, walk_law *result, dc_error *error) {
  dc_reconvergence parted = {0};
  dc_distribution *distribution = &result->distribution;
  dc_status status = walk_distribution(walk_laws[law], distribution, error);
  if (status == DC_OK)
    status = draw_and_count(distribution, result->iterations, error);
  if (status == DC_OK)
    status = dc_expected_maximum(distribution, WALK_LANES, &result->longest, error);
  if (status == DC_OK)
    status = dc_single_loop(distribution, WALK_LANES, &parted, error);
  result->exits = parted.divergent_exits;
  if (status != DC_OK)
    walk_law_close(result);
  return status;
}

void walk_law_close(walk_law *law) { dc_distribution_free(&law->distribution); }

dc_status walk_predict(const walk_cost *cost, const walk_law *law, walk_prediction *result,
                       dc_error *error) {
  dc_iteration_cost listed = {.table = cost->table, .count = WALK_LANES};
  dc_cost_loss by_table;
  dc_status status = dc_cost_imbalance(&law->distribution, WALK_LANES, &listed, &by_table, error);
  if (status != DC_OK)
    return status;
  result->table = cost->entry + by_table.cycles;
  // As dc_cost_imbalance says it, which wouldn't take a line that is negative somewhere.
  result->line = cost->entry + cost->base * law->longest +
                 cost->per_lane * WALK_LANES * dc_distribution_mean(&law->distribution);
  result->constant = cost->entry + law->longest * cost->table[WALK_LANES - 1];
  result->drawn = cost->entry;
  for (unsigned a = 0; a < WALK_LANES; ++a)
    result->drawn += law->iterations[a] * cost->table[a];
  return DC_OK;
}
