// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that are much less than sizes are: the radius of a window, an apron, a pattern's
// length.
#ifndef DIVCOST_KERNEL_SMALL_PARAMS_H
#define DIVCOST_KERNEL_SMALL_PARAMS_H

#include "divcost/kernel.h"

// Sets `small` of params[n_params]: of those that aren't known, are subtracted in trip counts or
// conditions (x - r, 64 - 2 * r, n - m), or count a window (2 * r + 1), and of which no index is
// said to be below. role[n_params], for its own use, is all zeroes before. O(loops + branches).
void dc__find_small_params(const dc_kernel *kernel, uint8_t *role, dc_param *params);

static inline bool dc__is_small(const dc_kernel *kernel, const dc_expr_node *node) {
  return node->op == DC_OP_PARAM && node->i >= 0 && node->i < (int64_t)kernel->n_params &&
         kernel->params[node->i].small;
}

// What is assumed of them where `assumed` is of other values.
int64_t dc__assumed_small(int64_t assumed);

#endif
