// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a JSON report: what is read is written, and read and written again as the same
// bytes; estimates that are made anew are in their ranges.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "divcost/files.h"
#include "divcost/report.h"
#include "divcost/unit.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status read(const void *bytes, size_t size, dc_unit *unit, dc_error *error) {
  FILE *stream = fmemopen((void *)bytes, size, "r");
  REQUIRE(stream);
  dc_status status = dc_unit_read_json(stream, unit, error);
  fclose(stream);
  return status;
}

static char *write(const dc_unit *unit, size_t *size) {
  char *text = NULL;
  dc_error error = {0};
  FILE *stream = open_memstream(&text, size);
  REQUIRE(stream);
  if (dc_unit_write(unit, &dc_format_json, NULL, stream, &error) != DC_OK)
    fprintf(stderr, "%s\n", error.text);
  REQUIRE(!*error.text);
  fclose(stream);
  return text;
}

static void estimate_again(dc_unit *unit) {
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    dc_error error = {0};
    if (dc_unit_estimate_again(&unit->kernels[k], unit->archs, unit->n_archs, &error) != DC_OK)
      REQUIRE(error.text[0] && !strstr(error.text, "a fault of divcost")); // dc_estimate_check
  }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  dc_unit unit, again;
  dc_error error = {0};
  if (size == 0)
    return 0;
  if (read(data, size, &unit, &error) != DC_OK) {
    REQUIRE(error.text[0] && !unit.kernels);
    return 0;
  }
  size_t first_size, second_size;
  char *first = write(&unit, &first_size);
  REQUIRE(read(first, first_size, &again, &error) == DC_OK);
  char *second = write(&again, &second_size);
  REQUIRE(first_size == second_size && memcmp(first, second, first_size) == 0);
  estimate_again(&again);
  dc_unit_free(&unit);
  dc_unit_free(&again);
  free(first);
  free(second);
  return 0;
}
