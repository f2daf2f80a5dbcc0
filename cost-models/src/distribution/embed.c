// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of laws with their histograms read. The copy takes its memory as the parser does: laws,
// points and names in three regions, whose sizes a first walk finds.
#include "distribution/distribution_internal.h"
#include "divcost/histogram.h"

#include <stdlib.h>
#include <string.h>

typedef struct regions {
  size_t laws, points, names;
} regions;

static dc_status count_points(const dc_law *law, const dc_distribution_options *options,
                              size_t *count, dc_error *error) {
  *count = law->count;
  if (law->kind != DC_LAW_HISTOGRAM || law->count > 0)
    return DC_OK;
  if (!options || !options->read_histogram)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") cannot be used here: nothing was given to read it with",
                   law->name);
  dc_status status = options->read_histogram(options->context, law->name, NULL, 0, count, error);
  return status;
}

static dc_status measure(const dc_law *law, const dc_distribution_options *options, regions *r,
                         dc_error *error) {
  size_t count;
  dc_status status = count_points(law, options, &count, error);
  if (status == DC_OK && count > DC_POINTS_MAX)
    status =
        dc_fail(error, DC_ERROR_LIMIT, "the histogram has more than %zu values", DC_POINTS_MAX);
  if (status != DC_OK)
    return dc__at_law(law, status, error);
  r->laws += 1;
  r->points += count;
  r->names += law->kind == DC_LAW_HISTOGRAM ? strlen(law->name) + 1 : 0;
  for (const dc_law *part = law->parts; part && status == DC_OK; part = part->next)
    status = measure(part, options, r, error);
  return status;
}

typedef struct copier {
  const dc_distribution_options *options;
  dc_law *laws; // next free one of each region
  dc_point *points, *points_end;
  char *names;
  dc_error *error;
} copier;

static dc_status copy_points(copier *c, const dc_law *law, dc_law *copy) {
  size_t capacity = (size_t)(c->points_end - c->points), count = law->count;
  dc_status status = DC_OK;
  if (count > 0)
    memcpy(c->points, law->points, count * sizeof *c->points);
  else
    status = c->options->read_histogram(c->options->context, law->name, c->points, capacity, &count,
                                        c->error);
  if (status == DC_OK && count > capacity)
    status = dc_fail(c->error, DC_ERROR_ARGUMENT,
                     "histogram(\"%.150s\") grew while it was read; try again", law->name);
  if (status == DC_OK)
    status = dc__points_check("the histogram", c->points, count, c->error);
  copy->points = c->points;
  copy->count = count;
  c->points += count;
  return dc__at_law(law, status, c->error);
}

static dc_status copy_law(copier *c, const dc_law *law, dc_law **out) {
  dc_law *copy = c->laws++;
  *out = copy;
  *copy = *law;
  copy->parts = copy->next = NULL;
  if (law->kind == DC_LAW_HISTOGRAM) {
    copy->name = c->names;
    c->names = (char *)memcpy(c->names, law->name, strlen(law->name) + 1) + strlen(law->name) + 1;
  }
  dc_status status = DC_OK;
  if (law->kind == DC_LAW_HISTOGRAM || law->kind == DC_LAW_LIST)
    status = copy_points(c, law, copy);
  dc_law *last = NULL;
  for (const dc_law *part = law->parts; part && status == DC_OK; part = part->next) {
    dc_law *copied;
    status = copy_law(c, part, &copied);
    if (last)
      last->next = copied;
    else
      copy->parts = copied;
    last = copied;
  }
  return status;
}

dc_status dc_law_embed(const dc_law *law, const dc_distribution_options *options, dc_law **copy,
                       dc_error *error) {
  regions r = {0};
  *copy = NULL;
  dc_status status = dc_law_check(law, error);
  if (status == DC_OK)
    status = measure(law, options, &r, error);
  if (status != DC_OK)
    return status;
  dc_law *laws = malloc(r.laws * sizeof(dc_law) + r.points * sizeof(dc_point) + r.names), *root;
  if (!laws)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a histogram");
  dc_point *points = (dc_point *)(laws + r.laws);
  copier c = {options, laws, points, points + r.points, (char *)(points + r.points), error};
  status = copy_law(&c, law, &root);
  if (status == DC_OK)
    *copy = root; // the first one
  else
    free(laws);
  return status;
}
