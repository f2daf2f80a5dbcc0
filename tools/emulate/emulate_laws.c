// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions that a report gives for loops, and the one that is assumed for loops of which
// nothing is known, as tables to draw from.
#include "emulate/emulate.h"

#include <stdlib.h>

// Points and table of one law share a piece of memory: a table takes 16 bytes a point, as the
// points do.
static dc_status build_parsed(const dc_law *law, dc_sampler *sampler, void **memory,
                              dc_error *error) {
  size_t bytes = 0;
  dc_distribution distribution;
  dc_status status = dc_distribution_bytes(law, NULL, &bytes, error);
  if (status != DC_OK)
    return status;
  char *piece = *memory = malloc(2 * bytes);
  if (!piece)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  status = dc_distribution_build(law, NULL, piece, bytes, &distribution, error);
  return status == DC_OK ? dc_sampler_build(&distribution, piece + bytes, bytes, sampler, error)
                         : status;
}

static dc_status build(const char *text, dc_sampler *sampler, void **memory, dc_error *error) {
  size_t bytes = dc_law_bytes(text);
  void *law_memory = malloc(bytes);
  const dc_law *law;
  if (!law_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  dc_status status = dc_law_parse(text, law_memory, bytes, &law, error);
  if (status == DC_OK)
    status = build_parsed(law, sampler, memory, error);
  free(law_memory);
  return status;
}

// The law of number k, "" if there is none: see emulate_laws.
static const char *law_of(const dc_kernel *kernel, uint32_t k, const char *assumed,
                          dc_assumed_laws *laws) {
  if (k < kernel->n_loops)
    return dc_kernel_text(kernel, kernel->loops[k].distribution);
  int64_t most = k > kernel->n_loops ? dc_most_trips(kernel, k - kernel->n_loops - 1) : -1;
  if (k > kernel->n_loops && (assumed || most < 0))
    return "";
  *laws = dc_laws_assumed(most);
  return assumed ? assumed : laws->low;
}

dc_status emulate_laws_build(const dc_kernel *kernel, const char *assumed, emulate_laws *laws,
                             dc_error *error) {
  *laws = (emulate_laws){.samplers = calloc(2u * kernel->n_loops + 1, sizeof *laws->samplers),
                         .memory = calloc(2u * kernel->n_loops + 1, sizeof *laws->memory),
                         .count = 2 * kernel->n_loops + 1};
  if (!laws->samplers || !laws->memory) {
    emulate_laws_free(laws);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u loops", (unsigned)kernel->n_loops);
  }
  dc_status status = DC_OK;
  for (uint32_t k = 0; k < laws->count && status == DC_OK; ++k) {
    dc_assumed_laws within;
    const char *law = law_of(kernel, k, assumed, &within);
    if (*law)
      status = build(law, &laws->samplers[k], &laws->memory[k], error);
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
