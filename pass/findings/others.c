// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding in a function that several kernels call stands at the one that loses most there, and
// names the others. Other instances of a template are no other kernels to users.
#include "findings/messages.h"
#include "findings/rules.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_function(const dc_kernel *a, const dc_kernel *b) {
  dcp_place of_a = dcp_own_place_of(a, a->location), of_b = dcp_own_place_of(b, b->location);
  return dcp_compare_places(&of_a, &of_b) == 0;
}

static bool has_function(const dc_kernel *const *kernels, uint32_t n, const dc_kernel *kernel) {
  for (uint32_t k = 0; k < n; ++k)
    if (is_same_function(kernels[k], kernel))
      return true;
  return false;
}

// Kernels of other functions on a finding's list, each function once.
static uint32_t list_others(const dc_unit *unit, const dc_kernel *kernel, const dc_finding *finding,
                            const dc_kernel **list) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    const dc_kernel *other = &unit->kernels[k].kernel;
    if (dc_name_list_has(&finding->others, dc_kernel_text(other, other->name)) &&
        !is_same_function(kernel, other) && !has_function(list, n, other))
      list[n++] = other;
  }
  return n;
}

static dc_status append(dc_finding *finding, const char *words, dc_error *error) {
  size_t length = strlen(finding->message), added = strlen(words);
  char *longer = realloc(finding->message, length + added + 1);
  if (!longer)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  memcpy(longer + length, words, added + 1);
  finding->message = longer;
  return DC_OK;
}

dc_status dcp_name_others(dc_unit *unit, dc_error *error) {
  const dc_kernel **list = malloc(((size_t)unit->n_kernels + 1) * sizeof *list);
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = DC_OK;
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    for (uint32_t f = 0; f < kernel->n_findings && status == DC_OK; ++f) {
      dc_finding *finding = &kernel->findings[f];
      uint32_t n = finding->others.count ? list_others(unit, &kernel->kernel, finding, list) : 0;
      char words[DCP_MESSAGE_SIZE];
      if (n == 0)
        continue;
      dcp_word_others(list, n, words, sizeof words);
      status = append(finding, words, error);
    }
  }
  free(list);
  return status;
}
