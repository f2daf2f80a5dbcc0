// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as pages of Nsight Compute, and what is made of them: a file that is read again as it
// was written, in which every idle lane-slot is charged.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "profile/ncu_csv.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

static void check_kernel(const dc_measured_kernel *kernel) {
  double idle = kernel->untold, missing = 32 * kernel->warps - kernel->lanes;
  for (uint32_t s = 0; s < kernel->n_sites; ++s)
    idle += kernel->sites[s].idle;
  REQUIRE(fabs(idle - missing) <= 1e-6 * 32 * kernel->warps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
  dc_counts *counts = dc_counts_new();
  ncu_export found = {0};
  dc_error error = {0};
  dc_measured measured;
  if (stream && counts) {
    dc_status status = ncu_csv_read(stream, counts, &found, &error);
    REQUIRE(status == DC_OK || error.text[0]);
    REQUIRE(dc_counts_charge(counts, &measured, &error) == DC_OK);
    REQUIRE(dc_measured_check(&measured, &error) == DC_OK);
    for (uint32_t k = 0; k < measured.n_kernels; ++k)
      check_kernel(&measured.kernels[k]);
    dc_measured_free(&measured);
  }
  if (stream)
    fclose(stream);
  ncu_export_free(&found);
  dc_counts_free(counts);
  return 0;
}
