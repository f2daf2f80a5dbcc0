// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an object file or a library, and, so that the fuzzer needn't guess a size in digits,
// as the one member of a library. What is handed on can be read, an error says where and why in a
// line, and a library that is read is none any more without its last byte.
#include "report/object_reader.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct taken {
  unsigned reports;
  unsigned sum; // so that every byte is read
} taken;

static int take(void *context, const char *where, const char *json, size_t length) {
  taken *all = context;
  REQUIRE(strncmp(where, "name", 4) == 0);
  ++all->reports;
  for (size_t k = 0; k < length; ++k)
    all->sum += (unsigned char)json[k];
  return all->reports == 7 ? 3 : 0; // at times it fails
}

static dc_status read_bytes(const unsigned char *bytes, size_t size, taken *all) {
  object_reader reader = {.take = take, .context = all};
  const byte_range range = {.memory = bytes, .size = size};
  dc_error error = {0};
  dc_status status = object_read(&reader, "name", &range, &error);
  if (status == DC_OK) {
    REQUIRE(reader.found && all->reports > 0);
    return status;
  }
  REQUIRE((reader.failed != 0) == (all->reports == 7));
  REQUIRE(error.text[0] && !strchr(error.text, '\n') && !strchr(reader.where, '\n'));
  REQUIRE(strncmp(reader.where, "name", 4) == 0);
  return status;
}

static void check(const unsigned char *bytes, size_t size) {
  taken whole = {0, 0}, cut = {0, 0};
  if (read_bytes(bytes, size, &whole) != DC_OK || memcmp(bytes, "!<arch>\n", 8) != 0)
    return;
  unsigned char *shorter = malloc(size - 1); // so that reading behind it is seen
  memcpy(shorter, bytes, size - 1);
  REQUIRE(read_bytes(shorter, size - 1, &cut) != DC_OK);
  free(shorter);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char start[8 + 60 + 1];
  check(size ? data : (const unsigned char *)"", size);
  snprintf(start, sizeof start, "!<arch>\n%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "one.o/", 0, 0, 0, 644,
           size);
  size_t length = sizeof start - 1 + size + size % 2;
  unsigned char *library = calloc(1, length);
  memcpy(library, start, sizeof start - 1);
  if (size)
    memcpy(library + sizeof start - 1, data, size);
  check(library, length);
  free(library);
  return 0;
}
