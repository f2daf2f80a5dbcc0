// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions as users write them, whose histograms are files. The only part of distributions
// that touches files and allocates.
#include "divcost/files.h"
#include "divcost/histogram.h"
#include "divcost/input.h"
#include "divcost/path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
}

dc_status dc_histogram_read_file(void *context, const char *name, dc_point *points, size_t capacity,
                                 size_t *count, dc_error *error) {
  char *path = dc_path_join(context, name);
  if (!path)
    return no_memory(error);
  size_t length = 0;
  char *text;
  dc_error inner = {0};
  dc_status status = dc_input_read(path, DC_INPUT_TEXT_MOST, &text, &length, &inner);
  if (status != DC_OK)
    dc_fail(error, status, "cannot read the histogram '%.150s': %s", path, inner.text);
  else if ((status = dc_histogram_parse(text, length, points, capacity, count, &inner)) != DC_OK)
    dc_fail(error, status, "histogram '%.100s': %s", path, inner.text); // without the offset
  free(text);
  free(path);
  return status;
}

// Whether any histogram has yet to be read.
static bool names_files(const dc_distribution_spec *spec) {
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM && spec->count == 0)
    return true;
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next)
    if (names_files(part))
      return true;
  return false;
}

static dc_status check_build(const dc_distribution_spec *spec, dc_error *error) {
  dc_distribution distribution;
  dc_status status = dc_distribution_build(spec, NULL, &distribution, error);
  dc_distribution_free(&distribution);
  return status;
}

static char *printed(const dc_distribution_spec *spec) {
  size_t size = dc_distribution_print(spec, NULL, 0) + 1;
  char *text = malloc(size);
  if (text)
    dc_distribution_print(spec, text, size);
  return text;
}

static dc_status embed(const dc_distribution_spec *spec, const char *folder, char **out,
                       dc_error *error) {
  char *context = dc_path_join(NULL, folder ? folder : ""); // the reader's context isn't const
  dc_distribution_options options = {DC_CUT_DEFAULT, dc_histogram_read_file, context};
  dc_distribution_spec *copy = NULL;
  dc_status status =
      context ? dc_distribution_embed(spec, &options, &copy, error) : no_memory(error);
  if (status == DC_OK)
    status = check_build(copy, error);
  if (status == DC_OK && !(*out = printed(copy)))
    status = no_memory(error);
  dc_distribution_spec_free(copy);
  free(context);
  return status;
}

dc_status dc_distribution_text(const char *text, const char *folder, char **out, dc_error *error) {
  dc_distribution_spec *spec;
  if (error)
    error->offset = 0;
  dc_status status = dc_distribution_parse(text, &spec, error);
  if (status != DC_OK)
    return status;
  if (names_files(spec)) {
    status = embed(spec, folder, out, error);
  } else {
    status = check_build(spec, error);
    if (status == DC_OK && !(*out = dc_path_join(NULL, text)))
      status = no_memory(error);
  }
  dc_distribution_spec_free(spec);
  return status;
}
