// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kernels by the C++ library, which has no header for C: Itanium C++ ABI, 3.4.
#define _XOPEN_SOURCE 700 // strdup

#include "profile/demangle.h"

#include "divcost/words.h"

#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status); // NOLINT

// nvcc puts what has internal linkage into a namespace of the file's:
// "_INTERNAL_6f212e8e_4_x_cu_f63e::".
static void drop_file_namespaces(char *name) {
  static const char begin[] = "_INTERNAL_";
  for (char *at = name; (at = strstr(at, begin));) {
    const char *end = strstr(at, "::");
    if (!end)
      return;
    memmove(at, end + 2, strlen(end + 2) + 1);
  }
}

char *demangled_name(const char *symbol) {
  static const char none[] = "void ";
  int status;
  char *whole = __cxa_demangle(symbol, NULL, NULL, &status);
  const char *name = whole ? whole : symbol;
  if (strncmp(name, none, sizeof none - 1) == 0)
    name += sizeof none - 1;
  char *out = strndup(name, dc_name_length(name));
  free(whole);
  if (out)
    drop_file_namespaces(out);
  return out;
}
