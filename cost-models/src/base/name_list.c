// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/name_list.h"

#include <stdlib.h>
#include <string.h>

// Room doubles whenever the list is full, which its count tells: 0, 1, 2, 4, 8 ...
static bool is_full(uint32_t count) { return (count & (count - 1)) == 0; }

bool dc_name_list_add(dc_name_list *list, const char *name) {
  size_t size = strlen(name) + 1;
  char *copy = malloc(size);
  if (copy && is_full(list->count)) {
    size_t room = list->count ? 2 * (size_t)list->count : 1;
    char **names = realloc(list->names, room * sizeof *names);
    list->names = names ? names : list->names;
    if (!names) {
      free(copy);
      copy = NULL;
    }
  }
  if (!copy)
    return false;
  memcpy(copy, name, size);
  list->names[list->count++] = copy;
  return true;
}

static uint32_t position(const dc_name_list *list, const char *name) {
  uint32_t k = 0;
  while (k < list->count && strcmp(list->names[k], name) != 0)
    ++k;
  return k;
}

bool dc_name_list_has(const dc_name_list *list, const char *name) {
  return position(list, name) < list->count;
}

bool dc_name_list_add_once(dc_name_list *list, const char *name) {
  return dc_name_list_has(list, name) || dc_name_list_add(list, name);
}

bool dc_name_list_add_all(dc_name_list *list, const dc_name_list *from) {
  bool room = true;
  for (uint32_t k = 0; k < from->count && room; ++k)
    room = dc_name_list_add_once(list, from->names[k]);
  return room;
}

void dc_name_list_drop(dc_name_list *list, const char *name) {
  uint32_t k = position(list, name);
  if (k == list->count)
    return;
  free(list->names[k]);
  memmove(&list->names[k], &list->names[k + 1], (list->count - k - 1) * sizeof *list->names);
  --list->count;
}

void dc_name_list_free(dc_name_list *list) {
  for (uint32_t k = 0; k < list->count; ++k)
    free(list->names[k]);
  free(list->names);
  *list = (dc_name_list){0};
}
