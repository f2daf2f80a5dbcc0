// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of distributions with their histograms read. The copy takes its memory as the parser does:
// distributions, points and names in three regions, whose sizes a first walk finds.
#include "distribution/distribution_internal.h"
#include "divcost/histogram.h"

#include <stdlib.h>
#include <string.h>

typedef struct regions {
  size_t specs, points, names;
} regions;

static dc_status count_points(const dc_distribution_spec *spec,
                              const dc_distribution_options *options, size_t *count,
                              dc_error *error) {
  *count = spec->count;
  if (spec->kind != DC_DISTRIBUTION_HISTOGRAM || spec->count > 0)
    return DC_OK;
  if (!options || !options->read_histogram)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "histogram(\"%.150s\") cannot be used here: nothing was given to read it with",
                   spec->name);
  dc_status status = options->read_histogram(options->context, spec->name, NULL, 0, count, error);
  return status;
}

static dc_status measure(const dc_distribution_spec *spec, const dc_distribution_options *options,
                         regions *r, dc_error *error) {
  size_t count;
  dc_status status = count_points(spec, options, &count, error);
  if (status == DC_OK && count > DC_POINTS_MAX)
    status =
        dc_fail(error, DC_ERROR_LIMIT, "the histogram has more than %zu values", DC_POINTS_MAX);
  if (status != DC_OK)
    return dc__at_distribution(spec, status, error);
  r->specs += 1;
  r->points += count;
  r->names += spec->kind == DC_DISTRIBUTION_HISTOGRAM ? strlen(spec->name) + 1 : 0;
  for (const dc_distribution_spec *part = spec->parts; part && status == DC_OK; part = part->next)
    status = measure(part, options, r, error);
  return status;
}

typedef struct copier {
  const dc_distribution_options *options;
  dc_distribution_spec *specs; // next free one of each region
  dc_point *points, *points_end;
  char *names;
  dc_error *error;
} copier;

static dc_status copy_points(copier *c, const dc_distribution_spec *spec,
                             dc_distribution_spec *copy) {
  size_t capacity = (size_t)(c->points_end - c->points), count = spec->count;
  dc_status status = DC_OK;
  if (count > 0)
    memcpy(c->points, spec->points, count * sizeof *c->points);
  else
    status = c->options->read_histogram(c->options->context, spec->name, c->points, capacity,
                                        &count, c->error);
  if (status == DC_OK && count > capacity)
    status = dc_fail(c->error, DC_ERROR_ARGUMENT,
                     "histogram(\"%.150s\") grew while it was read; try again", spec->name);
  if (status == DC_OK)
    status = dc__points_check("the histogram", c->points, count, c->error);
  copy->points = c->points;
  copy->count = count;
  c->points += count;
  return dc__at_distribution(spec, status, c->error);
}

static dc_status copy_distribution(copier *c, const dc_distribution_spec *spec,
                                   dc_distribution_spec **out) {
  dc_distribution_spec *copy = c->specs++;
  *out = copy;
  *copy = *spec;
  copy->parts = copy->next = NULL;
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM) {
    copy->name = c->names;
    c->names =
        (char *)memcpy(c->names, spec->name, strlen(spec->name) + 1) + strlen(spec->name) + 1;
  }
  dc_status status = DC_OK;
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM || spec->kind == DC_DISTRIBUTION_LIST)
    status = copy_points(c, spec, copy);
  dc_distribution_spec *last = NULL;
  for (const dc_distribution_spec *part = spec->parts; part && status == DC_OK; part = part->next) {
    dc_distribution_spec *copied;
    status = copy_distribution(c, part, &copied);
    if (last)
      last->next = copied;
    else
      copy->parts = copied;
    last = copied;
  }
  return status;
}

dc_status dc_distribution_embed(const dc_distribution_spec *spec,
                                const dc_distribution_options *options, dc_distribution_spec **copy,
                                dc_error *error) {
  regions r = {0};
  *copy = NULL;
  dc_status status = dc_distribution_spec_check(spec, error);
  if (status == DC_OK)
    status = measure(spec, options, &r, error);
  if (status != DC_OK)
    return status;
  size_t bytes = r.specs * sizeof(dc_distribution_spec) + r.points * sizeof(dc_point) + r.names;
  dc_distribution_spec *specs = bytes ? malloc(bytes) : NULL, *root;
  if (!specs)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a histogram");
  dc_point *points = (dc_point *)(specs + r.specs);
  copier c = {options, specs, points, points + r.points, (char *)(points + r.points), error};
  status = copy_distribution(&c, spec, &root);
  if (status == DC_OK)
    *copy = root; // the first one
  else
    free(specs);
  return status;
}
