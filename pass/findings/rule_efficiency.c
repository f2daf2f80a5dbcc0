// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of which lanes idle whatever its data are, by more than the threshold, and no loop says
// so: in blocks that don't fill their warps, or in several places.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

static bool has_finding(const dc_unit_kernel *kernel, dc_rule rule) {
  for (uint32_t f = 0; f < kernel->n_findings; ++f)
    if (kernel->findings[f].rule == rule)
      return true;
  return false;
}

dc_status dcp_add_efficiency(dc_unit_kernel *kernel, const char *message, dc_error *error) {
  const char *symbol = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol);
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, DC_RULE_EFFICIENCY);
  dc_finding finding = {.rule = DC_RULE_EFFICIENCY,
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = kernel->kernel.location,
                        .fingerprint = dc_hash_text(hash, symbol)};
  return dcp_add_finding(kernel, finding, message, error);
}

dc_status dcp_find_efficiency(dc_unit *unit, const dcp_options *options, dc_error *error) {
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    uint32_t worst = dcp_least_efficient(kernel);
    if (worst == DC_NONE || kernel->measured.launches || !dcp_may_lose(&kernel->kernel) ||
        has_finding(kernel, DC_RULE_IMBALANCE))
      continue;
    const dc_estimate *estimate = &kernel->estimates[worst];
    double lost = 1 - estimate->certain_efficiency.high;
    if (!(lost > 0 && lost >= options->threshold))
      continue;
    char message[DCP_MESSAGE_SIZE];
    dcp_word_efficiency(&kernel->kernel, estimate, message, sizeof message);
    status = dcp_add_efficiency(kernel, message, error);
  }
  return status;
}
