// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles in memory: a sorted array of loops, to which loops and counts are added.
#include "divcost/profile.h"

#include <stdlib.h>
#include <string.h>

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

dc_status dc_profile_merge(dc_profile *to, const dc_profile *from, dc_error *error) {
  for (uint32_t k = 0; k < from->n_loops; ++k) {
    dc_profile_loop *loop = dc_profile_add(to, from->loops[k]);
    if (!loop)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile of %u loops",
                     (unsigned)to->n_loops + 1);
    if (!dc_profile_add_counts(&loop->counts, &from->loops[k]->counts))
      return dc_fail(error, DC_ERROR_LIMIT,
                     "the counts of the loop at %.100s:%u in '%.60s' add up to more than 2^64 - 1",
                     loop->file, (unsigned)loop->line, loop->function);
  }
  to->runs = from->runs > UINT64_MAX - to->runs ? UINT64_MAX : to->runs + from->runs;
  return DC_OK;
}
