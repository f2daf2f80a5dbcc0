// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as the text of a distribution. What parses prints as a text that parses to what prints
// the same; what is then small enough is built, and is a distribution whose mean lies between its
// values.
#include "divcost/distribution.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_MAX = 1 << 18 }; // bytes; larger ones take too long for a fuzzer

static char *print(const dc_distribution_spec *spec) {
  size_t length = dc_distribution_print(spec, NULL, 0);
  char *text = malloc(length + 1);
  REQUIRE(text && dc_distribution_print(spec, text, length + 1) == length &&
          strlen(text) == length);
  return text;
}

static void check_printed(const dc_distribution_spec *spec) {
  char *text = print(spec);
  dc_distribution_spec *copy;
  REQUIRE(dc_distribution_parse(text, &copy, NULL) == DC_OK);
  char *again = print(copy);
  REQUIRE(strcmp(text, again) == 0);
  free(again);
  dc_distribution_spec_free(copy);
  free(text);
}

static void check_built(const dc_distribution_spec *spec) {
  size_t bytes;
  dc_error error = {0};
  if (dc_distribution_bytes(spec, NULL, &bytes, &error) != DC_OK) {
    REQUIRE(error.text[0]);
    return;
  }
  if (bytes > BUILD_MAX)
    return;
  dc_distribution d;
  dc_status status = dc_distribution_build(spec, NULL, &d, &error);
  if (status == DC_OK) {
    double mean = dc_distribution_mean(&d), low = (double)dc_distribution_min(&d),
           high = (double)dc_distribution_max(&d);
    REQUIRE(dc_distribution_check(&d, &error) == DC_OK);
    REQUIRE(mean >= low * (1 - 1e-12) && mean <= high * (1 + 1e-12));
    REQUIRE(dc_distribution_variance(&d) >= 0 && d.cut >= 0 && d.cut <= 1);
  } else {
    // The size was right, so only values and masses can be at fault.
    REQUIRE(error.text[0] && !strstr(error.text, "the memory for") && !d.memory);
  }
  dc_distribution_free(&d);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  dc_distribution_spec *spec;
  dc_error error = {0};
  if (dc_distribution_parse(text, &spec, &error) == DC_OK) {
    check_printed(spec);
    check_built(spec);
  } else {
    REQUIRE(error.text[0] && error.offset <= strlen(text) && !spec);
  }
  dc_distribution_spec_free(spec);
  free(text);
  return 0;
}
