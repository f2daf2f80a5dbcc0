// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/source_files.h"

#include <stdlib.h>
#include <string.h>

enum { UNITS = 100, FACTOR = 37, END = 0xffff, REPLACEMENT = 0xfffd };

// A text without blanks, as UTF-16, and where its lines start in that.
typedef struct bare_text {
  uint16_t *units; // with the end's and UNITS zeroes behind them
  size_t n_units;
  size_t *starts;
  uint32_t n_lines;
} bare_text;

// The least and greatest second byte behind a first one: no longer spelling than needed, no half of
// a surrogate pair, nothing beyond U+10FFFF.
static bool may_follow(unsigned char first, unsigned char second) {
  unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

// The character at *at, which is then the next one's. As WHATWG's decoder has it, the longest part
// of a character that isn't whole is one U+FFFD.
static uint32_t decode(const unsigned char *text, size_t length, size_t *at) {
  unsigned char first = text[(*at)++];
  if (first < 0x80)
    return first;
  if (first < 0xc2 || first > 0xf4)
    return REPLACEMENT;
  unsigned more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  uint32_t character = first & (0x3fu >> more);
  for (unsigned k = 0; k < more; ++k) {
    if (*at == length || (k == 0 ? !may_follow(first, text[*at]) : (text[*at] & 0xc0) != 0x80))
      return REPLACEMENT;
    character = character << 6 | (text[(*at)++] & 0x3f);
  }
  return character;
}

static void add(bare_text *to, uint16_t unit) { to->units[to->n_units++] = unit; }

// What isn't a blank, where the line's first one starts it.
static void add_character(bare_text *to, uint32_t character, bool *at_start) {
  if (*at_start)
    to->starts[to->n_lines++] = to->n_units;
  *at_start = character == '\n';
  if (character < 0x10000) {
    add(to, (uint16_t)character);
  } else {
    add(to, (uint16_t)(0xd800 + ((character - 0x10000) >> 10)));
    add(to, (uint16_t)(0xdc00 + ((character - 0x10000) & 0x3ff)));
  }
}

// A \n right behind a \r is part of that line end.
static void strip(bare_text *to, const unsigned char *text, size_t length) {
  bool at_start = true, after_return = false;
  for (size_t at = 0; at < length;) {
    uint32_t character = decode(text, length, &at);
    bool skip = character == ' ' || character == '\t' || (after_return && character == '\n');
    after_return = !skip && character == '\r';
    if (!skip)
      add_character(to, after_return ? '\n' : character, &at_start);
  }
  add_character(to, END, &at_start);
}

static uint64_t hash_at(const bare_text *bare, size_t start) {
  uint64_t hash = 0;
  for (size_t k = start; k < start + UNITS; ++k)
    hash = FACTOR * hash + bare->units[k];
  return hash;
}

static int compare(const void *left, const void *right) {
  const dc_line_hash *a = *(dc_line_hash *const *)left, *b = *(dc_line_hash *const *)right;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return a < b ? -1 : a > b;
}

// Lines with one hash count in their order.
static bool count(dc_line_hash *hashes, uint32_t n) {
  dc_line_hash **sorted = malloc((n ? n : 1) * sizeof *sorted);
  if (!sorted)
    return false;
  for (uint32_t k = 0; k < n; ++k)
    sorted[k] = &hashes[k];
  qsort(sorted, n, sizeof *sorted, compare);
  for (uint32_t k = 0; k < n; ++k)
    sorted[k]->count =
        k > 0 && sorted[k - 1]->hash == sorted[k]->hash ? sorted[k - 1]->count + 1 : 1;
  free(sorted);
  return true;
}

dc_line_hash *dc__line_hashes(const char *text, size_t length, uint32_t *n_lines) {
  bare_text bare = {.units = calloc(length + 1 + UNITS, sizeof *bare.units),
                    .starts = malloc((length + 1) * sizeof *bare.starts)};
  dc_line_hash *hashes = NULL;
  if (bare.units && bare.starts) {
    strip(&bare, (const unsigned char *)text, length);
    hashes = malloc(bare.n_lines * sizeof *hashes);
  }
  for (uint32_t k = 0; hashes && k < bare.n_lines; ++k)
    hashes[k] = (dc_line_hash){hash_at(&bare, bare.starts[k]), 0};
  *n_lines = bare.n_lines;
  free(bare.units);
  free(bare.starts);
  if (hashes && !count(hashes, *n_lines)) {
    free(hashes);
    return NULL;
  }
  return hashes;
}
