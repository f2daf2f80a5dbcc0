// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel of one build is which of another.
#ifndef DIVCOST_TOOLS_DIFF_MATCH_H
#define DIVCOST_TOOLS_DIFF_MATCH_H

#include "divcost/unit.h"

typedef struct match_pair {
  uint32_t before, after; // indices of kernels, or DC_NONE
} match_pair;

// Pairs kernels of the same symbol: those in the same file, then those whose files have the same
// name and the most folders in common (other checkouts have other paths), then those that are alone
// with their symbol on both sides (a file was renamed). What is left is without a partner. *pairs
// is released with free. Errors: DC_ERROR_MEMORY, or what getting a kernel met. O(n log n), and of
// the kernels of one symbol quadratic.
dc_status match_kernels(const dc_kernels *before, const dc_kernels *after, match_pair **pairs,
                        uint32_t *count, dc_error *error);

#endif
