// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures kernels/matrix_power.cu: cells of the table, and crowds of warps.
#ifndef DIVCOST_BENCH_POWER_MEASURE_H
#define DIVCOST_BENCH_POWER_MEASURE_H

#include "power_results.h"

enum { POWER_BLOCK = 256 };

typedef enum power_crowd { CROWD, CROWD_SYNC, CROWD_BLIND, CROWD_KINDS } power_crowd;

typedef struct power_bench {
  gpu *device;
  gpu_kernel power[2], crowd[CROWD_KINDS]; // power: without and with __syncwarp()
  unsigned resident_warps; // of a crowd, on a multiprocessor, in blocks of POWER_BLOCK threads
  unsigned cell_warps;     // likewise of the cells without __syncwarp(), but at most those
  gpu_memory counts, tallies, traces, arrived, masks;
} power_bench;

// counts: room for so many lanes' counts. power_bench_close also releases what a failed open left.
dc_status power_bench_open(gpu *device, unsigned counts, power_bench *bench, dc_error *error);
void power_bench_close(power_bench *bench);

// One run of a cell whose block, lanes, sync and groups are given: fills in what the GPU tells but
// for `balanced`. profiles: POWER_KEYS by iteration, and POWER_BLOCK / LANES + 1 by active warps
// (of one block), with counts 0 where there is nothing; may be NULL.
dc_status power_measure_cell(power_bench *bench, const int *counts, power_cell *cell,
                             power_profile *profiles, dc_error *error);

// A crowd: `warps` on every eighth multiprocessor, `background` on the others. Of each
// multiprocessor's first warp `lanes` lanes take part, of its others `others`, the first ones or
// (scattered) such as come at random; where the two differ, only the first warp counts. So many
// iterations, at least 8, so that some are left at the ends of those that count; or none. Each term
// that can be seen in it goes to `take`.
typedef struct power_crowd_plan {
  power_crowd kernel;
  unsigned warps, background, lanes, others;
  bool scattered;
  unsigned iterations;
} power_crowd_plan;

typedef struct power_taker {
  void (*take)(void *context, const power_term *term);
  void *context;
} power_taker;

dc_status power_measure_crowd(power_bench *bench, const power_crowd_plan *plan, power_taker to,
                              dc_error *error);

#endif
