// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An architecture's costs, fitted to measurements, and how well they predict those that weren't
// used.
//
// The costs of managing divergence are fitted to 16 points: the single loop of Bialas and
// Strzelecki for n = 0 .. 15, in which up to 31 lanes leave early. The emulator says how often each
// cost occurs at each point (it is linear in them), least squares say what they are. Everything
// else that was measured is predicted.
#ifndef DIVCOST_BENCH_CALIBRATION_H
#define DIVCOST_BENCH_CALIBRATION_H

#include <stdio.h>

#include "counters.h"
#include "divcost/arch.h"
#include "fit.h"
#include "machine_costs.h"
#include "results.h"

enum { CALIBRATION_CHECKS_MAX = 128 };

// A kernel and a pattern: what was measured against what is predicted, over the parameters.
typedef struct calibration_check {
  char kernel[32];
  pattern lanes;
  unsigned points;
  double median, worst; // of the error, as a share of the measured cycles
  double worst_cycles;  // the greatest error, in cycles
} calibration_check;

typedef struct calibration {
  dc_arch arch;                    // with the fitted costs
  fit_unknown branch;              // cycles for a branch at which lanes part
  fit_unknown exit;                // barriers: for one that leaves a loop
  fit_unknown displaced;           // barriers
  fit_unknown spill;               // stack
  double worst;                    // residual of the fit, cycles
  fit_unknown issue[DC_MIX_COUNT]; // cycles of a warp instruction on its scheduler
  fit_unknown latency[DC_MIX_COUNT];
  fit_unknown vote, vote_latency; // of a ballot and the compare before it
  unsigned predicated;            // additions behind an if that are issued under a predicate, at
                                  // most; 0: not known
  unsigned parted;                // the next longer if that was measured
  calibration_check checks[CALIBRATION_CHECKS_MAX];
  unsigned n_checks;
  machine_costs machine; // where it was measured,
  char no_machine[160];  // or why it isn't known
  counters counted;      // where hardware counters were compared, or why not
} calibration;

// Fits and predicts, from one build's results; counters and the machine aren't touched. The rules
// are those of the sm_NN that the results' origin names. Errors: DC_ERROR_ARGUMENT where the points
// of the fit are missing, where the GPU was disturbed (a spread of more than 2% in more than one
// case in a hundred), or where the fit leaves more than 1% of a point: no costs come from noise.
dc_status calibration_fit(const results *measured, const char *build, calibration *result,
                          dc_error *error);

// Fits the machine, or says why not: the other costs don't depend on it.
void calibration_fit_machine(const machine_results *measured, calibration *result);

// What a case should take with these costs: the cycles of the same kernel where no lanes part, as
// measured, and those of managing. *known is false where the shape isn't known, the case without
// divergence wasn't measured, or is this one.
dc_status calibration_predict(const results *measured, const dc_arch *arch, const result *item,
                              double *cycles, bool *known, dc_error *error);

// Writes an architecture file (docs/divcost-arch-1.schema.json); command says how it was made.
dc_status calibration_write(FILE *file, const calibration *result, const char *origin,
                            const char *command, dc_error *error);

// Prints the costs and the checks as a table for people.
void calibration_print(FILE *file, const calibration *result);

#endif
