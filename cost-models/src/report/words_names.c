// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kernels, cut down to what is told of them.
#include "report/names.h"

#include "divcost/words.h"

#include <stdio.h>
#include <string.h>

// Up to the parameters, or to what of template arguments and parameters comes first.
static size_t length_of(const char *name, bool with_arguments) {
  static const char unnamed[] = "(anonymous namespace)";
  unsigned depth = 0;
  const char *c = name;
  for (; *c; ++c) {
    if (strncmp(c, unnamed, sizeof unnamed - 1) == 0)
      c += sizeof unnamed - 2;
    else if (depth == 0 && (*c == '(' || (*c == '<' && !with_arguments)))
      break;
    else if (*c == '<')
      ++depth;
    else if (*c == '>' && depth)
      --depth;
  }
  return (size_t)(c - name);
}

size_t dc__bare_length(const char *name) { return length_of(name, false); }

size_t dc_name_length(const char *name) { return length_of(name, true); }

size_t dc_instances_words(const dc_name_list *names, char *words, size_t size) {
  enum { TOLD = 6 };
  size_t used = 0;
  if (size)
    *words = 0;
  uint32_t told = 0;
  for (; told < names->count && told < TOLD; ++told) {
    const char *name = names->names[told], *from = name + dc__bare_length(name);
    size_t length = *from == '<' ? dc_name_length(name) - (size_t)(from - name) : strlen(from);
    if (used + length + 40 > size) // with what follows
      break;
    used +=
        (size_t)snprintf(words + used, size - used, "%s%.*s", told ? ", " : "", (int)length, from);
  }
  if (told < names->count && size > used)
    used += (size_t)snprintf(words + used, size - used, "%s%u%s", told ? " and " : "",
                             names->count - told, told ? " more" : " others");
  return used;
}
