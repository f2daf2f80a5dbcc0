// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a report: the skeletons are kept, the figures are made anew.
#define _POSIX_C_SOURCE 200809L

#include "report/unit_file.h"

#include "command.h"

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

int report_read_unit(const char *path, dc_unit *unit) {
  dc_error error;
  FILE *stream = fopen(path, "r");
  if (!stream)
    return command_fail(path, strerror(errno));
  dc_status status = dc_unit_read_json(stream, unit, &error);
  fclose(stream);
  if (status != DC_OK)
    return command_fail(path, error.text);
  for (uint32_t k = 0; k < unit->n_kernels && status == DC_OK; ++k) {
    status = estimate_again(unit, &unit->kernels[k], &error);
    if (status != DC_OK) {
      char where[400];
      snprintf(where, sizeof where, "%s: kernel %s", path,
               dc_kernel_text(&unit->kernels[k].kernel, unit->kernels[k].kernel.name));
      command_fail(where, error.text);
    }
  }
  if (status == DC_OK)
    return 0;
  dc_unit_free(unit);
  return FAILURE;
}
