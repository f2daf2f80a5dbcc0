// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/string_set.h"

#include "divcost/hash.h"

#include <stdlib.h>
#include <string.h>

static uint32_t place_of(const dc_string_set *set, const char *text, size_t length) {
  uint32_t at = (uint32_t)dc_hash_bytes(DC_HASH_BEGIN, text, length) & (set->table_size - 1);
  for (; set->table[at] != UINT32_MAX; at = (at + 1) & (set->table_size - 1)) {
    const char *there = set->texts[set->table[at]];
    if (strncmp(there, text, length) == 0 && !there[length])
      break;
  }
  return at;
}

// Room for one text more.
static bool reserve(dc_string_set *set) {
  if (set->count < set->capacity)
    return true;
  uint32_t capacity = set->capacity ? 2 * set->capacity : 64;
  char **texts = realloc(set->texts, capacity * sizeof *texts);
  if (!texts)
    return false;
  set->texts = texts;
  uint32_t *table = malloc(2 * (size_t)capacity * sizeof *table);
  if (!table)
    return false;
  free(set->table);
  set->table = table;
  set->table_size = 2 * capacity;
  set->capacity = capacity;
  memset(table, 0xff, set->table_size * sizeof *table);
  for (uint32_t k = 0; k < set->count; ++k)
    table[place_of(set, texts[k], strlen(texts[k]))] = k;
  return true;
}

uint32_t dc_string_set_add(dc_string_set *set, const char *text, size_t length, bool *added) {
  *added = false;
  if (!reserve(set))
    return UINT32_MAX;
  uint32_t at = place_of(set, text, length);
  if (set->table[at] != UINT32_MAX)
    return set->table[at];
  char *copy = malloc(length + 1);
  if (!copy)
    return UINT32_MAX;
  memcpy(copy, text, length);
  copy[length] = 0;
  *added = true;
  set->texts[set->count] = copy;
  set->table[at] = set->count;
  return set->count++;
}

void dc_string_set_free(dc_string_set *set) {
  for (uint32_t k = 0; k < set->count; ++k)
    free(set->texts[k]);
  free(set->texts);
  free(set->table);
  *set = (dc_string_set){0};
}
