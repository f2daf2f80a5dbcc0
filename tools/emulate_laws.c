// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions that a report gives for loops, and the one that is assumed for loops of which
// nothing is known, as tables to draw from.
#include "emulate.h"

#include <stdlib.h>
#include <string.h>

// Points and table of one law share a piece of memory.
static dc_status build(const char *text, dc_sampler *sampler, void **memory, dc_error *error) {
  size_t law_bytes = dc_law_bytes(text), bytes = 0;
  void *law_memory = malloc(law_bytes);
  const dc_law *law;
  if (!law_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  dc_status status = dc_law_parse(text, law_memory, law_bytes, &law, error);
  if (status == DC_OK)
    status = dc_distribution_bytes(law, NULL, &bytes, error);
  if (status == DC_OK) {
    dc_distribution distribution;
    *memory = malloc(2 * bytes); // a table takes 16 bytes a point, as the points do
    if (!*memory)
      status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
    else
      status = dc_distribution_build(law, NULL, *memory, bytes, &distribution, error);
    if (status == DC_OK)
      status = dc_sampler_build(&distribution, (char *)*memory + bytes, bytes, sampler, error);
  }
  free(law_memory);
  return status;
}

dc_status emulate_laws_build(const dc_kernel *kernel, const char *assumed, emulate_laws *laws,
                             dc_error *error) {
  *laws = (emulate_laws){.samplers = calloc(kernel->n_loops + 1u, sizeof *laws->samplers),
                         .memory = calloc(kernel->n_loops + 1u, sizeof *laws->memory),
                         .count = kernel->n_loops + 1};
  if (!laws->samplers || !laws->memory) {
    emulate_laws_free(laws);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u loops", (unsigned)kernel->n_loops);
  }
  dc_status status = DC_OK;
  for (uint32_t k = 0; k < laws->count && status == DC_OK; ++k) {
    const char *text =
        k < kernel->n_loops ? dc_kernel_text(kernel, kernel->loops[k].distribution) : assumed;
    if (*text)
      status = build(text, &laws->samplers[k], &laws->memory[k], error);
  }
  if (status != DC_OK)
    emulate_laws_free(laws);
  return status;
}

void emulate_laws_free(emulate_laws *laws) {
  for (uint32_t k = 0; k < laws->count && laws->memory; ++k)
    free(laws->memory[k]);
  free(laws->memory);
  free(laws->samplers);
  *laws = (emulate_laws){0};
}
