// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in the order in which they came.
#ifndef DIVCOST_NAME_LIST_H
#define DIVCOST_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// All zeroes is the empty list.
typedef struct dc_name_list {
  char **names; // owned
  uint32_t count;
} dc_name_list;

// Adds a copy of a name; false: out of memory, and the list is as it was. Amortised O(length).
bool dc_name_list_add(dc_name_list *list, const char *name);

// Whether the list has a name. O(names).
bool dc_name_list_has(const dc_name_list *list, const char *name);

// As dc_name_list_add, if the list doesn't have the name yet. O(names).
bool dc_name_list_add_once(dc_name_list *list, const char *name);

// Adds copies of all names of another list that this one doesn't have; false: out of memory, and
// some may be missing.
bool dc_name_list_add_all(dc_name_list *list, const dc_name_list *from);

// Takes a name out, if it is there. O(names).
void dc_name_list_drop(dc_name_list *list, const char *name);

void dc_name_list_free(dc_name_list *list);

#ifdef __cplusplus
}
#endif

#endif
