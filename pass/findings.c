// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses what to report. A loop is worth a warning where the share of its kernel's cycles that it
// loses reaches the threshold at the low end of what is known (dc_loop_share). A kernel whose loops
// could lose as much, but only under an assumption, gets one data-dependent finding, for the loop
// that could lose most. Loops of one statement (templates, inlining) are one finding, kept at the
// worst. The finding of a loop that an annotation ignores is there too, suppressed.
#include "findings.h"

#include "wording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 640

static uint64_t mix(uint64_t hash, uint64_t value) { // FNV-1a, by bytes
  for (unsigned byte = 0; byte < 8; ++byte)
    hash = (hash ^ (value >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
  return hash;
}

static dc_status add_finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop, uint32_t location,
                             const char *message, dc_error *error) {
  dc_finding *larger = realloc(kernel->findings, ((size_t)kernel->n_findings + 1) * sizeof *larger);
  if (larger)
    kernel->findings = larger;
  char *copy = larger ? malloc(strlen(message) + 1) : NULL;
  if (!copy)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  strcpy(copy, message);
  uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), (uint64_t)rule);
  if (loop != DC_NONE)
    hash = mix(hash, kernel->kernel.loops[loop].id);
  else
    for (const char *c = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol); *c; ++c)
      hash = mix(hash, (unsigned char)*c);
  kernel->findings[kernel->n_findings++] =
      (dc_finding){.rule = rule,
                   .loop = loop,
                   .location = location,
                   .message = copy,
                   .fingerprint = hash,
                   .suppressed = loop != DC_NONE && kernel->kernel.loops[loop].ignored};
  return DC_OK;
}

static dc_status give_up(dc_unit_kernel *kernel, const char *reason, dc_error *error) {
  char message[MESSAGE_SIZE];
  snprintf(message, sizeof message, "kernel '%.200s' is not estimated: %s",
           dc_kernel_text(&kernel->kernel, kernel->kernel.name), reason);
  return add_finding(kernel, DC_RULE_GAVE_UP, DC_NONE, kernel->kernel.location, message, error);
}

static dc_status estimate_kernel(dc_unit_kernel *kernel, const dc_arch *arch, dc_error *error) {
  dc_error reason;
  dc_arch_predicate(arch, &kernel->kernel);
  dc_status status = dc_unit_estimate(kernel, arch, 1, &reason);
  if (status == DC_ERROR_MEMORY)
    return dc_fail(error, status, "out of memory");
  return status == DC_OK ? DC_OK : give_up(kernel, reason.text, error);
}

uint32_t dcp_worst_estimate(const dc_unit_kernel *kernel, uint32_t loop) {
  uint32_t worst = 0;
  for (uint32_t e = 1; e < kernel->n_estimates; ++e)
    if (dc_loop_share(&kernel->estimates[e], loop).low >
        dc_loop_share(&kernel->estimates[worst], loop).low)
      worst = e;
  return worst;
}

// A loop of some kernel, as an instance of a statement of the source.
typedef struct instance {
  uint32_t kernel, loop;
  dc_span share;
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
      dc_span share = dc_loop_share(&kernel->estimates[dcp_worst_estimate(kernel, l)], l);
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

static dc_status find_imbalance(dc_unit *unit, const dcp_options *options, dc_error *error) {
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
    const dc_estimate *estimate = &kernel->estimates[dcp_worst_estimate(kernel, worst->loop)];
    char message[MESSAGE_SIZE];
    dcp_word_imbalance(&kernel->kernel, worst->loop, estimate, end - first, message,
                       sizeof message);
    status = add_finding(kernel, DC_RULE_IMBALANCE, worst->loop,
                         kernel->kernel.loops[worst->loop].location, message, error);
  }
  free(instances);
  return status;
}

// The loop that could lose most, where what is known does not settle it, of those that are ignored
// or not; DC_NONE: none could.
static uint32_t find_unsettled(const dc_unit_kernel *kernel, double threshold, bool ignored) {
  uint32_t chosen = DC_NONE;
  double most = 0;
  for (uint32_t l = 0; l < kernel->kernel.n_loops; ++l) {
    if ((kernel->kernel.loops[l].ignored != 0) != ignored)
      continue;
    for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
      dc_span share = dc_loop_share(&kernel->estimates[e], l);
      if (kernel->estimates[e].loops[l].from >= DC_FROM_RANGE && share.low < threshold &&
          share.high >= threshold && share.high > most) {
        chosen = l;
        most = share.high;
      }
    }
  }
  return chosen;
}

static dc_status find_data_dependent(dc_unit *unit, const dcp_options *options, dc_error *error) {
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < 2 * unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k / 2];
    uint32_t loop = find_unsettled(kernel, options->threshold, k % 2 == 1);
    if (loop == DC_NONE)
      continue;
    char message[MESSAGE_SIZE];
    dcp_word_data_dependent(&kernel->kernel, loop, message, sizeof message);
    status = add_finding(kernel, DC_RULE_DATA_DEPENDENT, loop, kernel->kernel.loops[loop].location,
                         message, error);
  }
  return status;
}

// Whether lanes may leave one of its loops in different iterations.
static bool may_lose(const dc_kernel *kernel) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    if (kernel->loops[l].level >= DC_DIVERGENT)
      return true;
  return false;
}

dc_status dcp_find(dc_unit *unit, unsigned sm, const dcp_options *options, bool only_findings,
                   dc_error *error) {
  dc_arch arch;
  dc_error reason;
  bool known = dcp_options_arch(options, sm, &arch, &reason) == DC_OK;
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    if (only_findings && !may_lose(&kernel->kernel))
      continue;
    dc_status status =
        known ? estimate_kernel(kernel, &arch, error) : give_up(kernel, reason.text, error);
    if (status != DC_OK)
      return status;
  }
  dc_status status = find_imbalance(unit, options, error);
  return status == DC_OK ? find_data_dependent(unit, options, error) : status;
}
