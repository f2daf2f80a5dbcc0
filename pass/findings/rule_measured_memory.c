// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of which a profiler counted what accesses take: the lines whose accesses take twice what
// they need, or more, and whose excess is a noteworthy share of all that the kernel takes of that
// memory. What stands at one place (templates, inlining) is one finding, where it takes most of the
// program's time.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdlib.h>

typedef struct candidate {
  uint32_t kernel;
  const dc_measured_access *access;
  double weight; // share of the kernel's traffic, by its share of the program's time
  dcp_place place;
} candidate;

static dc_rule rule_of(const dc_measured_access *access) {
  return access->kind == DC_TRAFFIC_SHARED ? DC_RULE_BANK_CONFLICT : DC_RULE_COALESCING;
}

// By place; in one place the worst first.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = dcp_compare_places(&a->place, &b->place);
  if (order)
    return order;
  if (a->access->kind != b->access->kind)
    return a->access->kind < b->access->kind ? -1 : 1;
  if (a->weight != b->weight)
    return a->weight > b->weight ? -1 : 1;
  return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static uint32_t choose(const dc_unit_kernel *kernel, uint32_t number, double threshold,
                       candidate *list) {
  const dc_unit_measured *measured = &kernel->measured;
  uint32_t n = 0;
  for (uint32_t k = 0; k < measured->n_accesses; ++k) {
    const dc_measured_access *access = &measured->accesses[k];
    if (access->location == DC_NONE || access->share < threshold || !(access->taken > 0) ||
        access->taken < DCP_MEMORY_EXCESS * access->ideal)
      continue;
    list[n++] = (candidate){.kernel = number,
                            .access = access,
                            .weight = access->share *
                                      (measured->time_share >= 0 ? measured->time_share : 1),
                            .place = dcp_place_of(&kernel->kernel, access->location)};
  }
  return n;
}

// Findings of one rule and array have the fingerprints that follow from that of the first one.
static uint64_t fingerprint_of(const dc_unit_kernel *kernel, const dc_measured_access *access) {
  const dc_kernel *skeleton = &kernel->kernel;
  dc_rule rule = rule_of(access);
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, (uint64_t)rule);
  hash = dc_hash_text(hash, dc_kernel_text(skeleton, skeleton->symbol));
  hash = dc_hash_text(hash, access->access < skeleton->n_accesses
                                ? dc_kernel_text(skeleton, skeleton->accesses[access->access].name)
                                : "");
  for (uint32_t f = 0; f < kernel->n_findings;)
    if (kernel->findings[f].rule == rule && kernel->findings[f].fingerprint == hash) {
      hash = dc_hash_u64(hash, 1);
      f = 0;
    } else {
      ++f;
    }
  return hash;
}

static dc_status add(dc_unit_kernel *kernel, const candidate *of, unsigned instances,
                     dc_error *error) {
  char message[DCP_MESSAGE_SIZE];
  dcp_word_measured_access(kernel, of->access, instances, message, sizeof message);
  dc_finding finding = {.rule = rule_of(of->access),
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = of->access->location,
                        .fingerprint = fingerprint_of(kernel, of->access)};
  return dcp_add_finding(kernel, finding, message, error);
}

static bool is_same(const candidate *a, const candidate *b) {
  return a->place.line && a->access->kind == b->access->kind &&
         dcp_compare_places(&a->place, &b->place) == 0;
}

dc_status dcp_find_measured_memory(dc_unit *unit, const dcp_options *options, dc_error *error) {
  size_t most = 1;
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    most += unit->kernels[k].measured.n_accesses;
  candidate *list = malloc(most * sizeof *list);
  uint32_t n = 0;
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    n += choose(&unit->kernels[k], k, options->threshold, list + n);
  qsort(list, n, sizeof *list, compare);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < n; first = end) {
    for (end = first + 1; end < n && is_same(&list[first], &list[end]);)
      ++end;
    dc_unit_kernel *worst = &unit->kernels[list[first].kernel];
    unsigned kernels = dcp_count_kernels(&list[first].kernel, sizeof *list, end - first);
    status = add(worst, &list[first], kernels, error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      status = dcp_note_other(worst, &unit->kernels[list[k].kernel], error);
  }
  free(list);
  return status;
}
