// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit by places: which loops and kernels stand in which line of which file.
#define _XOPEN_SOURCE 700 // realpath

#include "lsp/server.h"

#include "divcost/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *lsp_real_path(const char *path) {
  char *real = realpath(path, NULL);
  return real ? real : strdup(path);
}

void lsp_analysis_free(lsp_analysis *analysis) {
  dc_unit_free(&analysis->unit);
  for (uint32_t k = 0; k < analysis->n_files; ++k) {
    free(analysis->files[k].name);
    free(analysis->files[k].path);
    text_lines_free(&analysis->files[k].lines);
  }
  free(analysis->files);
  free(analysis->places);
  free(analysis->order);
  *analysis = (lsp_analysis){0};
}

uint32_t lsp_file_named(const lsp_analysis *analysis, const char *name) {
  for (uint32_t k = 0; k < analysis->n_files; ++k)
    if (strcmp(analysis->files[k].name, name) == 0)
      return k;
  return DC_NONE;
}

uint32_t lsp_file_at(const lsp_analysis *analysis, const char *path) {
  for (uint32_t k = 0; k < analysis->n_files; ++k)
    if (strcmp(analysis->files[k].path, path) == 0)
      return k;
  return DC_NONE;
}

// ---- files --------------------------------------------------------------------------------------

static char *path_of(const char *name, const lsp_names *names) {
  if (names->copy && strcmp(name, names->copy) == 0)
    return lsp_real_path(names->of);
  char *whole = dc_path_join(names->directory, name);
  char *path = whole ? lsp_real_path(whole) : NULL;
  free(whole);
  return path;
}

static bool add_file(lsp_analysis *analysis, const char *name, const lsp_names *names) {
  if (lsp_file_named(analysis, name) != DC_NONE)
    return true;
  lsp_file *more = realloc(analysis->files, (analysis->n_files + 1) * sizeof *more);
  if (!more)
    return false;
  analysis->files = more;
  lsp_file file = {.name = strdup(name), .path = path_of(name, names)};
  analysis->files[analysis->n_files++] = file;
  return file.name && file.path;
}

// All files that the kernels' locations name: a handful, so they are looked for one by one.
static bool find_files(lsp_analysis *analysis, const lsp_names *names) {
  for (uint32_t k = 0; k < analysis->unit.n_kernels; ++k) {
    const dc_kernel *kernel = &analysis->unit.kernels[k].kernel;
    for (uint32_t l = 0; l < kernel->n_locations; ++l) {
      bool same = l > 0 && kernel->locations[l].file == kernel->locations[l - 1].file;
      const char *name = dc_kernel_text(kernel, kernel->locations[l].file);
      if (!same && *name && !add_file(analysis, name, names))
        return false;
    }
  }
  return true;
}

// ---- places -------------------------------------------------------------------------------------

static int compare_numbers(uint32_t x, uint32_t y) { return x < y ? -1 : x > y; }

static int compare_places(const void *left, const void *right) {
  const lsp_place *x = left, *y = right;
  int order = compare_numbers(x->file, y->file);
  if (!order)
    order = compare_numbers(x->line, y->line);
  if (!order)
    order = compare_numbers(x->column, y->column);
  if (!order)
    order = (y->loop == DC_NONE) - (x->loop == DC_NONE);
  if (!order && x->loop == DC_NONE)
    order = compare_numbers(x->rank, y->rank);
  if (!order && (x->share.low != y->share.low || x->share.high != y->share.high))
    order = x->share.low > y->share.low ||
                    (x->share.low == y->share.low && x->share.high > y->share.high)
                ? -1
                : 1;
  if (!order)
    order = compare_numbers(x->rank, y->rank);
  return order ? order : compare_numbers(x->loop, y->loop);
}

static void add_place(lsp_analysis *analysis, lsp_place place, uint32_t location) {
  const dc_kernel *of = &analysis->unit.kernels[place.kernel].kernel;
  if (location == DC_NONE || of->locations[location].line == 0)
    return;
  const dc_location *at = &of->locations[location];
  uint32_t file = lsp_file_named(analysis, dc_kernel_text(of, at->file));
  if (file == DC_NONE)
    return;
  place.file = file;
  place.line = at->line;
  place.column = at->column;
  analysis->places[analysis->n_places++] = place;
}

static void add_places(lsp_analysis *analysis, uint32_t index, uint32_t rank) {
  const dc_unit_kernel *kernel = &analysis->unit.kernels[index];
  const dc_estimate *worst = dc_worst_estimate(kernel);
  lsp_place place = {.kernel = index, .loop = DC_NONE, .rank = rank, .share = {-1, -1}};
  if (worst)
    place.share = worst->share;
  add_place(analysis, place, kernel->kernel.location);
  for (place.loop = 0; place.loop < kernel->kernel.n_loops; ++place.loop) {
    if (worst)
      place.share = dc_loop_share(worst, place.loop);
    add_place(analysis, place, kernel->kernel.loops[place.loop].location);
  }
}

static bool find_places(lsp_analysis *analysis) {
  size_t count = 0;
  for (uint32_t k = 0; k < analysis->unit.n_kernels; ++k)
    count += (size_t)analysis->unit.kernels[k].kernel.n_loops + 1;
  analysis->places = malloc((count ? count : 1) * sizeof *analysis->places);
  if (!analysis->places)
    return false;
  for (uint32_t k = 0; k < analysis->unit.n_kernels; ++k)
    add_places(analysis, analysis->order[k], k);
  qsort(analysis->places, analysis->n_places, sizeof *analysis->places, compare_places);
  return true;
}

bool lsp_analysis_make(lsp_analysis *analysis, dc_unit *unit, const lsp_names *names) {
  *analysis = (lsp_analysis){.unit = *unit};
  *unit = (dc_unit){0};
  if (lsp_fold(analysis) && find_files(analysis, names) && find_places(analysis))
    return true;
  lsp_analysis_free(analysis);
  return false;
}

// ---- locations ----------------------------------------------------------------------------------

// Headers that nobody edits: what is installed, and the compiler's own.
static bool is_installed(const char *file) {
  bool below = strncmp(file, "/usr/", 5) == 0 || strncmp(file, "/opt/", 5) == 0;
  return (below && strstr(file, "/include/")) || strstr(file, "/__clang_cuda_");
}

uint32_t lsp_own_location(const dc_kernel *kernel, uint32_t location) {
  while (location != DC_NONE &&
         is_installed(dc_kernel_text(kernel, kernel->locations[location].file)))
    location = kernel->locations[location].inlined_at;
  return location;
}
