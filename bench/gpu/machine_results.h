// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements of a machine as a file of tab-separated values (machine.tsv), a line for each case.
#ifndef DIVCOST_BENCH_MACHINE_RESULTS_H
#define DIVCOST_BENCH_MACHINE_RESULTS_H

#include <stdio.h>

#include "machine_plan.h"
#include "measure.h"

// What a line's values are of.
typedef enum machine_unit {
  MACHINE_CYCLES,  // that an SM takes for a step of all its warps, from its first start to its last
                   // end; the median SM
  MACHINE_SECONDS, // of a launch
  MACHINE_HERTZ,   // of an SM's clock
  MACHINE_BYTES,   // of what the driver says
  MACHINE_UNITS
} machine_unit;

typedef struct machine_result {
  char test[24];
  unsigned sms, warps, n;
  uint64_t bytes;
  unsigned steps;
  machine_unit unit;
  sample value; // over the launches
} machine_result;

typedef struct machine_results {
  machine_result *items;
  unsigned count;
  char origin[512]; // the first line, without its "# "
} machine_results;

void machine_results_begin(FILE *file, const char *origin);
void machine_results_write(FILE *file, const machine_result *item);

// As results_add, results_read and results_free have it for others.
dc_status machine_results_add(machine_results *all, const machine_result *item, dc_error *error);
dc_status machine_results_read(const char *path, machine_results *all, dc_error *error);
void machine_results_free(machine_results *all);

#endif
