// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_UNIT_MEASURED_LINES_H
#define DIVCOST_UNIT_MEASURED_LINES_H

#include "divcost/unit.h"

// Where a measured line is in the source as it is now.
typedef struct dc__line_now {
  dc_text file; // as the kernel names it; 0: it has no such file
  uint32_t line;
} dc__line_now;

// now[measured->n_lines], of which those that the sites and accesses of `from` are at are stored. A
// line that moved, as others were inserted above it, is followed. *changed is the first line that
// isn't there any more although a share of the kernel's lane-slots, or of what its accesses take,
// is lost at it; else NULL. Errors: DC_ERROR_MEMORY. O(size of the files * lines).
dc_status dc__find_lines(const dc_measured *measured, const dc_measured_kernel *from,
                         const dc_kernel *kernel, const dc_text_source *source, dc__line_now *now,
                         const dc_measured_line **changed, dc_error *error);

#endif
