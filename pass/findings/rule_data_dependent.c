// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose lanes part by values that only the run knows gets one finding, for the loop that
// loses most if the lanes are independent, where that reaches the threshold even for the narrowest
// distribution that is assumed.
#include "findings/messages.h"
#include "findings/rules.h"

dc_status dcp_find_data_dependent(dc_unit *unit, const dcp_options *options, dc_error *error) {
  static const dcp_loop_rule rule = {.rule = DC_RULE_DATA_DEPENDENT,
                                     .assumed = true,
                                     .one_per_kernel = true,
                                     .word = dcp_word_data_dependent};
  return dcp_find_loops(unit, &rule, options->threshold, error);
}
