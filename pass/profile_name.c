// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop is called in a profile: by function, number and hash of the loop statement, and by the
// calls through which it came into the kernel, each as a line of its function, so that edits
// elsewhere in a file don't matter.
#define _XOPEN_SOURCE 700 // strdup

#include "profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 256 // deeper inlining isn't told apart

void dcp_profile_clear(dc_profile_loop *loop) {
  free(loop->kernel);
  free(loop->path);
  free(loop->function);
  free(loop->file);
  memset(loop, 0, sizeof *loop);
}

// "name:line:column" of each call, with blanks between.
static char *path_of(const dcp_source *source, const dcp_place *chain, uint32_t count) {
  size_t size = 1;
  for (uint32_t k = 1; k < count; ++k)
    size += strlen(chain[k].function) + 24;
  char *path = malloc(size);
  size_t length = 0;
  if (path)
    *path = 0;
  for (uint32_t k = 1; path && k < count; ++k) {
    const dcp_place *call = &chain[k];
    uint32_t first = dcp_source_function_line(source, call->file, call->line, call->column);
    length += (size_t)snprintf(path + length, size - length, "%s%s:%" PRIu32 ":%" PRIu32,
                               k > 1 ? " " : "", call->function, call->line - first, call->column);
  }
  return path;
}

bool dcp_profile_name(const dcp_source *source, const char *kernel, const dcp_place *chain,
                      uint32_t count, dc_profile_loop *loop) {
  memset(loop, 0, sizeof *loop);
  const dcp_loop_statement *statement =
      dcp_source_find_loop(source, chain[0].file, chain[0].line, chain[0].column);
  if (!statement || !statement->hash)
    return false;
  loop->kernel = strdup(kernel);
  loop->path = path_of(source, chain, count);
  loop->function = strdup(chain[0].function);
  loop->file = strdup(statement->file);
  loop->number = statement->number;
  loop->hash = statement->hash;
  loop->line = statement->line;
  loop->column = statement->column;
  if (loop->kernel && loop->path && loop->function && loop->file)
    return true;
  dcp_profile_clear(loop);
  return false;
}

// A loop of the analysis.
static bool name_loop(const dc_kernel *kernel, uint32_t index, const dcp_source *source,
                      dc_profile_loop *out) {
  dcp_place chain[CALLS_MAX];
  uint32_t count = 0, at = kernel->loops[index].location;
  for (; at != DC_NONE && count < CALLS_MAX; at = kernel->locations[at].inlined_at) {
    const dc_location *place = &kernel->locations[at];
    chain[count++] =
        (dcp_place){dc_kernel_text(kernel, place->file), dc_kernel_text(kernel, place->function),
                    place->line, place->column};
  }
  return count > 0 &&
         dcp_profile_name(source, dc_kernel_text(kernel, kernel->symbol), chain, count, out);
}

dc_status dcp_profile_claims(const dc_unit *unit, const dcp_source *source, dc_profile *claims,
                             dc_error *error) {
  memset(claims, 0, sizeof *claims);
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    const dc_kernel *kernel = &unit->kernels[k].kernel;
    for (uint32_t index = 0; index < kernel->n_loops; ++index) {
      dc_profile_loop loop;
      if (!name_loop(kernel, index, source, &loop))
        continue;
      loop.level = kernel->loops[index].level;
      bool added = dc_profile_add(claims, &loop) != NULL;
      dcp_profile_clear(&loop);
      if (!added)
        return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
    }
  }
  return DC_OK;
}

// ---- use ----------------------------------------------------------------------------------------

// How well a loop of the profile fits: 3 same kernel and path, 2 same kernel, 1 another's; 0 not at
// all; -1 it is the same loop of another text.
static int fit(const dc_profile_loop *measured, const dc_profile_loop *wanted) {
  if (strcmp(measured->function, wanted->function) != 0 || measured->number != wanted->number)
    return 0;
  bool same_kernel = !strcmp(measured->kernel, wanted->kernel);
  bool same_path = !strcmp(measured->path, wanted->path);
  if (measured->hash != wanted->hash)
    return same_kernel ? -1 : 0;
  return same_kernel ? same_path ? 3 : 2 : 1;
}

// The counts of the loops that fit best; false where none does. *stale: known with another text.
static bool find_counts(const dc_profile *profile, const dc_profile_loop *wanted,
                        dc_profile_counts *counts, bool *stale) {
  int best = 0;
  *stale = false;
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    int here = fit(profile->loops[k], wanted);
    *stale |= here < 0;
    if (here <= 0 || here < best)
      continue;
    if (here > best)
      memset(counts, 0, sizeof *counts);
    best = here;
    dc_profile_add_counts(counts, &profile->loops[k]->counts);
  }
  *stale &= best == 0;
  return best > 0;
}

// The correlation (as in divcost/estimate.h) at which the estimate has the aggregate imbalance that
// was measured: r + (1 - r) * what independent lanes would have, for as many as entered. 0 where
// they lose less than was measured.
static double correlation_of(const dc_profile_counts *counts, const dc_point *points, size_t n) {
  dc_profile_figures measured = dc_profile_figure(counts);
  double lanes = counts->entries ? measured.lanes / (double)counts->entries : 1, maximum = 0;
  double above = 0, iid;
  for (size_t k = n; k > 0; --k) { // E[max] = sum over trips of P(some lane has that many)
    double length = (double)(points[k - 1].value - (k > 1 ? points[k - 2].value : 0));
    above += points[k - 1].mass / measured.lanes;
    maximum += length * -expm1(lanes * log1p(-(above < 1 ? above : 1)));
  }
  if (measured.iterations == 0)
    return 0;
  iid = maximum / measured.mean;
  if (iid <= 1 + 1e-9 || measured.aggregate >= iid) // alone, lanes show nothing
    return 0;
  return measured.aggregate <= 1 ? 1 : (iid - measured.aggregate) / (iid - 1);
}

// The law histogram("path", value:count, ...).
static char *law_of(const char *path, const dc_point *points, size_t n) {
  dc_law law = {.kind = DC_LAW_HISTOGRAM, .name = path, .points = points, .count = n};
  size_t size = dc_law_print(&law, NULL, 0) + 1;
  char *text = malloc(size);
  if (text)
    dc_law_print(&law, text, size);
  return text;
}

dc_status dcp_profile_apply(const dc_profile *profile, const char *path, const dcp_source *source,
                            dc_kernel *kernel, uint32_t *n_stale, const char **stale,
                            dc_error *error) {
  dc_profile_counts *counts = malloc(sizeof *counts);
  dc_point *points = malloc(DC_PROFILE_BINS * sizeof *points);
  *n_stale = 0;
  bool good = counts && points;
  for (uint32_t index = 0; good && index < kernel->n_loops; ++index) {
    dc_loop *loop = &kernel->loops[index];
    dc_profile_loop name;
    bool is_stale;
    if ((loop->distribution && loop->trips_from != DC_FROM_ASSUMED) ||
        !name_loop(kernel, index, source, &name))
      continue;
    size_t n =
        find_counts(profile, &name, counts, &is_stale) ? dc_profile_points(counts, points) : 0;
    dcp_profile_clear(&name);
    if (is_stale && (*n_stale)++ == 0)
      *stale = dc_kernel_text(kernel, kernel->locations[loop->location].function);
    if (n == 0)
      continue;
    char *law = law_of(path, points, n);
    good = law != NULL;
    loop->correlation = correlation_of(counts, points, n);
    loop->distribution = dc_kernel_add_text(kernel, law ? law : "");
    loop->distribution_at = dc_kernel_add_text(kernel, path);
    loop->trips_from = DC_FROM_PROFILE;
    free(law);
  }
  free(points);
  free(counts);
  return good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
}
