// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hardware counters against the emulator: a few launches of the benchmarks' kernels, of one warp
// each, profiled by NVIDIA's ncu. Divergent branches must be as many as the emulator says. Active
// threads of an instruction follow from launches in which all lanes do the same, which say what one
// lane executes alone, and the instructions that the warp executes more where its lanes part, which
// the emulator says; what the compiler makes of a branch may differ by some instructions.
#ifndef DIVCOST_BENCH_COUNTERS_H
#define DIVCOST_BENCH_COUNTERS_H

#include <stdio.h>

#include "divcost/arch.h"
#include "gpu.h"
#include "patterns.h"

enum { COUNTERS_MAX = 48 };
#define COUNTERS_TOLERANCE 0.02 // of active threads

// A launch: what it was, and what was counted and predicted.
typedef struct counters_case {
  const char *kernel;
  pattern lanes;
  unsigned parameter;
  double divergent, predicted_divergent; // branches
  double active, predicted_active;       // threads of an instruction
  double instructions;                   // of the warp
} counters_case;

typedef struct counters {
  char why_not[320]; // where nothing was measured; else empty
  counters_case cases[COUNTERS_MAX];
  unsigned count;
  unsigned branches_differ; // cases
  unsigned active_differ;   // cases that are off by more than the tolerance
  double worst_active;      // error, as a share of what was counted
} counters;

// Makes the launches, each once, in the order in which they are counted.
dc_status counters_launch(gpu *device, dc_error *error);

// Has ncu profile `divcost calibrate --for-ncu`, program being this divcost, and compares. What
// stands in the way (no ncu, counters that the driver doesn't let this user read, more than `limit`
// seconds) is no error: why_not says it.
void counters_measure(const char *program, const dc_arch *arch, double limit, counters *result);

// The same with what ncu printed before (--csv --page raw); from a file: one that isn't there is
// no error either.
void counters_compare(const char *table, const dc_arch *arch, counters *result);
void counters_read(const char *path, const dc_arch *arch, counters *result);

// For people.
void counters_print(FILE *file, const counters *result);

#endif
