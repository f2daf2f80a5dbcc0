// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose loops could lose a noteworthy share of its cycles, but only under an assumption,
// gets one finding, for the loop that could lose most.
#include "findings/messages.h"
#include "findings/rules.h"

// The loop that could lose most, where what is known does not settle it, of those that are ignored
// or not; DC_NONE: none could.
static uint32_t find_unsettled(const dc_unit_kernel *kernel, double threshold, bool ignored) {
  uint32_t chosen = DC_NONE;
  double most = 0;
  for (uint32_t l = 0; l < kernel->kernel.n_loops; ++l) {
    if ((kernel->kernel.loops[l].ignored != 0) != ignored)
      continue;
    for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
      dc_interval share = dc_loop_share(&kernel->estimates[e], l);
      if (kernel->estimates[e].loops[l].from >= DC_FROM_RANGE && share.low < threshold &&
          share.high >= threshold && share.high > most) {
        chosen = l;
        most = share.high;
      }
    }
  }
  return chosen;
}

dc_status dcp_find_data_dependent(dc_unit *unit, const dcp_options *options, dc_error *error) {
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < 2 * unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k / 2];
    uint32_t loop = find_unsettled(kernel, options->threshold, k % 2 == 1);
    if (loop == DC_NONE)
      continue;
    char message[DCP_MESSAGE_SIZE];
    dcp_word_data_dependent(&kernel->kernel, loop, message, sizeof message);
    status = dcp_add_loop_finding(kernel, DC_RULE_DATA_DEPENDENT, loop, message, error);
  }
  return status;
}
