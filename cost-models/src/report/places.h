// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings by the places where they stand: what instances of a template, or several units with one
// header, have in one place is one finding, told by the worst of them.
#ifndef DIVCOST_SRC_PLACES_H
#define DIVCOST_SRC_PLACES_H

#include "divcost/report.h"
#include "divcost/string_set.h"

// A finding that stands for all of its rule in its place, ignored ones apart.
typedef struct dc_placed_finding {
  uint32_t kernel, finding;
  uint32_t instances;     // itself included
  bool is_new;            // by the baseline: one of them is
  bool suppressed, warns; // the finding is, and does (dc_finding_warns)
} dc_placed_finding;

// The number of a finding's rule and place in a set (findings without a place have one of their
// rule), ignored ones apart; UINT32_MAX: out of memory. O(length of the file's name).
uint32_t dc__place_of(dc_string_set *places, const dc_kernel *kernel, const dc_finding *finding);

typedef struct dc_places {
  dc_placed_finding *findings; // in the order of kernels and their findings
  uint32_t n_findings;
} dc_places;

// Of all kernels; findings without a place stand for themselves. The worst is the one whose loop
// or kernel loses most. baseline may be NULL. dc__places_free in any case. Errors:
// DC_ERROR_MEMORY, or what getting a kernel met. O(n log n).
dc_status dc__places_find(const dc_kernels *kernels, const dc_baseline *baseline, dc_places *places,
                          dc_error *error);

void dc__places_free(dc_places *places);

#endif
