// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *words_at_call(const dc_kernel *kernel, const dc_finding *finding,
                           const char *message) {
  static const char format[] = "in '%s', called here: %s";
  const char *called =
      finding->barrier == DC_NONE ? dcp_called_library(kernel, finding->location) : NULL;
  size_t size = strlen(message) + 1 + (called ? sizeof format + strlen(called) : 0);
  char *words = malloc(size);
  if (words && called)
    snprintf(words, size, format, called, message);
  else if (words)
    memcpy(words, message, size);
  return words;
}

// What data decide in a library's code is not for users to change: a wait for others, a search.
static bool is_librarys(const dc_kernel *kernel, const dc_finding *finding) {
  return dcp_is_library(kernel, finding->location) &&
         (finding->rule == DC_RULE_BRANCH ||
          (finding->rule == DC_RULE_DATA_DEPENDENT &&
           kernel->loops[finding->loop].loop_class == DC_CLASS_DATA_DEPENDENT));
}

void dcp_suppress(dc_finding *finding, dc_suppressor by) {
  if (!finding->suppressed)
    finding->by = by;
  finding->suppressed = true;
}

dc_status dcp_add_finding(dc_unit_kernel *kernel, dc_finding finding, const char *message,
                          dc_error *error) {
  dc_finding *larger = realloc(kernel->findings, ((size_t)kernel->n_findings + 1) * sizeof *larger);
  if (larger)
    kernel->findings = larger;
  finding.message = larger ? words_at_call(&kernel->kernel, &finding, message) : NULL;
  if (!finding.message)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  if (!kernel->measured.launches && is_librarys(&kernel->kernel, &finding))
    dcp_suppress(&finding, DC_BY_LIBRARY);
  if (finding.barrier == DC_NONE)
    finding.location = dcp_users_location(&kernel->kernel, finding.location);
  kernel->findings[kernel->n_findings++] = finding;
  return DC_OK;
}

unsigned dcp_count_kernels(const uint32_t *kernel, size_t apart, uint32_t n) {
  const char *first = (const char *)kernel;
  unsigned count = 0;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t before = 0;
    while (before < k && memcmp(first + before * apart, first + k * apart, sizeof *kernel) != 0)
      ++before;
    count += before == k;
  }
  return count;
}

dc_status dcp_note_other(dc_unit_kernel *kernel, const dc_unit_kernel *other, dc_error *error) {
  dc_name_list *others = &kernel->findings[kernel->n_findings - 1].others;
  const char *name = dc_kernel_text(&other->kernel, other->kernel.name);
  if (other == kernel || dc_name_list_add_once(others, name))
    return DC_OK;
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

dc_status dcp_add_loop_finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop,
                               const char *message, dc_error *error) {
  const dc_loop *statement = &kernel->kernel.loops[loop];
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, (uint64_t)rule);
  dc_finding finding = {.rule = rule,
                        .loop = loop,
                        .barrier = DC_NONE,
                        .location = statement->location,
                        .fingerprint = dc_hash_u64(hash, statement->id),
                        .suppressed = dc_rule_about(rule)->of_cost && statement->ignored};
  return dcp_add_finding(kernel, finding, message, error);
}
