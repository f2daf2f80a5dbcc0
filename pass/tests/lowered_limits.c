// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// analysis/limits.c of the plugin for tests: DIVCOST_LIMITS="steps=100 block_dims=0" lowers what it
// names.
#include "analysis/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE(name, value) .name = (value),
static dcp_limits limits = {DCP_LIMITS(VALUE)};
#undef VALUE

const dcp_limits *const dcp_limit = &limits;

static const struct limit {
  const char *name;
  uint64_t *value;
} table[] = {
#define ENTRY(name, value) {#name, &limits.name},
    DCP_LIMITS(ENTRY)
#undef ENTRY
};

static void refuse(const char *text) {
  fprintf(stderr, "DIVCOST_LIMITS: '%s' lowers no limit\n", text);
  exit(2);
}

// "name=number" up to the next space; returns what follows.
static const char *lower(const char *text) {
  size_t length = strcspn(text, "= ");
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    char *end = NULL;
    if (strlen(table[k].name) != length || strncmp(table[k].name, text, length) != 0)
      continue;
    unsigned long long value = text[length] == '=' ? strtoull(text + length + 1, &end, 10) : 0;
    if (!end || end == text + length + 1 || (*end && *end != ' ') || value >= *table[k].value)
      refuse(text);
    *table[k].value = value;
    return end + strspn(end, " ");
  }
  refuse(text);
  return text;
}

__attribute__((constructor)) static void read_environment(void) {
  const char *text = getenv("DIVCOST_LIMITS");
  while (text && *text)
    text = lower(text);
}
