// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a profiler measured: the places at which more than the threshold of their lane-slots
// idle, and where several make it up, the worst. They go by the names of the rules that estimate: a
// loop is imbalance, a branch is branch, all else is efficiency. What stands at one place of the
// source (templates, inlining) is one finding, where it takes most of the program's time.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdlib.h>

typedef struct candidate {
  uint32_t kernel;
  const dc_measured_part *part; // NULL: what can't be told
  double weight;                // share of the program's time whose lane-slots idle
  dcp_place place, own;
} candidate;

static int compare_places(const candidate *a, const candidate *b) {
  int order = dcp_compare_places(&a->place, &b->place);
  return order ? order : dcp_compare_places(&a->own, &b->own);
}

// By place; in one place the worst first.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = compare_places(a, b);
  if (order)
    return order;
  if (a->weight != b->weight)
    return a->weight > b->weight ? -1 : 1;
  return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static candidate candidate_of(const dc_unit_kernel *kernel, uint32_t number,
                              const dc_measured_part *part) {
  const dc_unit_measured *measured = &kernel->measured;
  double share = part ? part->share : measured->untold;
  uint32_t location = part ? part->location : DC_NONE;
  return (candidate){.kernel = number,
                     .part = part,
                     .weight = share * (measured->time_share >= 0 ? measured->time_share : 1),
                     .place = dcp_place_of(&kernel->kernel, location),
                     .own = dcp_own_place_of(&kernel->kernel, location)};
}

// Adds what is to be said of a kernel; its parts are in order, worst first.
static uint32_t choose(const dc_unit_kernel *kernel, uint32_t number, double threshold,
                       candidate *list) {
  const dc_unit_measured *measured = &kernel->measured;
  uint32_t n = 0;
  if (!measured->launches || 1 - measured->efficiency < threshold)
    return 0;
  if (measured->untold >= threshold)
    list[n++] = candidate_of(kernel, number, NULL);
  for (uint32_t k = 0; k < measured->n_parts; ++k) {
    const dc_measured_part *part = &measured->parts[k];
    if (n > 0 && part->share < threshold)
      break;
    list[n++] = candidate_of(kernel, number, part);
  }
  return n;
}

static dc_status add(dc_unit_kernel *kernel, const candidate *of, unsigned instances,
                     double threshold, dc_error *error) {
  const dc_kernel *skeleton = &kernel->kernel;
  const dc_measured_part *part = of->part;
  char message[DCP_MESSAGE_SIZE];
  dcp_word_measured(kernel, part, instances, threshold, message, sizeof message);
  bool large = part && part->share >= threshold;
  if (large && part->loop != DC_NONE)
    return dcp_add_loop_finding(kernel, DC_RULE_IMBALANCE, part->loop, message, error);
  dc_rule rule = large && part->branch != DC_NONE ? DC_RULE_BRANCH : DC_RULE_EFFICIENCY;
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, (uint64_t)rule);
  dc_finding finding = {
      .rule = rule,
      .loop = DC_NONE,
      .barrier = DC_NONE,
      .location = part && part->location != DC_NONE ? part->location : skeleton->location,
      .fingerprint = dc_hash_text(hash, dc_kernel_text(skeleton, skeleton->symbol))};
  return dcp_add_finding(kernel, finding, message, error);
}

dc_status dcp_find_measured(dc_unit *unit, const dcp_options *options, dc_error *error) {
  size_t most = 1;
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    most += unit->kernels[k].measured.n_parts + 1;
  candidate *list = malloc(most * sizeof *list);
  uint32_t n = 0;
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    n += choose(&unit->kernels[k], k, options->threshold, list + n);
  qsort(list, n, sizeof *list, compare);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < n; first = end) {
    for (end = first + 1;
         end < n && list[first].place.line && compare_places(&list[first], &list[end]) == 0;)
      ++end;
    status = add(&unit->kernels[list[first].kernel], &list[first], end - first, options->threshold,
                 error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      status =
          dcp_note_other(&unit->kernels[list[first].kernel], &unit->kernels[list[k].kernel], error);
  }
  free(list);
  return status;
}
