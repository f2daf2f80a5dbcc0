// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a profile: as a file, and, so that the fuzzer needn't guess checksums, as the one
// record of a file, of each version, whose header and checksums are right. What is read is written
// and read again as the same bytes, and has figures in their ranges; what can't be is refused, or
// mended.
#include "divcost/hash.h"
#include "divcost/profile.h"

#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool within(double value, double low, double high) { return value >= low && value <= high; }

static void check_blocks(const dc_profile *profile) {
  for (uint32_t k = 0; k < profile->n_bodies; ++k)
    for (uint32_t b = 0; b < profile->bodies[k].n_blocks; ++b) {
      const dc_profile_block *block = &profile->bodies[k].blocks[b];
      REQUIRE(block->warps <= block->lanes && block->lanes / 32 <= block->warps);
      REQUIRE(b == 0 || block[-1].number < block->number);
    }
  for (uint32_t k = 0; k < profile->n_kernels; ++k)
    REQUIRE(profile->kernels[k].n_launches <= DC_PROFILE_LAUNCHES);
}

static void check_params(const dc_profile *profile) {
  for (uint32_t k = 0; k < profile->n_kernels; ++k)
    for (uint32_t p = 0; p < profile->kernels[k].n_params; ++p) {
      const dc_profile_param *param = &profile->kernels[k].params[p];
      REQUIRE(param->n_values > 0 && param->n_values <= DC_PROFILE_VALUES);
      for (unsigned v = 0; v < param->n_values; ++v)
        REQUIRE(param->values[v].count > 0 &&
                (v == 0 || param->values[v - 1].value < param->values[v].value));
    }
}

static void check_points(const dc_profile_counts *counts) {
  static dc_point points[DC_PROFILE_BINS];
  size_t n = dc_profile_points(counts, points);
  REQUIRE(n <= DC_PROFILE_BINS);
  for (size_t k = 0; k < n; ++k) {
    REQUIRE(points[k].value >= 0 && points[k].value <= UINT32_MAX && points[k].mass > 0);
    REQUIRE(k == 0 || points[k].value > points[k - 1].value);
  }
}

static void check_figures(const dc_profile *profile) {
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    const dc_profile_counts *counts = &profile->loops[k]->counts;
    dc_profile_figures f = dc_profile_figure(counts);
    REQUIRE(within(f.lanes, 0, 0x1p64) && within(f.iterations, 0, 0x1p64));
    REQUIRE(within(f.mean, 0, UINT32_MAX) && within(f.variance, 0, 0x1p64));
    REQUIRE(f.efficiency > 0 && f.efficiency <= 1);
    REQUIRE(f.aggregate > 0 && f.aggregate <= 32);
    REQUIRE(within(f.correlation, -1, 1));
    REQUIRE(dc_profile_check_counts(counts, NULL) == DC_OK);
    check_points(counts);
  }
}

// Any words as counts of a device: once mended, they can be.
static void check_mending(const unsigned char *data, size_t size) {
  static dc_profile_counts counts;
  uint64_t *words = (uint64_t *)&counts;
  memset(&counts, 0, sizeof counts);
  memcpy(&counts, data, size < sizeof counts ? size : sizeof counts);
  for (size_t k = 0; 9 * k + 9 <= size; ++k) // and to bins of all kinds
    memcpy(&words[8 + (data[9 * k] * 2557u + k) % (DC_PROFILE_BINS + DC_PROFILE_WIDE)],
           data + 9 * k + 1, 8);
  dc_profile_mend_counts(&counts);
  REQUIRE(dc_profile_check_counts(&counts, NULL) == DC_OK);
  REQUIRE(!dc_profile_mend_counts(&counts));
}

// Added to itself until that is too much: what is added can be, and what isn't leaves it alone.
static void check_sums(const dc_profile *profile) {
  if (profile->n_loops == 0)
    return;
  dc_profile sum = {0};
  REQUIRE(dc_profile_merge(&sum, profile, NULL) == DC_OK);
  for (unsigned k = 0; k < 64; ++k) {
    static dc_profile_counts twice;
    twice = sum.loops[0]->counts;
    if (!dc_profile_add_counts(&twice, &sum.loops[0]->counts)) {
      REQUIRE(memcmp(&twice, &sum.loops[0]->counts, sizeof twice) == 0);
      break;
    }
    sum.loops[0]->counts = twice;
    check_figures(&sum);
  }
  dc_profile_free(&sum);
}

static void check(const unsigned char *bytes, size_t size) {
  dc_profile profile, again;
  dc_error error = {0};
  if (dc_profile_parse(bytes, size, &profile, &error) != DC_OK) {
    REQUIRE(error.text[0] && error.offset <= size);
    return;
  }
  check_figures(&profile);
  check_blocks(&profile);
  check_params(&profile);
  check_sums(&profile);
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

static void check_record(const unsigned char *data, size_t size, unsigned version) {
  enum { HEADER = 40, RECORD = 8 };
  unsigned char *file = calloc(1, HEADER + RECORD + size);
  memcpy(file, "divprof\n", 8);
  put(file + 8, version, 4);
  put(file + 12, 1, 4);
  put(file + 24, HEADER + RECORD + size, 8);
  put(file + 32, dc_hash_bytes_32(file, 32), 4);
  put(file + HEADER, size, 4);
  put(file + HEADER + 4, dc_hash_bytes_32(data, size), 4);
  if (size)
    memcpy(file + HEADER + RECORD, data, size);
  check(file, HEADER + RECORD + size);
  free(file);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  check(data, size);
  check_mending(data, size);
  check_record(data, size, 1);
  check_record(data, size, 2);
  check_record(data, size, 3);
  return 0;
}
