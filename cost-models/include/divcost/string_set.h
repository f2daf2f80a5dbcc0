// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that occur often, each kept once.
#ifndef DIVCOST_STRING_SET_H
#define DIVCOST_STRING_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zeroes is the empty set.
typedef struct dc_string_set {
  char **texts; // owned, in the order in which they came
  uint32_t count, capacity;
  uint32_t *table; // of texts, by hash: open addressing
  uint32_t table_size;
} dc_string_set;

// The number of a text of `length` bytes; *added says whether it is a new one. UINT32_MAX: out of
// memory. Amortised O(length).
uint32_t dc_string_set_add(dc_string_set *set, const char *text, size_t length, bool *added);

void dc_string_set_free(dc_string_set *set);

#endif
