// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is worth a warning where the share of its kernel's issue cycles that it loses reaches the
// threshold (dc_loop_share), and nothing is assumed of its own trip counts: they follow from code
// and launch, or somebody gave or measured them.
#include "findings/messages.h"
#include "findings/rules.h"

dc_status dcp_find_imbalance(dc_unit *unit, const dcp_options *options, dc_error *error) {
  static const dcp_loop_rule rule = {
      .rule = DC_RULE_IMBALANCE, .assumed = false, .word = dcp_word_imbalance};
  return dcp_find_loops(unit, &rule, options->threshold, error);
}
