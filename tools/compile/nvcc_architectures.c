// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which architectures nvcc's -arch, -code and -gencode ask for.
#include "compile/nvcc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "sm_80", of which clang before LLVM 20 knows none above 90.
static void add_number(arguments *architectures, const char *number, size_t length) {
  char name[16];
  bool newer = DIVCOST_LLVM_MAJOR < 20 && strtoul(number, NULL, 10) > 90;
  if (newer)
    snprintf(name, sizeof name, "sm_90");
  else
    snprintf(name, sizeof name, "sm_%.*s", length > 8 ? 8 : (int)length, number);
  if (!arguments_contain(architectures, name))
    arguments_add(architectures, name);
}

// One of sm_80, compute_80, lto_80, sm_90a, native, all, all-major. nvcc asks the GPU what "native"
// is and its version what "all" is; the answer for an estimate is where costs were measured, and
// the generation before it.
static void add_one(arguments *architectures, const char *item, size_t length) {
  const char *underscore = memchr(item, '_', length);
  if (underscore && isdigit((unsigned char)underscore[1])) {
    add_number(architectures, underscore + 1, length - (size_t)(underscore + 1 - item));
  } else if (length >= 3 && !strncmp(item, "all", 3)) {
    add_number(architectures, "80", 2);
    add_number(architectures, "90", 2);
  } else if (length == 6 && !strncmp(item, "native", 6)) {
    add_number(architectures, "90", 2);
  }
}

// The next item of a list such as [compute_80,sm_80]: its start, and its length, 0 at the end.
static const char *next_item(const char **list, size_t *length) {
  static const char between[] = ",[]\"' ";
  const char *item = *list + strspn(*list, between);
  *length = strcspn(item, between);
  *list = item + *length;
  return item;
}

void nvcc_add_architectures(arguments *architectures, const char *arch, const char *code) {
  bool real = false;
  size_t length;
  for (const char *list = code ? code : "", *item; item = next_item(&list, &length), length > 0;)
    if (!strncmp(item, "sm_", 3)) {
      add_one(architectures, item, length);
      real = true;
    }
  for (const char *list = arch   ? arch
                          : code ? code
                                 : "",
                  *item;
       !real && (item = next_item(&list, &length), length > 0);)
    add_one(architectures, item, length);
}

void nvcc_add_generated(arguments *architectures, const char *specification) {
  const char *arch = strstr(specification, "arch="), *code = strstr(specification, "code=");
  arguments parts = {0};
  arguments_add_part(&parts, arch ? arch + 5 : "", arch ? strcspn(arch + 5, ",") : 0);
  if (!parts.failed)
    nvcc_add_architectures(architectures, parts.words[0], code ? code + 5 : NULL);
  architectures->failed |= parts.failed;
  arguments_free(&parts);
}
