// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that are much less than sizes are: the radius of a window, an apron, a pattern's
// length, the colour of a red-black sweep, where the items of a launch begin.
#ifndef DIVCOST_KERNEL_SMALL_PARAMS_H
#define DIVCOST_KERNEL_SMALL_PARAMS_H

#include "kernel/unknowns.h"

// Sets `small` of params[n_params]: of those that aren't known, are subtracted in trip counts or
// conditions (x - r, 64 - 2 * r, n - m), count a window (2 * r + 1), or are added to an index that
// another one bounds (start + i < n), or are how many items each thread has (min(i * c + c, n), or
// i * c < n where a loop goes up to c), and of which no index is said to be below; and of those
// that a remainder is compared with (i % 2 == color, i & 1 == color). False: out of memory. O(loops
// + branches).
bool dc__mark_small_params(const dc_kernel *kernel, dc_param *params);

static inline bool dc__is_small(const dc_kernel *kernel, const dc_expr_node *node) {
  return dc__is_unknown_param(kernel, node) && kernel->params[node->i].small != DC_PARAM_ANY;
}

// What is assumed of a parameter that is small where `assumed` is of other values; of another one
// 0.
int64_t dc__assumed_small(const dc_param *param, int64_t assumed);

#endif
