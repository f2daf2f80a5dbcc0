// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels/machine.cu shares with those who launch it.
#ifndef DIVCOST_BENCH_MACHINE_KERNELS_H
#define DIVCOST_BENCH_MACHINE_KERNELS_H

#include "gpu.h"

typedef struct machine_job {
  unsigned steps, n, units, unit_log2, warm, lane_stride, warp_stride, seed;
} machine_job;

typedef struct machine_span { // of a warp
  long long multiprocessor, start, end, nanoseconds;
} machine_span;

// The kernels with what all of them are given.
typedef struct machine_kernels {
  gpu *device;
  gpu_module module;
  gpu_memory memory, spans, sink;
  uint64_t bytes;     // of memory
  machine_span *read; // room for all spans of a launch
  unsigned most;      // spans
} machine_kernels;

// memory: bytes, all zero; spans: of so many warps. machine_kernels_free releases it.
dc_status machine_kernels_load(gpu *device, uint64_t bytes, unsigned spans, machine_kernels *result,
                               dc_error *error);
void machine_kernels_free(machine_kernels *kernels);

// Launches one and waits. read: whether its spans are wanted.
dc_status machine_launch(machine_kernels *kernels, const char *name, gpu_launch_dims shape,
                         machine_job job, bool read, double *seconds, dc_error *error);

#endif
