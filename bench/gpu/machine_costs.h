// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine's numbers, fitted to measurements, and how well they predict all that was measured.
#ifndef DIVCOST_BENCH_MACHINE_COSTS_H
#define DIVCOST_BENCH_MACHINE_COSTS_H

#include <stdio.h>

#include "fit.h"
#include "machine_results.h"

enum { MACHINE_CHECKS_MAX = 64 };

// A test: what was measured against what the numbers say, over its cases.
typedef struct machine_check {
  char test[24];
  unsigned points;
  double median, worst;       // of the error, as a share of what was measured
  unsigned sms, warps, n;     // where it is worst
  uint64_t bytes;             //
  double measured, predicted; //
} machine_check;

typedef struct machine_costs {
  dc_machine machine;                     // known: all of it is
  fit_unknown figures[DC_MACHINE_FIELDS]; // the same with uncertainties
  machine_check checks[MACHINE_CHECKS_MAX];
  unsigned n_checks;
} machine_costs;

// Errors: DC_ERROR_ARGUMENT, naming the first number that the measurements don't tell.
dc_status machine_costs_fit(const machine_results *measured, machine_costs *result,
                            dc_error *error);

// How a number was got: "one warp, each load waiting for the one before, 4 MiB".
const char *machine_costs_how(unsigned field);

// For people.
void machine_costs_print(FILE *file, const machine_costs *costs);

#endif
