// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with its estimates as the page shows it: all words and figures, as JSON. The command
// writes it into the page, and the page makes it again by the same code for what-if questions.
#ifndef DIVCOST_TOOLS_HTML_DESCRIBE_H
#define DIVCOST_TOOLS_HTML_DESCRIBE_H

#include "report/html/json_text.h"

#include "divcost/unit.h"

// Members: name, symbol, at, launches, values, params, branches, costs, estimates, shown (the
// estimate that the loops are of, -1: none), loops, forks (divergent branches that leave no loop,
// where they matter), accesses (that take more than they need, the worst first), lines (what the
// accesses of each line of the source take: sums for each unit, and the accesses). A place is
// [file, line, column], as far as it is known. An interval is [low, high]. A figure is [label,
// words, whether they are code]. page/kernel.js reads it.
void dc__describe_kernel(html_json *json, const dc_unit_kernel *of);

// A place of the kernel as member `key`; nothing if it isn't known.
void dc__describe_place(html_json *json, const char *key, const dc_kernel *kernel,
                        uint32_t location);

// The distributions that the loop's trip counts follow under its estimate: one that was given; the
// two ends of what is assumed; or none, where they are derived, or all lanes agree. Each ends with
// a zero, and lives as long as kernel and *assumed.
unsigned dc__describe_distributions(const dc_kernel *kernel, uint32_t index,
                                    const dc_loop_estimate *figures,
                                    dc_assumed_distributions *assumed,
                                    const char *distributions[2]);

#endif
