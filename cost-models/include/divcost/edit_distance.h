// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a name is from one that was meant.
#ifndef DIVCOST_EDIT_DISTANCE_H
#define DIVCOST_EDIT_DISTANCE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Levenshtein's distance: the fewest characters to insert, delete or replace. Of long names the
// first 255 characters count. O(product of the lengths).
uint32_t dc_edit_distance(const char *a, const char *b);

// The most edits that a name may be away from `typed` to be what was meant: a third of its letters,
// as with clang's. O(length).
uint32_t dc_edits_allowed(const char *typed);

#ifdef __cplusplus
}
#endif

#endif
