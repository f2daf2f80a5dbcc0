// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is worth a warning where the share of its kernel's cycles that it loses reaches the
// threshold at the low end of what is known (dc_loop_share). Loops of one statement (templates,
// inlining) are one finding, kept at the worst.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include <stdlib.h>
#include <string.h>

// A loop of some kernel, as an instance of a statement of the source.
typedef struct instance {
  uint32_t kernel, loop;
  dc_interval share;
  const char *file;
  uint32_t line, column;
} instance;

static int compare_statements(const instance *a, const instance *b) {
  int order = strcmp(a->file, b->file);
  if (order)
    return order;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

// By statement; worst first within one.
static int compare_instances(const void *left, const void *right) {
  const instance *a = left, *b = right;
  int order = compare_statements(a, b);
  if (order)
    return order;
  if (a->share.low != b->share.low)
    return a->share.low > b->share.low ? -1 : 1;
  if (a->kernel != b->kernel)
    return a->kernel < b->kernel ? -1 : 1;
  return a->loop < b->loop ? -1 : a->loop > b->loop;
}

// All loops that have a place in the source; NULL when memory is out.
static instance *list_instances(const dc_unit *unit, uint32_t *count) {
  size_t n = 0;
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    n += unit->kernels[k].kernel.n_loops;
  instance *instances = malloc((n ? n : 1) * sizeof *instances);
  *count = 0;
  for (uint32_t k = 0; instances && k < unit->n_kernels; ++k) {
    const dc_unit_kernel *kernel = &unit->kernels[k];
    for (uint32_t l = 0; kernel->n_estimates && l < kernel->kernel.n_loops; ++l) {
      uint32_t location = kernel->kernel.loops[l].location;
      const dc_location *place = location == DC_NONE ? NULL : &kernel->kernel.locations[location];
      dc_interval share = dc_loop_share(&kernel->estimates[dcp_deciding_estimate(kernel, l)], l);
      instances[(*count)++] = (instance){k,
                                         l,
                                         share,
                                         place ? dc_kernel_text(&kernel->kernel, place->file) : "",
                                         place ? place->line : 0,
                                         place ? place->column : 0};
    }
  }
  return instances;
}

dc_status dcp_find_imbalance(dc_unit *unit, const dcp_options *options, dc_error *error) {
  uint32_t count;
  instance *instances = list_instances(unit, &count);
  if (!instances)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  qsort(instances, count, sizeof *instances, compare_instances);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < count; first = end) {
    const instance *worst = &instances[first];
    // Without a place each loop stands for itself.
    for (end = first + 1;
         end < count && worst->line && !compare_statements(worst, &instances[end]);)
      ++end;
    if (!(worst->share.low > 0 && worst->share.low >= options->threshold))
      continue;
    dc_unit_kernel *kernel = &unit->kernels[worst->kernel];
    const dc_estimate *estimate = &kernel->estimates[dcp_deciding_estimate(kernel, worst->loop)];
    char message[DCP_MESSAGE_SIZE];
    dcp_word_imbalance(&kernel->kernel, worst->loop, estimate, end - first, message,
                       sizeof message);
    status = dcp_add_loop_finding(kernel, DC_RULE_IMBALANCE, worst->loop, message, error);
  }
  free(instances);
  return status;
}
