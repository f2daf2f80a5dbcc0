// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a flat kernel: as they are, and behind a header that is right. What is read is
// written as the same bytes.
#include "divcost/flat.h"

#include "divcost/hash.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 20 };

static void check(const unsigned char *bytes, size_t size) {
  dc_flat flat;
  dc_error error = {0};
  if (dc_flat_read(bytes, size, &flat, &error) != DC_OK) {
    REQUIRE(error.text[0] && !flat.kernel.blocks);
    return;
  }
  unsigned char *again = malloc(size);
  REQUIRE(dc_flat_write(&flat, again, size) == size);
  REQUIRE(memcmp(again, bytes, size) == 0);
  free(again);
  dc_flat_free(&flat);
}

static void put(unsigned char *at, uint64_t value) {
  for (unsigned k = 0; k < 4; ++k)
    at[k] = (unsigned char)(value >> (8 * k));
}

// What all flat kernels of this version begin with: that of an empty one.
static void put_magic(unsigned char *at) {
  const dc_flat empty = {0};
  unsigned char bytes[256];
  REQUIRE(dc_flat_write(&empty, bytes, sizeof bytes) <= sizeof bytes);
  memcpy(at, bytes, 12);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  check(data, size);
  size_t payload = size > HEADER ? size - HEADER : 0;
  unsigned char *file = calloc(1, HEADER + payload);
  uint32_t hash = dc_hash_bytes_32(data + size - payload, payload);
  put_magic(file);
  put(file + 12, HEADER + payload);
  put(file + 16, hash);
  if (payload)
    memcpy(file + HEADER, data + HEADER, payload);
  check(file, HEADER + payload);
  free(file);
  return 0;
}
