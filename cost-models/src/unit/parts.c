// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const by_names[] = {"profiler", "recorder"};

const char *dc_measured_by_name(dc_measured_by by) {
  return by == DC_MEASURED_RECORDER ? by_names[1] : by_names[0];
}

int dc_measured_by_parse(const char *name) {
  for (int k = 0; k < 2; ++k)
    if (!strcmp(name, by_names[k]))
      return k;
  return -1;
}

void dc_unit_measured_free(dc_unit_measured *measured) {
  free(measured->parts);
  free(measured->accesses);
  *measured = (dc_unit_measured){0};
}

static int worst_first(const void *x, const void *y) {
  const dc_measured_part *a = x, *b = y;
  if (a->share != b->share)
    return a->share > b->share ? -1 : 1;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  if (a->branch != b->branch)
    return a->branch < b->branch ? -1 : 1;
  return a->location < b->location ? -1 : a->location > b->location;
}

void dc__sort_parts(dc_unit_measured *measured) {
  qsort(measured->parts, measured->n_parts, sizeof *measured->parts, worst_first);
}

static int worst_access_first(const void *x, const void *y) {
  const dc_measured_access *a = x, *b = y;
  if (a->share != b->share)
    return a->share > b->share ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return a->location < b->location ? -1 : a->location > b->location;
}

void dc__sort_accesses(dc_unit_measured *measured) {
  qsort(measured->accesses, measured->n_accesses, sizeof *measured->accesses, worst_access_first);
}
