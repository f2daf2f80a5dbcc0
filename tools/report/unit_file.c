// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a report: the skeletons are kept, the figures are made anew.
#define _POSIX_C_SOURCE 200809L

#include "report/unit_file.h"

#include "command.h"
#include "report/object_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The architectures that a kernel has estimates for, with the costs that these rest on; or else the
// unit's.
static dc_status architectures(const dc_unit *unit, const dc_unit_kernel *kernel, dc_arch *archs,
                               uint32_t *count, dc_error *error) {
  dc_status status = DC_OK;
  *count = 0;
  for (uint32_t k = 0; status == DC_OK && k < kernel->n_estimates; ++k) {
    const dc_estimate *estimate = &kernel->estimates[k];
    if (*count && archs[*count - 1].sm == estimate->sm)
      continue;
    if (!dc_estimate_arch(estimate, &archs[*count]))
      status = dc_arch_find_sm(estimate->sm, &archs[*count], error);
    ++*count;
  }
  for (uint32_t k = 0; status == DC_OK && kernel->n_estimates == 0 && k < unit->n_archs; ++k)
    status = dc_arch_find_sm(unit->archs[k], &archs[(*count)++], error);
  return status;
}

static dc_status estimate_again(const dc_unit *unit, dc_unit_kernel *kernel, dc_error *error) {
  dc_arch *archs = malloc(((size_t)unit->n_archs + kernel->n_estimates + 1) * sizeof *archs);
  uint32_t count;
  if (!archs)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u architectures", unit->n_archs);
  dc_status status = architectures(unit, kernel, archs, &count, error);
  if (status == DC_OK)
    status = dc_unit_estimate(kernel, archs, count, error);
  free(archs);
  return status;
}

static int estimate_all(const char *path, dc_unit *unit) {
  dc_status status = DC_OK;
  dc_error error;
  for (uint32_t k = 0; k < unit->n_kernels && status == DC_OK; ++k) {
    status = estimate_again(unit, &unit->kernels[k], &error);
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
    return object_file_read(path, take_embedded, unit);
  dc_error error;
  return dc_unit_read_json(stream, unit, &error) == DC_OK ? 0 : command_fail(path, error.text);
}

int report_read_unit(const char *path, dc_unit *unit) {
  *unit = (dc_unit){0};
  FILE *stream = fopen(path, "r");
  if (!stream)
    return command_fail(path, strerror(errno));
  int result = read_stream(path, stream, unit);
  fclose(stream);
  if (result == 0)
    result = estimate_all(path, unit);
  if (result != 0)
    dc_unit_free(unit);
  return result;
}
