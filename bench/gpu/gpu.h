// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first NVIDIA GPU, through the driver's own library, which is opened at run time: what uses
// this builds and starts on machines without a GPU, a driver or a CUDA Toolkit. Kernels come as PTX
// or cubins. Failures are DC_ERROR_FILE (no driver, no device, no such kernel) or DC_ERROR_LIMIT
// (what the driver refuses), with the driver's own words.
#ifndef DIVCOST_BENCH_GPU_H
#define DIVCOST_BENCH_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "divcost/error.h"

typedef struct gpu gpu;
typedef struct gpu_module_handle *gpu_module;
typedef struct gpu_kernel_handle *gpu_kernel;
typedef unsigned long long gpu_memory; // an address on the device

typedef struct gpu_facts {
  char name[96];
  unsigned sm;               // 90 for sm_90
  unsigned multiprocessors;  // how many
  unsigned threads;          // of one multiprocessor, at most
  unsigned clock_khz;        // of the multiprocessors, at most
  uint64_t memory, l2_bytes; // of the device, of its last cache
  unsigned driver;           // 13000: the driver's CUDA is 13.0
} gpu_facts;

typedef struct gpu_launch_dims {
  unsigned grid, block;     // both along x
  unsigned shared;          // bytes of dynamic shared memory
  unsigned grid_y, block_y; // 0: 1
} gpu_launch_dims;

// Opens the driver and makes a context on device 0; gpu_close releases it with everything that was
// allocated and loaded.
dc_status gpu_open(gpu **result, dc_error *error);
void gpu_close(gpu *device);
const gpu_facts *gpu_what(const gpu *device);

// PTX (terminated by 0) or a cubin; name is for messages.
dc_status gpu_load(gpu *device, const char *name, const void *image, gpu_module *module,
                   dc_error *error);
dc_status gpu_find(gpu *device, gpu_module module, const char *name, gpu_kernel *kernel,
                   dc_error *error);

// How many blocks of so many threads one multiprocessor holds at the same time.
dc_status gpu_resident(gpu *device, gpu_kernel kernel, unsigned block, unsigned *blocks,
                       dc_error *error);

// Memory is zero at first.
dc_status gpu_allocate(gpu *device, size_t bytes, gpu_memory *memory, dc_error *error);
void gpu_free(gpu *device, gpu_memory memory);
dc_status gpu_write(gpu *device, gpu_memory to, const void *from, size_t bytes, dc_error *error);
dc_status gpu_read(gpu *device, void *to, gpu_memory from, size_t bytes, dc_error *error);

// Launches and waits. arguments: the addresses of the kernel's arguments, in order. seconds (may be
// NULL): what passed on the GPU between an event before and one after.
dc_status gpu_launch(gpu *device, gpu_kernel kernel, gpu_launch_dims shape, void **arguments,
                     double *seconds, dc_error *error);

// Launches one kernel that keeps the GPU busy, and behind it another one `times`, before the first
// has ended: seconds is what passes from an event in front of these to one behind them.
typedef struct gpu_work {
  gpu_kernel kernel;
  gpu_launch_dims shape;
  void **arguments;
} gpu_work;
dc_status gpu_launch_behind(gpu *device, const gpu_work *first, const gpu_work *work,
                            unsigned times, double *seconds, dc_error *error);

#endif
