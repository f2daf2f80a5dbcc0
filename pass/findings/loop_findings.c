// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of one statement of the source (templates, inlining) are one finding, kept at the worst.
#include "findings/findings.h"
#include "findings/rules.h"

#include <stdlib.h>
#include <string.h>

// A loop of some kernel, as an instance of a statement of the source.
typedef struct instance {
  uint32_t kernel, loop;
  bool chosen;
  double lost;
  dcp_place place, own; // where users see it, and where it stands
} instance;

static int compare_statements(const instance *a, const instance *b) {
  int order = dcp_compare_places(&a->place, &b->place);
  return order ? order : dcp_compare_places(&a->own, &b->own);
}

// By statement; within one, those chosen first, and the worst of them.
static int compare_instances(const void *left, const void *right) {
  const instance *a = left, *b = right;
  int order = compare_statements(a, b);
  if (order)
    return order;
  if (a->chosen != b->chosen)
    return a->chosen ? -1 : 1;
  if (a->lost != b->lost)
    return a->lost > b->lost ? -1 : 1;
  if (a->kernel != b->kernel)
    return a->kernel < b->kernel ? -1 : 1;
  return a->loop < b->loop ? -1 : a->loop > b->loop;
}

static void list_loops(const dc_unit_kernel *kernel, uint32_t number, instance *list) {
  for (uint32_t l = 0; l < kernel->kernel.n_loops; ++l) {
    const dc_estimate *estimate = &kernel->estimates[dcp_deciding_estimate(kernel, l)];
    list[l] =
        (instance){.kernel = number,
                   .loop = l,
                   .lost = dc_loop_share(estimate, l).low,
                   .place = dcp_place_of(&kernel->kernel, kernel->kernel.loops[l].location),
                   .own = dcp_own_place_of(&kernel->kernel, kernel->kernel.loops[l].location)};
  }
}

// Of the loops that a kernel's rule is about and that lose enough: all, or the worst that is
// ignored and the worst that isn't.
static void choose(const dc_unit_kernel *kernel, const dcp_loop_rule *rule, double threshold,
                   instance *list) {
  instance *worst[2] = {NULL, NULL};
  for (uint32_t l = 0; l < kernel->kernel.n_loops; ++l) {
    const dc_estimate *estimate = &kernel->estimates[dcp_deciding_estimate(kernel, l)];
    const dc_loop_estimate *figures = &estimate->loops[l];
    // What follows from code and launch must hold however long the loops beside it are.
    double lost = figures->from == DC_FROM_DERIVED ? figures->least_share : list[l].lost;
    bool enough = lost > 0 && lost >= threshold;
    if (!enough || (estimate->loops[l].from >= DC_FROM_RANGE) != rule->assumed)
      continue;
    instance **one = &worst[kernel->kernel.loops[l].ignored != 0];
    if (rule->one_per_kernel && *one && (*one)->lost >= list[l].lost)
      continue;
    if (rule->one_per_kernel && *one)
      (*one)->chosen = false;
    list[l].chosen = true;
    *one = &list[l];
  }
}

// All loops; NULL when memory is out.
static instance *list_instances(const dc_unit *unit, const dcp_loop_rule *rule, double threshold,
                                uint32_t *count) {
  size_t n = 0;
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    n += unit->kernels[k].kernel.n_loops;
  instance *instances = malloc((n ? n : 1) * sizeof *instances);
  *count = 0;
  for (uint32_t k = 0; instances && k < unit->n_kernels; ++k) {
    const dc_unit_kernel *kernel = &unit->kernels[k];
    if (kernel->n_estimates == 0 || kernel->measured.launches)
      continue;
    list_loops(kernel, k, instances + *count);
    choose(kernel, rule, threshold, instances + *count);
    *count += kernel->kernel.n_loops;
  }
  return instances;
}

dc_status dcp_find_loops(dc_unit *unit, const dcp_loop_rule *rule, double threshold,
                         dc_error *error) {
  uint32_t count;
  instance *instances = list_instances(unit, rule, threshold, &count);
  if (!instances)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  qsort(instances, count, sizeof *instances, compare_instances);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < count; first = end) {
    const instance *worst = &instances[first];
    // Without a place each loop stands for itself.
    for (end = first + 1;
         end < count && worst->place.line && compare_statements(worst, &instances[end]) == 0;)
      ++end;
    if (!worst->chosen)
      continue;
    dc_unit_kernel *kernel = &unit->kernels[worst->kernel];
    const dc_estimate *estimate = &kernel->estimates[dcp_deciding_estimate(kernel, worst->loop)];
    char message[DCP_MESSAGE_SIZE];
    rule->word(&kernel->kernel, worst->loop, estimate, end - first, message, sizeof message);
    status = dcp_add_loop_finding(kernel, rule->rule, worst->loop, message, error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      if (instances[k].chosen)
        status = dcp_note_other(kernel, &unit->kernels[instances[k].kernel], error);
  }
  free(instances);
  return status;
}
