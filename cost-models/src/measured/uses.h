// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instructions use, added up by their lines.
#ifndef DIVCOST_USES_H
#define DIVCOST_USES_H

#include "divcost/measured.h"

typedef struct dc_use_sums {
  dc_line_use *list; // as they were added
  uint32_t n, capacity;
  uint32_t *lines;
  uint32_t n_lines, lines_capacity;
  dc_instruction_use all;
} dc_use_sums;

// Adds a use at so many lines, the own one last. False: out of memory. Amortised O(n).
bool dc__uses_add(dc_use_sums *sums, const uint32_t *lines, uint32_t n,
                  const dc_instruction_use *use);

// Adds what a whole has more than all that was added: samples, and the traffic of kinds that were
// known of some use. False: out of memory.
bool dc__uses_add_rest(dc_use_sums *sums, const dc_instruction_use *whole);

// Gives the kernel the sums. False: out of memory. O(n log n) lists of lines.
bool dc__uses_finish(const dc_use_sums *sums, dc_measured_kernel *kernel);

void dc__uses_free(dc_use_sums *sums);

#endif
