// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions that a report gives for loops, and the one that is assumed for loops of which
// nothing is known, as tables to draw from.
#include "divcost/assumed.h"
#include "divcost/emulator.h"

#include <stdlib.h>

static dc_status build(const char *text, dc_sampler *sampler, dc_distribution *distribution,
                       dc_error *error) {
  dc_status status = dc_distribution_from_text(text, NULL, distribution, error);
  return status == DC_OK ? dc_sampler_build(distribution, sampler, error) : status;
}

// The distribution of number k, "" if there is none: see dc_samplers.
static const char *distribution_of(const dc_kernel *kernel, uint32_t k, const char *assumed,
                                   dc_assumed_distributions *distributions) {
  if (k < kernel->n_loops)
    return dc_kernel_text(kernel, kernel->loops[k].distribution);
  int64_t most = k > kernel->n_loops ? dc_most_trips(kernel, k - kernel->n_loops - 1) : -1;
  if (k > kernel->n_loops && (assumed || most < 0))
    return "";
  *distributions = dc_distributions_assumed(most);
  return assumed ? assumed : distributions->low;
}

dc_status dc_samplers_build(const dc_kernel *kernel, const char *assumed, dc_samplers *all,
                            dc_error *error) {
  *all =
      (dc_samplers){.of = calloc(2u * kernel->n_loops + 1, sizeof *all->of),
                    .distributions = calloc(2u * kernel->n_loops + 1, sizeof *all->distributions),
                    .count = 2 * kernel->n_loops + 1};
  if (!all->of || !all->distributions) {
    dc_samplers_free(all);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u loops", (unsigned)kernel->n_loops);
  }
  dc_status status = DC_OK;
  for (uint32_t k = 0; k < all->count && status == DC_OK; ++k) {
    dc_assumed_distributions within;
    const char *distribution = distribution_of(kernel, k, assumed, &within);
    if (*distribution)
      status = build(distribution, &all->of[k], &all->distributions[k], error);
  }
  if (status != DC_OK)
    dc_samplers_free(all);
  return status;
}

void dc_samplers_free(dc_samplers *all) {
  for (uint32_t k = 0; k < all->count && all->of && all->distributions; ++k) {
    dc_sampler_free(&all->of[k]);
    dc_distribution_free(&all->distributions[k]);
  }
  free(all->distributions);
  free(all->of);
  *all = (dc_samplers){0};
}
