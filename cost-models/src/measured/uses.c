// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measured/uses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_something(const dc_instruction_use *use) {
  return dc_instruction_samples(use) > 0 || use->traffic[DC_TRAFFIC_GLOBAL].taken > 0 ||
         use->traffic[DC_TRAFFIC_SHARED].taken > 0;
}

// Room for `more` elements. False: out of memory.
static bool grow(void **array, uint32_t count, uint32_t more, uint32_t *capacity, size_t size) {
  if (more <= *capacity - count)
    return true;
  uint64_t wanted = 2 * (uint64_t)*capacity + more + 64;
  void *larger = wanted <= UINT32_MAX ? realloc(*array, wanted * size) : NULL;
  if (!larger)
    return false;
  *array = larger;
  *capacity = (uint32_t)wanted;
  return true;
}

bool dc__uses_add(dc_use_sums *sums, const uint32_t *lines, uint32_t n,
                  const dc_instruction_use *use) {
  dc_instruction_use_add(&sums->all, use);
  if (!is_something(use))
    return true;
  if (!grow((void **)&sums->list, sums->n, 1, &sums->capacity, sizeof *sums->list) ||
      !grow((void **)&sums->lines, sums->n_lines, n, &sums->lines_capacity, sizeof *sums->lines))
    return false;
  if (n)
    memcpy(sums->lines + sums->n_lines, lines, n * sizeof *lines);
  sums->list[sums->n++] = (dc_line_use){sums->n_lines, n, *use};
  sums->n_lines += n;
  return true;
}

bool dc__uses_add_rest(dc_use_sums *sums, const dc_instruction_use *whole) {
  dc_instruction_use rest = {0};
  for (unsigned w = 0; sums->all.sampled && w < DC_WAIT_COUNT; ++w)
    rest.samples[w] = fmax(0, whole->samples[w] - sums->all.samples[w]);
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t) {
    const dc_traffic *all = &whole->traffic[t], *part = &sums->all.traffic[t];
    double taken = all->taken - part->taken, ideal = all->ideal - part->ideal;
    rest.traffic[t].known = all->known && all->taken == 0; // nothing is at no line
    if (all->known && part->known && taken > 0)
      rest.traffic[t] =
          (dc_traffic){.known = true, .taken = taken, .ideal = fmin(fmax(0, ideal), taken)};
  }
  return dc__uses_add(sums, NULL, 0, &rest);
}

// A use, to be sorted by its lines.
typedef struct sorted {
  const uint32_t *lines;
  const dc_line_use *of;
} sorted;

static int compare(const void *x, const void *y) {
  const sorted *a = x, *b = y;
  for (uint32_t k = 0; k < a->of->n_lines && k < b->of->n_lines; ++k)
    if (a->lines[k] != b->lines[k])
      return a->lines[k] < b->lines[k] ? -1 : 1;
  return (a->of->n_lines > b->of->n_lines) - (a->of->n_lines < b->of->n_lines);
}

// Appends the uses list[n], which are in order; those of the same lines are one.
static void append_merged(const sorted *list, uint32_t n, dc_measured_kernel *kernel) {
  for (uint32_t k = 0; k < n; ++k) {
    if (k && compare(&list[k], &list[k - 1]) == 0) {
      dc_instruction_use_add(&kernel->uses[kernel->n_uses - 1].use, &list[k].of->use);
      continue;
    }
    uint32_t n_lines = list[k].of->n_lines;
    if (n_lines)
      memcpy(kernel->use_lines + kernel->n_use_lines, list[k].lines, n_lines * sizeof(uint32_t));
    kernel->uses[kernel->n_uses++] = (dc_line_use){kernel->n_use_lines, n_lines, list[k].of->use};
    kernel->n_use_lines += n_lines;
  }
}

bool dc__uses_finish(const dc_use_sums *sums, dc_measured_kernel *kernel) {
  sorted *order = malloc(((size_t)sums->n + 1) * sizeof *order);
  kernel->uses = malloc(((size_t)sums->n + 1) * sizeof *kernel->uses);
  kernel->use_lines = malloc(((size_t)sums->n_lines + 1) * sizeof *kernel->use_lines);
  bool good = order && kernel->uses && kernel->use_lines;
  for (uint32_t k = 0; good && k < sums->n; ++k)
    order[k] = (sorted){sums->lines + sums->list[k].first_line, &sums->list[k]};
  if (good) {
    qsort(order, sums->n, sizeof *order, compare);
    append_merged(order, sums->n, kernel);
  }
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t)
    kernel->traffic_known[t] = sums->all.traffic[t].known;
  free(order);
  return good;
}

void dc__uses_free(dc_use_sums *sums) {
  free(sums->list);
  free(sums->lines);
}
