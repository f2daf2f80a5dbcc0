// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures a machine: all cases of its plan, what launches take, and where blocks run.
#ifndef DIVCOST_BENCH_MACHINE_MEASURE_H
#define DIVCOST_BENCH_MACHINE_MEASURE_H

#include "gpu.h"
#include "machine_results.h"

typedef void machine_show(const char *test, unsigned done);

// Adds a result for each case; show (may be NULL) is told what comes next.
dc_status machine_measure(gpu *device, machine_results *all, machine_show *show, dc_error *error);

// Writes where the blocks of a few launches ran, and when: of equal length, and of different ones.
dc_status machine_place_blocks(gpu *device, FILE *file, dc_error *error);

#endif
