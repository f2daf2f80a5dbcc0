// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose loss is spread, so that no loop or branch alone is worth a warning: at the low end
// of what is expected nearly all lanes idle, by data; or more than the threshold do in the middle,
// and no few at the high end. Instances of one template are one finding, in the one that is worst.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include <math.h>
#include <stdlib.h>

#define DEPTH_MAX 8  // of conditions joined to one
#define MAY_IDLE 0.9 // of the lanes: less is hardly ever all that data do

// A kernel that may get a finding, or that one is about already.
typedef struct candidate {
  uint32_t kernel, estimate;
  bool told, always; // under all that is assumed
  double least;      // efficiency
  dcp_place place;
} candidate;

// Whether more may idle where data part the lanes than where their index does: a phase of one lane,
// or a share of the items, of which nobody knows how long it is.
static bool is_by_data(const dc_kernel *kernel, const dc_estimate *estimate) {
  double data = 0, index = 0;
  for (uint32_t l = 0; l < estimate->n_loops; ++l) {
    double *which = kernel->loops[l].loop_class == DC_CLASS_DATA_DEPENDENT ? &data : &index;
    *which = fmax(*which, dc_loop_share(estimate, l).high);
  }
  for (uint32_t b = 0; b < estimate->n_branches; ++b) {
    const dc_branch_estimate *branch = &estimate->branches[b];
    dc_expr condition = kernel->branches[b].condition;
    bool told =
        branch->from == DC_FROM_DERIVED ||
        (condition != DC_NO_EXPR && dcp_parts_by_index(&kernel->pool, condition, DEPTH_MAX));
    double *which = told ? &index : &data;
    *which = fmax(*which, branch->idle.high);
  }
  return data > index;
}

// Whether more idles than is worth a warning in the middle of what is expected, and at its high end
// half of that.
static bool is_worth(dc_interval efficiency, double worth) {
  double middle = (efficiency.low + efficiency.high) / 2;
  return efficiency.low >= 0 && 1 - middle > worth && 1 - efficiency.high >= worth / 2;
}

// Whether that is so in whatever it is launched with. What functions do that it calls nobody knows.
static bool always_idles(const dc_unit_kernel *kernel, double worth) {
  bool idles = false;
  if (kernel->kernel.n_calls > 0)
    return false;
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    if (!dc_estimate_decides(kernel, e))
      continue;
    if (!is_worth(kernel->estimates[e].expected_efficiency, worth))
      return false;
    idles = true;
  }
  return idles;
}

static candidate candidate_of(const dc_unit_kernel *kernel, uint32_t number, double threshold) {
  candidate out = {.kernel = number,
                   .estimate = DC_NONE,
                   .told = dcp_is_told_of(kernel),
                   .always = always_idles(kernel, threshold),
                   .least = 1,
                   .place = dcp_place_of(&kernel->kernel, kernel->kernel.location)};
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    double least = kernel->estimates[e].expected_efficiency.low;
    if (!dc_estimate_decides(kernel, e) || least < 0 || least >= out.least ||
        (!out.always && !is_by_data(&kernel->kernel, &kernel->estimates[e])))
      continue;
    out.least = least;
    out.estimate = e;
  }
  return out;
}

// By place; in one place those that are told of first, then the worst.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = dcp_compare_places(&a->place, &b->place);
  if (order)
    return order;
  if (a->told != b->told)
    return a->told ? -1 : 1;
  if (a->least != b->least)
    return a->least < b->least ? -1 : 1;
  return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static dc_status add(dc_unit_kernel *kernel, const candidate *of, unsigned instances,
                     dc_error *error) {
  char message[DCP_MESSAGE_SIZE];
  (of->always ? dcp_word_always_idle : dcp_word_spread)(
      &kernel->kernel, &kernel->estimates[of->estimate], instances, message, sizeof message);
  return dcp_add_efficiency(kernel, message, error);
}

dc_status dcp_find_spread(dc_unit *unit, const dcp_options *options, dc_error *error) {
  candidate *list = malloc(((size_t)unit->n_kernels + 1) * sizeof *list);
  double worth = options->threshold > MAY_IDLE ? options->threshold : MAY_IDLE;
  uint32_t n = 0;
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    const dc_unit_kernel *kernel = &unit->kernels[k];
    // What data decide in a library's kernel is not for users to change.
    if (kernel->n_estimates == 0 || kernel->measured.launches || !dcp_may_lose(&kernel->kernel) ||
        dcp_is_library(&kernel->kernel, kernel->kernel.location))
      continue;
    list[n] = candidate_of(kernel, k, options->threshold);
    n += list[n].told || list[n].always ||
         (list[n].estimate != DC_NONE && 1 - list[n].least > worth);
  }
  qsort(list, n, sizeof *list, compare);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < n; first = end) {
    for (end = first + 1; end < n && list[first].place.line &&
                          dcp_compare_places(&list[first].place, &list[end].place) == 0;)
      ++end;
    if (list[first].told)
      continue;
    dc_unit_kernel *worst = &unit->kernels[list[first].kernel];
    status = add(worst, &list[first], end - first, error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      status = dcp_note_other(worst, &unit->kernels[list[k].kernel], error);
  }
  free(list);
  return status;
}
