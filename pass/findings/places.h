// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where findings are told.
#ifndef DIVCOST_PASS_PLACES_H
#define DIVCOST_PASS_PLACES_H

#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where something stands, as instances of it (templates, inlining) are told to be one.
typedef struct dcp_place {
  const char *file;
  uint32_t line, column; // line 0: not known
} dcp_place;

// Whether a location, or DC_NONE, is in a library.
bool dcp_is_library(const dc_kernel *kernel, uint32_t location);

// The user's call that a library's code was inlined into; of other code, and where there is no such
// call, the location itself. O(calls around).
uint32_t dcp_users_location(const dc_kernel *kernel, uint32_t location);

// The function that is called there, demangled; NULL: the location is its own.
const char *dcp_called_library(const dc_kernel *kernel, uint32_t location);

// Of a location or DC_NONE, where users see it, and where it stands itself; and the order of
// places, as strcmp's.
dcp_place dcp_place_of(const dc_kernel *kernel, uint32_t location);
dcp_place dcp_own_place_of(const dc_kernel *kernel, uint32_t location);
int dcp_compare_places(const dcp_place *a, const dcp_place *b);

#ifdef __cplusplus
}
#endif

#endif
