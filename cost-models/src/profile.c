// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles in memory: a sorted array of loops, to which loops and counts are added, and the figures
// of one loop.
#include "divcost/profile.h"

#include <stdlib.h>
#include <string.h>

#define LANES 32
#define BINS_PER_OCTAVE 4
#define EXACT_BITS 10 // DC_PROFILE_EXACT is 2^10

static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

static void free_loop(dc_profile_loop *loop) {
  if (!loop)
    return;
  free(loop->kernel);
  free(loop->path);
  free(loop->function);
  free(loop->file);
  free(loop);
}

void dc_profile_free(dc_profile *profile) {
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    free_loop(profile->loops[k]);
  free(profile->loops);
  memset(profile, 0, sizeof *profile);
}

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_keys(const dc_profile_loop *a, const dc_profile_loop *b) {
  int order = strcmp(a->kernel, b->kernel);
  if (!order)
    order = strcmp(a->path, b->path);
  if (!order)
    order = strcmp(a->function, b->function);
  if (!order)
    order = compare_numbers(a->number, b->number);
  return order ? order : compare_numbers(a->hash, b->hash);
}

static int compare_places(const dc_profile_loop *a, const dc_profile_loop *b) {
  int order = strcmp(a->file, b->file);
  if (!order)
    order = compare_numbers(a->line, b->line);
  return order ? order : compare_numbers(a->column, b->column);
}

// Where the key is, or would be.
static uint32_t position(const dc_profile *profile, const dc_profile_loop *like) {
  uint32_t low = 0, high = profile->n_loops;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_keys(profile->loops[middle], like) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static dc_profile_loop *new_loop(const dc_profile_loop *like) {
  dc_profile_loop *loop = calloc(1, sizeof *loop);
  if (!loop)
    return NULL;
  loop->kernel = copy_of(like->kernel);
  loop->path = copy_of(like->path);
  loop->function = copy_of(like->function);
  loop->file = copy_of(like->file);
  loop->number = like->number;
  loop->hash = like->hash;
  loop->line = like->line;
  loop->column = like->column;
  loop->level = like->level;
  if (loop->kernel && loop->path && loop->function && loop->file)
    return loop;
  free_loop(loop);
  return NULL;
}

static bool move_to(dc_profile_loop *loop, const dc_profile_loop *like) {
  if (like->level > loop->level)
    loop->level = like->level;
  if (compare_places(like, loop) >= 0)
    return true;
  char *file = copy_of(like->file);
  if (!file)
    return false;
  free(loop->file);
  loop->file = file;
  loop->line = like->line;
  loop->column = like->column;
  return true;
}

// Room for one more, in an array that doubles.
static bool grow(dc_profile *profile) {
  uint32_t count = profile->n_loops;
  if (count & (count - 1)) // neither 0 nor a power of two: there is room
    return true;
  size_t capacity = count ? (size_t)count * 2 : 1;
  dc_profile_loop **larger = realloc(profile->loops, capacity * sizeof *larger);
  if (larger)
    profile->loops = larger;
  return larger != NULL;
}

dc_profile_loop *dc_profile_add(dc_profile *profile, const dc_profile_loop *like) {
  uint32_t at = position(profile, like);
  if (at < profile->n_loops && !compare_keys(profile->loops[at], like))
    return move_to(profile->loops[at], like) ? profile->loops[at] : NULL;
  dc_profile_loop *loop = grow(profile) ? new_loop(like) : NULL;
  if (!loop)
    return NULL;
  memmove(profile->loops + at + 1, profile->loops + at,
          (profile->n_loops - at) * sizeof(dc_profile_loop *));
  profile->loops[at] = loop;
  ++profile->n_loops;
  return loop;
}

static void add(uint64_t *to, uint64_t from) {
  *to = from > UINT64_MAX - *to ? UINT64_MAX : *to + from;
}

void dc_profile_add_counts(dc_profile_counts *to, const dc_profile_counts *from) {
  add(&to->entries, from->entries);
  add(&to->warp_iterations, from->warp_iterations);
  add(&to->pairs, from->pairs);
  add(&to->spread, from->spread);
  add(&to->parted, from->parted);
  for (unsigned k = 0; k < DC_PROFILE_BINS; ++k)
    add(&to->lanes[k], from->lanes[k]);
  for (unsigned k = 0; k < DC_PROFILE_WIDE; ++k)
    add(&to->sums[k], from->sums[k]);
}

dc_status dc_profile_merge(dc_profile *to, const dc_profile *from, dc_error *error) {
  for (uint32_t k = 0; k < from->n_loops; ++k) {
    dc_profile_loop *loop = dc_profile_add(to, from->loops[k]);
    if (!loop)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile of %u loops",
                     (unsigned)to->n_loops + 1);
    dc_profile_add_counts(&loop->counts, &from->loops[k]->counts);
  }
  add(&to->runs, from->runs);
  return DC_OK;
}

// ---- figures ------------------------------------------------------------------------------------

uint32_t dc_profile_bin(uint32_t trips) {
  if (trips < DC_PROFILE_EXACT)
    return trips;
  unsigned octave = EXACT_BITS;
  while (octave < 31 && trips >> (octave + 1))
    ++octave;
  unsigned part = trips >> (octave - 2) & (BINS_PER_OCTAVE - 1);
  return DC_PROFILE_EXACT + (octave - EXACT_BITS) * BINS_PER_OCTAVE + part;
}

uint32_t dc_profile_bin_start(uint32_t bin) {
  if (bin < DC_PROFILE_EXACT)
    return bin;
  unsigned octave = EXACT_BITS + (bin - DC_PROFILE_EXACT) / BINS_PER_OCTAVE;
  unsigned part = (bin - DC_PROFILE_EXACT) % BINS_PER_OCTAVE;
  return (BINS_PER_OCTAVE + part) << (octave - 2);
}

// The mean trip count of the entries in a bin, which isn't empty.
static double bin_mean(const dc_profile_counts *counts, unsigned bin) {
  if (bin < DC_PROFILE_EXACT)
    return bin;
  return (double)counts->sums[bin - DC_PROFILE_EXACT] / (double)counts->lanes[bin];
}

dc_profile_figures dc_profile_figure(const dc_profile_counts *counts) {
  dc_profile_figures f = {.efficiency = 1, .aggregate = 1};
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin]) {
      f.lanes += (double)counts->lanes[bin];
      f.iterations += (double)counts->lanes[bin] * bin_mean(counts, bin);
    }
  if (f.lanes == 0)
    return f;
  f.mean = f.iterations / f.lanes;
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin]) {
      double distance = bin_mean(counts, bin) - f.mean;
      f.variance += (double)counts->lanes[bin] / f.lanes * distance * distance;
    }
  if (counts->warp_iterations && f.iterations > 0) {
    f.efficiency = f.iterations / (LANES * (double)counts->warp_iterations);
    double lanes = counts->entries ? f.lanes / (double)counts->entries : LANES;
    f.aggregate = lanes * (double)counts->warp_iterations / f.iterations;
  }
  if (counts->pairs && f.variance > 0)
    f.correlation = 1 - (double)counts->spread / (double)counts->pairs / (2 * f.variance);
  return f;
}

size_t dc_profile_points(const dc_profile_counts *counts, dc_point *points) {
  size_t n = 0;
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    if (counts->lanes[bin])
      points[n++] = (dc_point){(int64_t)(bin_mean(counts, bin) + 0.5), (double)counts->lanes[bin]};
  return n;
}
