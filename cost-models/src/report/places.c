// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  dc_placed_finding of;
  uint32_t place; // in `places`
  bool alone;     // it has no place
  double time_lost, lost;
} entry;

typedef struct collection {
  entry *entries;
  size_t n, capacity;
  dc_string_set places;
} collection;

// Share that the finding's loop loses of its kernel, or the kernel in all.
static double lost_by(const dc_unit_kernel *kernel, const dc_finding *finding) {
  const dc_estimate *worst = dc_worst_estimate(kernel);
  if (kernel->measured.launches)
    return 1 - kernel->measured.efficiency;
  if (!worst)
    return 0;
  return finding->loop != DC_NONE ? dc_loop_share(worst, finding->loop).low
                                  : 1 - worst->efficiency.low;
}

// To compare by, as kernels are ranked (dc_worst_first): time that isn't known is more than none.
static double time_lost_by(const dc_unit_kernel *kernel) {
  double lost = dc_time_lost(kernel);
  if (kernel->measured.launches)
    return INFINITY;
  return lost > 0 ? lost : lost < 0 ? 0 : -1;
}

static const dc_location *location_of(const dc_kernel *kernel, const dc_finding *finding) {
  return finding->location == DC_NONE ? NULL : &kernel->locations[finding->location];
}

uint32_t dc__place_of(dc_string_set *places, const dc_kernel *kernel, const dc_finding *finding) {
  const dc_location *at = location_of(kernel, finding);
  const char *file = at ? dc_kernel_text(kernel, at->file) : "";
  size_t size = strlen(file) + 80;
  char *text = malloc(size);
  bool added;
  if (!text)
    return UINT32_MAX;
  int length = snprintf(text, size, "%d %d %u %u %s", (int)finding->rule, (int)finding->suppressed,
                        at ? at->line : 0, at ? at->column : 0, file);
  uint32_t place = dc_string_set_add(places, text, (size_t)length, &added);
  free(text);
  return place;
}

static bool add(collection *to, const dc_unit_kernel *kernel, entry added) {
  const dc_finding *finding = &kernel->findings[added.of.finding];
  const dc_location *at = location_of(&kernel->kernel, finding);
  if (to->n == to->capacity) {
    size_t capacity = to->capacity ? 2 * to->capacity : 64;
    entry *grown = realloc(to->entries, capacity * sizeof *grown);
    if (!grown)
      return false;
    to->entries = grown;
    to->capacity = capacity;
  }
  added.alone = !at || !at->line || !*dc_kernel_text(&kernel->kernel, at->file);
  added.place = dc__place_of(&to->places, &kernel->kernel, finding);
  if (added.place == UINT32_MAX)
    return false;
  added.time_lost = time_lost_by(kernel);
  added.lost = lost_by(kernel, finding);
  to->entries[to->n++] = added;
  return true;
}

static dc_status collect(const dc_kernels *kernels, const dc_baseline *baseline, collection *to,
                         dc_error *error) {
  for (uint32_t k = 0; k < kernels->n_kernels; ++k) {
    const dc_unit_kernel *kernel;
    dc_status status = kernels->get(kernels->context, k, &kernel, error);
    if (status != DC_OK)
      return status;
    for (uint32_t f = 0; f < kernel->n_findings; ++f) {
      const dc_finding *finding = &kernel->findings[f];
      const char *state = baseline ? baseline->state(baseline->context, kernel, finding) : NULL;
      entry added = {.of = {.kernel = k,
                            .finding = f,
                            .instances = 1 + finding->others.count,
                            .is_new = state && !strcmp(state, "new"),
                            .suppressed = finding->suppressed,
                            .warns = dc_finding_warns(finding)}};
      if (!add(to, kernel, added))
        return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the places of findings");
    }
  }
  return DC_OK;
}

#define COMPARE(a, b)                                                                              \
  if ((a) != (b))                                                                                  \
  return (a) < (b) ? -1 : 1

static int compare_findings(const void *left, const void *right) {
  const dc_placed_finding *a = left, *b = right;
  COMPARE(a->kernel, b->kernel);
  COMPARE(a->finding, b->finding);
  return 0;
}

// By place, the worst first.
static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  COMPARE(a->place, b->place);
  COMPARE(b->time_lost, a->time_lost);
  COMPARE(b->lost, a->lost);
  return compare_findings(&a->of, &b->of);
}

static bool fold(const collection *from, dc_places *places) {
  places->findings = malloc((from->n + 1) * sizeof *places->findings);
  if (!places->findings)
    return false;
  for (size_t first = 0, end; first < from->n; first = end) {
    dc_placed_finding worst = from->entries[first].of;
    for (end = first + 1; end < from->n && !from->entries[first].alone &&
                          from->entries[first].place == from->entries[end].place;
         ++end) {
      worst.instances += from->entries[end].of.instances;
      worst.is_new |= from->entries[end].of.is_new;
    }
    places->findings[places->n_findings++] = worst;
  }
  qsort(places->findings, places->n_findings, sizeof *places->findings, compare_findings);
  return true;
}

dc_status dc__places_find(const dc_kernels *kernels, const dc_baseline *baseline, dc_places *places,
                          dc_error *error) {
  collection all = {0};
  *places = (dc_places){0};
  dc_status status = collect(kernels, baseline, &all, error);
  if (status == DC_OK && all.n)
    qsort(all.entries, all.n, sizeof *all.entries, compare_entries);
  if (status == DC_OK && !fold(&all, places))
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the places of findings");
  free(all.entries);
  dc_string_set_free(&all.places);
  return status;
}

void dc__places_free(dc_places *places) {
  free(places->findings);
  *places = (dc_places){0};
}
