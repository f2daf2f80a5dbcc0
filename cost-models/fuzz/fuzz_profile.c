// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a profile: as a file, and, so that the fuzzer needn't guess checksums, as the one
// record of a file whose header and checksums are right. What is read is written and read again as
// the same bytes, and has figures in their ranges.
#include "divcost/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "does not hold: %s\n", #condition);                                          \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

static void check_figures(const dc_profile *profile) {
  static dc_point points[DC_PROFILE_BINS];
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    dc_profile_figures f = dc_profile_figure(&profile->loops[k]->counts);
    REQUIRE(f.lanes >= 0 && f.mean >= 0 && f.variance >= 0 && f.correlation <= 1);
    REQUIRE(dc_profile_points(&profile->loops[k]->counts, points) <= DC_PROFILE_BINS);
  }
}

static void check(const unsigned char *bytes, size_t size) {
  dc_profile profile, again;
  dc_error error = {0};
  if (dc_profile_parse(bytes, size, &profile, &error) != DC_OK) {
    REQUIRE(error.text[0] && error.offset <= size);
    return;
  }
  check_figures(&profile);
  size_t length = dc_profile_print(&profile, NULL, 0);
  unsigned char *printed = malloc(length), *second = malloc(length);
  REQUIRE(dc_profile_print(&profile, printed, length) == length);
  REQUIRE(dc_profile_parse(printed, length, &again, NULL) == DC_OK);
  REQUIRE(dc_profile_print(&again, second, length) == length);
  REQUIRE(memcmp(printed, second, length) == 0);
  free(printed);
  free(second);
  dc_profile_free(&profile);
  dc_profile_free(&again);
}

static void put(unsigned char *at, uint64_t value, unsigned size) {
  for (unsigned k = 0; k < size; ++k)
    at[k] = (unsigned char)(value >> (8 * k));
}

static uint32_t checksum(const unsigned char *bytes, size_t length) {
  uint32_t hash = UINT32_C(0x811c9dc5);
  for (size_t k = 0; k < length; ++k)
    hash = (hash ^ bytes[k]) * UINT32_C(0x01000193);
  return hash;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  enum { HEADER = 40, RECORD = 8 };
  check(data, size);
  unsigned char *file = calloc(1, HEADER + RECORD + size);
  memcpy(file, "divprof\n", 8);
  put(file + 8, 1, 4);
  put(file + 12, 1, 4);
  put(file + 24, HEADER + RECORD + size, 8);
  put(file + 32, checksum(file, 32), 4);
  put(file + HEADER, size, 4);
  put(file + HEADER + 4, checksum(data, size), 4);
  if (size)
    memcpy(file + HEADER + RECORD, data, size);
  check(file, HEADER + RECORD + size);
  free(file);
  return 0;
}
