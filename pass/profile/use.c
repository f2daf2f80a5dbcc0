// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured trip counts as distributions. The model's lanes are independent but for one figure,
// their correlation, and all of them come to a loop unless a branch that can be evaluated keeps
// them away. So that its estimate is what was measured,
// - lanes that it lets come, and that in truth stayed away, are given 0 trips;
// - the correlation is set to what makes the aggregate imbalance the measured one. It is
//   r + (1 - r) A with A for independent lanes (divcost/estimate.h), linear in r, so one estimate
//   tells r, but for what loops around change; that settles in a few rounds.
// Lanes that are less alike than independent ones are out of reach: they are taken as independent.
#include "profile/profile.h"

#include "divcost/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32
#define ROUNDS 4
#define MISSING 0.98 // of the lanes that are let come: fewer than this share came in truth

typedef struct measured {
  uint32_t loop; // of the kernel
  dc_profile_counts counts;
  dc_profile_figures figures;
  double absent; // lanes that are given 0 trips
} measured;

typedef struct use {
  const char *path;
  dc_kernel *kernel;
  measured *loops;
  uint32_t n_loops;
} use;

// How well a loop of the profile fits: 3 same kernel and path, 2 same kernel, 1 another's; 0 not at
// all; -1 it is the same loop of another text.
static int fit(const dc_profile_loop *known, const dc_profile_loop *wanted) {
  if (strcmp(known->function, wanted->function) != 0 || known->number != wanted->number)
    return 0;
  bool same_kernel = !strcmp(known->kernel, wanted->kernel);
  bool same_path = !strcmp(known->path, wanted->path);
  if (known->hash != wanted->hash)
    return same_kernel ? -1 : 0;
  return same_kernel ? same_path ? 3 : 2 : 1;
}

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
}

// The counts of the loops that fit best, if there are any. *stale: known with another text.
// DC_ERROR_LIMIT: they are too many.
static dc_status find_counts(const dc_profile *profile, const dc_profile_loop *wanted,
                             dc_profile_counts *counts, bool *found, bool *stale, dc_error *error) {
  int best = 0;
  *stale = *found = false;
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    int here = fit(profile->loops[k], wanted);
    *stale |= here < 0;
    if (here <= 0 || here < best)
      continue;
    if (here > best)
      memset(counts, 0, sizeof *counts);
    best = here;
    if (!dc_profile_add_counts(counts, &profile->loops[k]->counts))
      return dc_fail(error, DC_ERROR_LIMIT,
                     "the counts of the loop at %.100s:%u in '%.60s' add up to more than 2^64 - 1",
                     wanted->file, (unsigned)wanted->line, wanted->function);
  }
  *stale &= best == 0;
  *found = best > 0;
  return DC_OK;
}

// Sets the distribution histogram("path", value:count, ...); 0 trips for a loop that was never
// entered. False where memory is out.
static bool set_distribution(const use *u, const measured *m) {
  dc_point *points = malloc((DC_PROFILE_BINS + 1) * sizeof *points);
  size_t n = points ? dc_profile_points(&m->counts, points) : 0;
  if (points && n == 0)
    points[n++] = (dc_point){0, 1};
  if (n && m->absent > 0) {
    if (points[0].value != 0) {
      memmove(points + 1, points, n++ * sizeof *points);
      points[0] = (dc_point){0, 0};
    }
    points[0].mass += m->absent;
  }
  dc_distribution_spec spec = {
      .kind = DC_DISTRIBUTION_HISTOGRAM, .name = u->path, .points = points, .count = n};
  size_t size = n ? dc_distribution_print(&spec, NULL, 0) + 1 : 0;
  char *text = n ? malloc(size) : NULL;
  if (text) {
    dc_loop *loop = &u->kernel->loops[m->loop];
    dc_distribution_print(&spec, text, size);
    loop->distribution = dc_kernel_add_text(u->kernel, text);
    loop->distribution_at = dc_kernel_add_text(u->kernel, u->path);
    loop->trips_from = DC_FROM_PROFILE;
  }
  free(points);
  free(text);
  return text != NULL;
}

// Finds the counts of all loops that have no better distribution.
static dc_status find_loops(use *u, const dc_profile *profile, const dcp_source *source,
                            uint32_t *n_stale, const char **stale, dc_error *error) {
  u->loops = calloc((size_t)u->kernel->n_loops + 1, sizeof *u->loops);
  if (!u->loops)
    return no_memory(error);
  dc_status status = DC_OK;
  for (uint32_t index = 0; status == DC_OK && index < u->kernel->n_loops; ++index) {
    const dc_loop *loop = &u->kernel->loops[index];
    measured *m = &u->loops[u->n_loops];
    dc_profile_loop name;
    bool is_stale, found;
    if ((loop->distribution && loop->trips_from != DC_FROM_ASSUMED) ||
        !dcp_profile_name_loop(u->kernel, index, source, &name))
      continue;
    memset(m, 0, sizeof *m);
    status = find_counts(profile, &name, &m->counts, &found, &is_stale, error);
    dcp_profile_clear(&name);
    if (is_stale && (*n_stale)++ == 0)
      *stale = dc_kernel_text(u->kernel, u->kernel->locations[loop->location].function);
    m->loop = index;
    m->figures = dc_profile_figure(&m->counts);
    u->n_loops += found;
  }
  return status;
}

// Moves a loop towards what was measured, given what the estimate has. False: memory is out.
static bool move(const use *u, measured *m, const dc_loop_estimate *has) {
  const dc_profile_figures *figures = &m->figures;
  dc_loop *loop = &u->kernel->loops[m->loop];
  double efficiency = has->efficiency.high, aggregate = has->aggregate.high;
  if (has->from != DC_FROM_PROFILE || !(efficiency > 0) || !(aggregate >= 1))
    return true; // derived from the code, or entered by nobody
  // Slots per lane-iteration: of the lanes that are let come; and what is to be reached.
  double let_come = LANES * efficiency * aggregate;
  double came = figures->lanes / (double)m->counts.entries;
  if (m->absent == 0 && came < MISSING * let_come) {
    m->absent = figures->lanes * (let_come / came - 1);
    return set_distribution(u, m);
  }
  double wanted = let_come / (LANES * figures->efficiency), r = loop->correlation;
  double independent = r < 1 ? (aggregate - r) / (1 - r) : aggregate;
  if (!(independent > 1 + 1e-9)) // alone, lanes show nothing
    return true;
  r = (independent - wanted) / (independent - 1);
  loop->correlation = r < 0 ? 0 : r > 1 ? 1 : r;
  return true;
}

static bool calibrate(const use *u, const dc_arch *arch) {
  bool good = true;
  for (unsigned round = 0; good && round < ROUNDS; ++round) {
    dc_estimate estimate;
    if (dc_estimate_kernel(u->kernel, arch, &u->kernel->launches[0], NULL, &estimate, NULL) !=
        DC_OK)
      return true; // it will be said where estimates are asked for
    for (uint32_t k = 0; good && k < u->n_loops; ++k)
      if (u->loops[k].figures.iterations > 0)
        good = move(u, &u->loops[k], &estimate.loops[u->loops[k].loop]);
    dc_estimate_free(&estimate);
  }
  return good;
}

dc_status dcp_profile_apply(const dc_profile *profile, const char *path, const dcp_source *source,
                            const dc_arch *arch, dc_kernel *kernel, uint32_t *n_stale,
                            const char **stale, dc_error *error) {
  use u = {path, kernel, NULL, 0};
  *n_stale = 0;
  dc_status status = find_loops(&u, profile, source, n_stale, stale, error);
  bool good = true;
  for (uint32_t k = 0; status == DC_OK && good && k < u.n_loops; ++k)
    good = set_distribution(&u, &u.loops[k]);
  if (status == DC_OK && good && u.n_loops && arch && kernel->n_launches)
    good = calibrate(&u, arch);
  free(u.loops);
  return good ? status : no_memory(error);
}
