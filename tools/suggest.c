// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suggest.h"

#include <string.h>

suggestion suggest_begin(const char *typed) {
  return (suggestion){.typed = typed, .distance = (unsigned)(strlen(typed) + 2) / 3 + 1};
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Both are shorter than SUGGEST_NAME.
static unsigned distance(const char *a, size_t m, const char *b, size_t n) {
  unsigned rows[3][SUGGEST_NAME]; // of a's prefixes with i % 3 letters, to all of b's
  for (size_t j = 0; j <= n; ++j)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= m; ++i) {
    unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= n; ++j) {
      now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]), least(before[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], two[j - 2] + 1);
    }
  }
  return rows[m % 3][n];
}

void suggest_from(suggestion *of, const char *name, size_t length) {
  size_t typed = strlen(of->typed);
  if (length >= SUGGEST_NAME || typed >= SUGGEST_NAME)
    return;
  unsigned edits = distance(of->typed, typed, name, length);
  if (edits >= of->distance)
    return;
  of->distance = edits;
  memcpy(of->name, name, length);
  of->name[length] = 0;
}

void suggest_from_help(suggestion *of, const char *help) {
  for (const char *at = strstr(help, "--"); at; at = strstr(at, "--")) {
    size_t length = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
    if (length > 2)
      suggest_from(of, at, length);
    at += length;
  }
}
