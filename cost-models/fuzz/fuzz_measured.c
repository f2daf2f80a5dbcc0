// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a file of measurements: refused with words, or something that passes the check.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "divcost/files.h"

#include "fuzz.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
  dc_measured measured;
  dc_error error = {0};
  if (!stream)
    return 0;
  if (dc_measured_read_json(stream, &measured, &error) == DC_OK) {
    REQUIRE(dc_measured_check(&measured, &error) == DC_OK);
    REQUIRE(measured.seconds >= 0);
    dc_measured_free(&measured);
  } else {
    REQUIRE(error.text[0] && measured.n_kernels == 0);
  }
  fclose(stream);
  return 0;
}
