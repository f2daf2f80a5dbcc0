// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a histogram. What is read is in range, does not depend on the capacity, comes back
// from a plain text of the same pairs, and makes a distribution.
#include "divcost/histogram.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As lines "value count", to the last digit.
static void check_written(const dc_point *points, size_t count) {
  enum { LINE = 64 };
  char *text = malloc(count * LINE);
  dc_point *again = malloc(count * sizeof *again);
  size_t length = 0, same;
  for (size_t i = 0; i < count; ++i)
    length += (size_t)snprintf(text + length, LINE, "%lld %.17g\n", (long long)points[i].value,
                               points[i].mass);
  REQUIRE(dc_histogram_parse(text, length, again, count, &same, NULL) == DC_OK && same == count);
  for (size_t i = 0; i < count; ++i)
    REQUIRE(points[i].value == again[i].value && points[i].mass == again[i].mass);
  free(again);
  free(text);
}

static void check_built(const dc_point *points, size_t count) {
  const dc_distribution_spec spec = {
      .kind = DC_DISTRIBUTION_HISTOGRAM, .name = "read", .points = points, .count = count};
  dc_distribution d;
  REQUIRE(dc_distribution_build(&spec, NULL, &d, NULL) == DC_OK);
  REQUIRE(dc_distribution_check(&d, NULL) == DC_OK);
  dc_distribution_free(&d);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  size_t count = 0, all = 0;
  dc_error error = {0};
  dc_status status = dc_histogram_parse((const char *)data, size, NULL, 0, &count, &error);
  if (status != DC_OK) {
    REQUIRE(error.text[0] && error.offset <= size);
    return 0;
  }
  REQUIRE(count > 0 && count <= size);
  dc_point *points = malloc(count * sizeof *points);
  REQUIRE(dc_histogram_parse((const char *)data, size, points, count, &all, &error) == DC_OK);
  REQUIRE(all == count);
  check_written(points, count);
  check_built(points, count);
  free(points);
  return 0;
}
