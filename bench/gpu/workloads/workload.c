// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/distribution.h"
#include "divcost/random.h"
#include "divcost/sampler.h"

void *workload_memory(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "out of memory for a workload's array of %zu elements of %zu bytes\n", count,
            size);
    exit(1);
  }
  return memory;
}

static const char balanced[] = ".balanced";

bool workload_is_balanced(const workload *w) {
  const char *last = strrchr(w->of->name, '.');
  return last && strcmp(last, balanced) == 0;
}

void workload_make(const workload_case *of, workload *w) {
  *w = (workload){.of = of, .grid = {1, 1}, .block = {1, 1}, .seed = 20260101};
  size_t length = strlen(of->name) - (workload_is_balanced(w) ? strlen(balanced) : 0);
  for (size_t c = 0; c < length; ++c) // so that cases differ
    w->seed = w->seed * 31 + (unsigned char)of->name[c];
  of->make(w);
}

void workload_free(workload *w) {
  for (unsigned k = 0; k < w->n_arguments; ++k)
    free(w->arguments[k].data);
  for (unsigned k = 0; k < w->n_tallies; ++k)
    free(w->tallies[k].histogram);
  memset(w, 0, sizeof *w);
}

void workload_launch(workload *w, unsigned grid, unsigned block) {
  workload_launch_2d(w, grid, 1, block, 1);
}

void workload_launch_2d(workload *w, unsigned grid_x, unsigned grid_y, unsigned block_x,
                        unsigned block_y) {
  w->grid[0] = grid_x;
  w->grid[1] = grid_y;
  w->block[0] = block_x;
  w->block[1] = block_y;
}

// ---- arguments ----------------------------------------------------------------------------------

static argument *add_argument(workload *w, argument_kind kind) {
  if (w->n_arguments == ARGUMENTS_MAX) {
    fprintf(stderr, "%s: more than %d arguments\n", w->of->name, ARGUMENTS_MAX);
    exit(1);
  }
  argument *added = &w->arguments[w->n_arguments++];
  added->kind = kind;
  return added;
}

void *workload_take(workload *w, void *data, size_t bytes) {
  argument *added = add_argument(w, ARGUMENT_ARRAY);
  added->data = data;
  added->bytes = bytes;
  return data;
}

void *workload_array(workload *w, size_t count, size_t size) {
  return workload_take(w, workload_memory(count, size), count * size);
}

void workload_integer(workload *w, const char *name, int32_t value) {
  argument *added = add_argument(w, ARGUMENT_INTEGER);
  added->name = name;
  added->integer = value;
}

void workload_real(workload *w, float value) { add_argument(w, ARGUMENT_REAL)->real = value; }

// ---- random data --------------------------------------------------------------------------------

int32_t *draw_law(workload *w, const char *text, size_t count) {
  int32_t *values = workload_memory(count, sizeof *values);
  dc_error error;
  dc_distribution distribution;
  dc_sampler sampler;
  dc_status status = dc_distribution_from_text(text, NULL, &distribution, &error);
  if (status == DC_OK)
    status = dc_sampler_build(&distribution, &sampler, &error);
  if (status != DC_OK) {
    fprintf(stderr, "%s: %s: %s\n", w->of->name, text, error.text);
    exit(1);
  }
  uint32_t array = w->draws++;
  for (size_t k = 0; k < count; ++k)
    values[k] = (int32_t)dc_draw(&sampler, w->seed, (uint32_t[4]){(uint32_t)k, array, 0, 0});
  dc_sampler_free(&sampler);
  dc_distribution_free(&distribution);
  return values;
}

int32_t *draw_bounds(workload *w, const char *law, size_t count) {
  int32_t *lengths = draw_law(w, law, count);
  int32_t *begin = workload_memory(count + 1, sizeof *begin);
  for (size_t k = 0; k < count; ++k)
    begin[k + 1] = begin[k] + lengths[k];
  free(lengths);
  return begin;
}

int32_t *draw_whole(workload *w, size_t count, int32_t low, int32_t high) {
  int32_t *values = workload_memory(count, sizeof *values);
  uint32_t array = w->draws++;
  for (size_t k = 0; k < count; ++k) {
    double unit = dc_random_unit(w->seed, (uint32_t[4]){(uint32_t)k, array, 0, 0});
    values[k] = low + (int32_t)(unit * ((double)high - low + 1));
  }
  return values;
}

float *draw_reals(workload *w, size_t count) {
  float *values = workload_memory(count, sizeof *values);
  uint32_t array = w->draws++;
  for (size_t k = 0; k < count; ++k)
    values[k] = (float)(2 * dc_random_unit(w->seed, (uint32_t[4]){(uint32_t)k, array, 0, 0}) - 1);
  return values;
}

// ---- order --------------------------------------------------------------------------------------

typedef struct place {
  double at; // what it is sorted by
  size_t from;
} place;

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  int by_rank = (x->at > y->at) - (x->at < y->at);
  return by_rank ? by_rank : (x->from > y->from) - (x->from < y->from);
}

// Warps in no order: the longest ones together would be the last to end.
static void shuffle_warps(workload *w, place *places, size_t warps) {
  place *order = workload_memory(warps, sizeof *order);
  place *sorted = workload_memory(warps * WARP, sizeof *sorted);
  memcpy(sorted, places, warps * WARP * sizeof *places);
  uint32_t array = w->draws++;
  for (size_t k = 0; k < warps; ++k)
    order[k] = (place){dc_random_unit(w->seed, (uint32_t[4]){(uint32_t)k, array, 0, 0}), k};
  qsort(order, warps, sizeof *order, compare_places);
  for (size_t k = 0; k < warps; ++k)
    memcpy(places + k * WARP, sorted + order[k].from * WARP, WARP * sizeof *places);
  free(order);
  free(sorted);
}

void workload_group(workload *w, int32_t *taken, void *items, size_t count, size_t size) {
  size_t alike = 0;
  while (alike < count && taken[alike] == taken[0])
    ++alike;
  if (alike == count)
    return;
  w->grouped = true;
  place *places = workload_memory(count, sizeof *places);
  char *old = memcpy(workload_memory(count, size), items, count * size);
  for (size_t k = 0; k < count; ++k)
    places[k] = (place){taken[k], k};
  qsort(places, count, sizeof *places, compare_places);
  shuffle_warps(w, places, count / WARP);
  for (size_t k = 0; k < count; ++k) {
    memcpy((char *)items + k * size, old + places[k].from * size, size);
    taken[k] = (int32_t)places[k].at;
  }
  free(places);
  free(old);
}
