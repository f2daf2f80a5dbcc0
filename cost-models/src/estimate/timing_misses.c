// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L1 and L2 hold of what the accesses touch: first touches miss, and later ones where more has
// been touched meanwhile than the cache has. How accesses go about their arrays is in
// timing_touches.c, the caches are in timing_l1.c and timing_l2.c.
#include "estimate/timing_misses.h"

#include <math.h>
#include <stdlib.h>

bool dc__misses_rest_on_extents(const dc_kernel *kernel, const dc_estimate *estimate) {
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    if (dc__is_cached(&kernel->accesses[k]) && estimate->accesses[k].requests > 0 &&
        dc__scatters(kernel, estimate, k) && dc__told_extent(kernel, &kernel->accesses[k]) == 0)
      return true;
  return false;
}

static void miss_l1(const dc__touches *m, dc__misses *misses) {
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    misses[k] = (dc__misses){.l2_latency = m->setting->machine->l2};
    if (!m->of[k].asks)
      continue;
    misses[k].l1 = dc__l1_misses(m, k);
    misses[k].extent = m->of[k].scatters ? m->of[k].extent : 0;
    misses[k].partial = dc__writes_parts(m, k);
    misses[k].descent = dc__levels_of_descent(m, k);
  }
}

dc_status dc__misses_find(const dc_kernel *kernel, const dc_estimate *estimate,
                          const dc__setting *setting, dc__misses *misses, dc_error *error) {
  dc__touches m = {.kernel = kernel, .estimate = estimate, .setting = setting};
  m.of = malloc((kernel->n_accesses + 1u) * sizeof *m.of);
  m.walkers = calloc(kernel->n_loops + 1u, sizeof *m.walkers);
  dc_status status = DC_OK;
  if (m.of && m.walkers) {
    dc__touches_find(&m);
    miss_l1(&m, misses);
    status = dc__miss_l2(&m, misses, error);
  } else {
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u accesses",
                     (unsigned)kernel->n_accesses);
  }
  free(m.of);
  free(m.walkers);
  return status;
}
