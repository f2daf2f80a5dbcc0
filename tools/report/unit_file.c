// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a report: the skeletons are kept, the figures are made anew.
#define _POSIX_C_SOURCE 200809L

#include "report/unit_file.h"

#include "command.h"
#include "divcost/files.h"
#include "divcost/input.h"
#include "report/object_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int estimate_all(const char *path, dc_unit *unit) {
  dc_status status = DC_OK;
  dc_error error;
  for (uint32_t k = 0; k < unit->n_kernels && status == DC_OK; ++k) {
    status = dc_unit_estimate_again(&unit->kernels[k], unit->archs, unit->n_archs, &error);
    if (status != DC_OK) {
      char where[400];
      snprintf(where, sizeof where, "%s: kernel %s", path,
               dc_kernel_text(&unit->kernels[k].kernel, unit->kernels[k].kernel.name));
      command_fail(where, error.text);
    }
  }
  return status == DC_OK ? 0 : FAILURE;
}

// Merges a report that is embedded in an object file into the unit.
static int take_embedded(void *context, const char *where, const char *json, size_t length) {
  dc_unit *all = context, unit;
  dc_error error;
  FILE *stream = length ? fmemopen((void *)json, length, "r") : NULL;
  if (!stream)
    return command_fail(where, length ? strerror(errno) : "the report is empty");
  dc_status status = dc_unit_read_json(stream, &unit, &error);
  fclose(stream);
  if (status == DC_OK)
    status = dc_unit_merge(all, &unit, &error);
  dc_unit_free(&unit);
  return status == DC_OK ? 0 : command_fail(where, error.text);
}

// The unit of a file, without new figures.
static int read_stream(const char *path, FILE *stream, dc_unit *unit) {
  if (object_file_is(fileno(stream)))
    return object_file_read(path, fileno(stream), take_embedded, unit);
  dc_error error;
  return dc_unit_read_json(stream, unit, &error) == DC_OK ? 0 : command_fail(path, error.text);
}

int report_read_unit(const char *path, dc_unit *unit) {
  *unit = (dc_unit){0};
  dc_error error;
  FILE *stream = dc_input_open_stream(path, &error);
  if (!stream)
    return command_fail(path, error.text);
  int result = read_stream(path, stream, unit);
  fclose(stream);
  if (result == 0)
    result = estimate_all(path, unit);
  if (result != 0)
    dc_unit_free(unit);
  return result;
}
