// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "measure.h"

dc_status machine_kernels_load(gpu *device, uint64_t bytes, unsigned spans, machine_kernels *result,
                               dc_error *error) {
  kernels from = {.launches = 0};
  *result = (machine_kernels){.device = device, .bytes = bytes, .most = spans};
  result->read = malloc(spans * sizeof *result->read);
  if (!result->read)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = kernels_load(device, "machine", &from, error);
  result->module = from.module;
  if (status == DC_OK)
    status = gpu_allocate(device, bytes, &result->memory, error);
  if (status == DC_OK)
    status = gpu_allocate(device, spans * sizeof *result->read, &result->spans, error);
  if (status == DC_OK)
    status = gpu_allocate(device, (size_t)spans * LANES * sizeof(unsigned), &result->sink, error);
  if (status != DC_OK)
    machine_kernels_free(result);
  return status;
}

void machine_kernels_free(machine_kernels *kernels) {
  const gpu_memory memory[] = {kernels->memory, kernels->spans, kernels->sink};
  for (unsigned m = 0; m < 3; ++m)
    if (memory[m])
      gpu_free(kernels->device, memory[m]);
  free(kernels->read);
  *kernels = (machine_kernels){0};
}

dc_status machine_launch(machine_kernels *kernels, const char *name, gpu_launch_dims shape,
                         machine_job job, bool read, double *seconds, dc_error *error) {
  void *arguments[] = {&kernels->memory, &kernels->spans, &kernels->sink, &job};
  unsigned warps = shape.grid * ((shape.block + LANES - 1) / LANES);
  gpu_kernel kernel;
  if (warps > kernels->most)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s: %u warps, there is room for %u", name, warps,
                   kernels->most);
  dc_status status = gpu_find(kernels->device, kernels->module, name, &kernel, error);
  if (status == DC_OK)
    status = gpu_launch(kernels->device, kernel, shape, arguments, seconds, error);
  if (status == DC_OK && read)
    status = gpu_read(kernels->device, kernels->read, kernels->spans, warps * sizeof *kernels->read,
                      error);
  return status;
}
