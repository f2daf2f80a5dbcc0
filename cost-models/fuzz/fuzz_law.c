// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as the text of a law. What parses prints as a text that parses to what prints the same;
// what is then small enough is built, and is a distribution whose mean lies between its values.
#include "divcost/distribution.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_MAX = 1 << 18 }; // bytes; larger ones take too long for a fuzzer

static char *print(const dc_law *law) {
  size_t length = dc_law_print(law, NULL, 0);
  char *text = malloc(length + 1);
  REQUIRE(text && dc_law_print(law, text, length + 1) == length && strlen(text) == length);
  return text;
}

static void check_printed(const dc_law *law) {
  char *text = print(law);
  dc_law *copy;
  REQUIRE(dc_law_parse(text, &copy, NULL) == DC_OK);
  char *again = print(copy);
  REQUIRE(strcmp(text, again) == 0);
  free(again);
  dc_law_free(copy);
  free(text);
}

static void check_built(const dc_law *law) {
  size_t bytes;
  dc_error error = {0};
  if (dc_distribution_bytes(law, NULL, &bytes, &error) != DC_OK) {
    REQUIRE(error.text[0]);
    return;
  }
  if (bytes > BUILD_MAX)
    return;
  dc_distribution d;
  dc_status status = dc_distribution_build(law, NULL, &d, &error);
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
  dc_law *law;
  dc_error error = {0};
  if (dc_law_parse(text, &law, &error) == DC_OK) {
    check_printed(law);
    check_built(law);
  } else {
    REQUIRE(error.text[0] && error.offset <= strlen(text) && !law);
  }
  dc_law_free(law);
  free(text);
  return 0;
}
