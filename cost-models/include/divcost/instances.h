// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports show of the kernels of a build. Instances of templates are folded: of those that
// come from one declaration, reports have the worst, and of each finding the worst instance that
// has it; the others are names. Kernels whose code is all in system headers are left out.
//
//     dc_folded *folded;
//     status = dc_instances_fold(&kernels, &options, &folded, &shown, &error);
//     ... shown: to a writer ...
//     dc_folded_free(folded);
#ifndef DIVCOST_INSTANCES_H
#define DIVCOST_INSTANCES_H

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_folded dc_folded;

// All zeroes is what people want to see.
typedef struct dc_fold_options {
  bool all_instances;  // none is folded
  bool system_headers; // kernels of these are kept
} dc_fold_options;

// Instances are kernels of one name, template arguments and parameters aside, declared on one line
// of one file. Kept are, in their order: of each template the first in the order of dc_worst_first,
// or of those that lose as much the one with most findings; of each rule, file, line and column of
// its findings (ignored ones apart) the first that has one there; and what has the symbol of a kept
// kernel, for other architectures. The first gets the names of all that aren't kept
// (dc_unit_kernel.instances), each finding those of them that have it, too, where it isn't another
// one's (dc_finding.others). Folding again what was folded changes nothing.
//
// *to becomes the kernels that are kept; `all` must outlive it, and *folded is released with
// dc_folded_free, in any case. Errors: DC_ERROR_MEMORY, or what getting a kernel met. Each kernel
// is looked at twice. O(size + n log n).
dc_status dc_instances_fold(const dc_kernels *all, const dc_fold_options *options,
                            dc_folded **folded, dc_kernels *to, dc_error *error);

// How many kernels of system headers were left out.
uint32_t dc_folded_left_out(const dc_folded *folded);

void dc_folded_free(dc_folded *folded);

#ifdef __cplusplus
}
#endif

#endif
