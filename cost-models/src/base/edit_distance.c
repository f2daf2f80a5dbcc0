// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700 // strnlen

#include "divcost/edit_distance.h"

#include <string.h>

#define LENGTH_MAX 255

// Row by row: distance[j] is that of the first i characters of a and the first j of b.
uint32_t dc_edit_distance(const char *a, const char *b) {
  uint32_t distance[LENGTH_MAX + 1];
  size_t n = strnlen(a, LENGTH_MAX), m = strnlen(b, LENGTH_MAX);
  for (uint32_t j = 0; j <= m; ++j)
    distance[j] = j;
  for (uint32_t i = 1; i <= n; ++i) {
    uint32_t diagonal = distance[0];
    distance[0] = i;
    for (uint32_t j = 1; j <= m; ++j) {
      uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      uint32_t shorter = distance[j] < distance[j - 1] ? distance[j] : distance[j - 1];
      diagonal = distance[j];
      distance[j] = replaced <= shorter ? replaced : shorter + 1;
    }
  }
  return distance[m];
}

uint32_t dc_edits_allowed(const char *typed) { return (uint32_t)(strlen(typed) + 2) / 3; }
