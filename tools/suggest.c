// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suggest.h"

#include "divcost/edit_distance.h"

#include <string.h>

suggestion suggest_begin(const char *typed) {
  return (suggestion){.typed = typed, .distance = dc_edits_allowed(typed) + 1};
}

void suggest_from(suggestion *of, const char *name, size_t length) {
  char whole[SUGGEST_NAME];
  if (length >= sizeof whole)
    return;
  memcpy(whole, name, length);
  whole[length] = 0;
  uint32_t edits = dc_edit_distance(of->typed, whole);
  if (edits >= of->distance)
    return;
  of->distance = edits;
  memcpy(of->name, whole, length + 1);
}

void suggest_from_help(suggestion *of, const char *help) {
  for (const char *at = strstr(help, "--"); at; at = strstr(at, "--")) {
    size_t length = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
    if (length > 2)
      suggest_from(of, at, length);
    at += length;
  }
}
