// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the NVIDIA driver's libcuda.so.1: a GPU whose cycles the model makes up, so that
// the whole of `divcost calibrate` runs where there is none. Each kernel of one warp takes 1000
// cycles and what the emulator says; others take a cycle for each thread. What the environment
// asks:
//   DIVCOST_FAKE_NO_GPU   the driver finds no device
//   DIVCOST_FAKE_NOISE    every other launch takes 10% longer
//   DIVCOST_FAKE_REFUSES  launches fail
//   DIVCOST_FAKE_LOG      a file: a line is added for each launch of one warp, the kernel and what
//                         the lanes are given
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "machine_kernels.h"
#include "machine_plan.h"
#include "predict.h"

#define EXPORT __attribute__((visibility("default")))

enum { KERNELS_MAX = 512, ERROR = 719, MULTIPROCESSORS = 2, MUCH = 1 << 26 };

// As gpu.c has them: sanitizers compare the types of functions that are called by pointer.
typedef struct context_handle *context;
typedef struct event_handle *event;

static char names[KERNELS_MAX][64];
static unsigned n_kernels, launches;

static bool asked(const char *what) { return getenv(what) != NULL; }

EXPORT int cuInit(unsigned flags) { return (int)flags; }
EXPORT int cuGetErrorString(int code, const char **text) {
  *text = code == ERROR ? "unspecified launch failure" : "made up";
  return 0;
}
EXPORT int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
EXPORT int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return asked("DIVCOST_FAKE_NO_GPU") ? 100 : 0;
}
EXPORT int cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  strncpy(name, "made-up GPU", (size_t)size);
  return 0;
}
EXPORT int cuDeviceGetAttribute(int *value, int which, int device) {
  (void)device;
  *value = which == 75   ? 9
           : which == 76 ? 0
           : which == 16 ? MULTIPROCESSORS
           : which == 38 ? 50 << 20
           : which == 39 ? 2048
                         : 1000000;
  return 0;
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = (size_t)2 << 30;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(context *retained, int device) {
  (void)device;
  *retained = (context)names;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
EXPORT int cuCtxSetCurrent(context current) { return current != (context)names; }
EXPORT int cuModuleLoadData(gpu_module *module, const void *image) {
  *module = (gpu_module)names;
  return strstr(image, ".visible .entry") ? 0 : 200; // it is PTX
}
EXPORT int cuModuleUnload(gpu_module module) { return module != (gpu_module)names; }

EXPORT int cuModuleGetFunction(gpu_kernel *kernel, gpu_module module, const char *name) {
  (void)module;
  unsigned k = 0;
  while (k < n_kernels && strcmp(names[k], name) != 0)
    ++k;
  if (k == KERNELS_MAX)
    return 2;
  if (k == n_kernels)
    strncpy(names[n_kernels++], name, sizeof *names - 1);
  *kernel = (gpu_kernel)names[k];
  return 0;
}

// An address on the device is one here.
EXPORT int cuMemAlloc_v2(gpu_memory *address, size_t size) {
  void *memory = calloc(1, size); // what nobody touches takes no memory
  *address = (unsigned long long)(size_t)memory;
  return memory ? 0 : 2;
}
static void *at(gpu_memory address) {
  size_t number = (size_t)address;
  void *memory;
  memcpy(&memory, &number, sizeof memory);
  return memory;
}
EXPORT int cuMemFree_v2(gpu_memory address) {
  free(at(address));
  return 0;
}
EXPORT int cuMemsetD8_v2(gpu_memory address, unsigned char value, size_t size) {
  if (value != 0 || size < MUCH) // it is fresh
    memset(at(address), value, size);
  return 0;
}
EXPORT int cuMemcpyHtoD_v2(gpu_memory to, const void *from, size_t size) {
  memcpy(at(to), from, size);
  return 0;
}
EXPORT int cuMemcpyDtoH_v2(void *to, gpu_memory from, size_t size) {
  memcpy(to, at(from), size);
  return 0;
}

// A case is launched again and again: it is emulated once.
static double managing_of(const char *name, const int *lanes) {
  static const char *last_name;
  static int last_lanes[LANES];
  static double managing;
  dc_arch arch;
  dc_error error;
  if (last_name == name && memcmp(lanes, last_lanes, sizeof last_lanes) == 0)
    return managing;
  last_name = name;
  memcpy(last_lanes, lanes, sizeof last_lanes);
  managing = 0;
  dc_arch_find("sm_90", &arch, &error);
  if (predict_shape(name) != SHAPE_COUNT)
    predict_managing(predict_shape(name), &arch, lanes, &managing, &error);
  return managing;
}

static long long cycles_of(const char *name, const int *lanes) {
  double managing = managing_of(name, lanes);
  double noise = asked("DIVCOST_FAKE_NOISE") && launches % 2 ? 1.1 : 1;
  return (long long)((1000 + managing) * noise);
}

static void log_launch(const char *name, const int *lanes) {
  const char *path = getenv("DIVCOST_FAKE_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  fputs(name, file);
  for (unsigned lane = 0; lane < LANES; ++lane)
    fprintf(file, " %d", lanes[lane]);
  fputc('\n', file);
  fclose(file);
}

// Arguments: lanes, data, cycles or spans, runs or rounds.
static void run_warp(const char *name, void **arguments) {
  long long *cycles = at(*(unsigned long long *)arguments[2]);
  log_launch(name, at(*(unsigned long long *)arguments[0]));
  long long took = cycles_of(name, at(*(unsigned long long *)arguments[0]));
  for (unsigned lane = 0; lane < LANES; ++lane)
    cycles[lane] = took;
}

static void run_crowd(void **arguments, unsigned grid, unsigned block) {
  long long *spans = at(*(unsigned long long *)arguments[2]);
  for (unsigned warp = 0; warp < grid * block / LANES; ++warp) {
    spans[3 * warp] = warp * LANES / block % 2;
    spans[3 * warp + 1] = 0;
    spans[3 * warp + 2] = block;
  }
}

// A machine as sm_90's, but for the multiprocessors. Arguments: memory, spans, sink, the job.
static void run_machine(const char *name, void **arguments, unsigned grid, unsigned block) {
  machine_span *spans = at(*(unsigned long long *)arguments[1]);
  const machine_job *job = arguments[3];
  unsigned sms = grid < MULTIPROCESSORS ? grid : MULTIPROCESSORS;
  unsigned warps = grid * (block / LANES);
  machine_case item = {.kernel = name,
                       .sms = sms,
                       .warps = warps / sms,
                       .n = job->n,
                       .bytes = (uint64_t)job->units << job->unit_log2,
                       .lane_stride = job->lane_stride,
                       .warp_stride = job->warp_stride};
  dc_arch arch;
  dc_arch_find("sm_90", &arch, NULL);
  arch.machine.sms = MULTIPROCESSORS;
  double step = machine_predict(&arch.machine, &item);
  long long cycles = (long long)((step < 0 ? 1000 : step) * job->steps);
  for (unsigned warp = 0; warp < warps; ++warp)
    spans[warp] = (machine_span){warp / (block / LANES) % sms, 0, cycles,
                                 (long long)((double)cycles / arch.machine.clock * 1e9)};
}

// Blocks of all places of a multiprocessor in turn, each some time after the one before it there.
static void run_rest(void **arguments, unsigned grid, unsigned block) {
  machine_span *spans = at(*(unsigned long long *)arguments[1]);
  unsigned warps = block / LANES, places = MULTIPROCESSORS * 2048 / block;
  dc_arch arch;
  dc_arch_find("sm_90", &arch, NULL);
  double waits = arch.machine.block_start + warps * arch.machine.block_start_warp;
  long long stays = 20000, each = stays + (long long)(waits / arch.machine.clock * 1e9);
  for (unsigned warp = 0; warp < grid * warps; ++warp) {
    unsigned place = warp / warps % places;
    long long start = warp / warps / places * each + place;
    spans[warp] = (machine_span){place % MULTIPROCESSORS, start, start + stays, stays};
  }
}

static bool does_nothing(const char *name) {
  return strcmp(name, "fill") == 0 || strcmp(name, "empty") == 0 || strcmp(name, "stay") == 0;
}

EXPORT int cuLaunchKernel(gpu_kernel kernel, unsigned grid, unsigned grid_y, unsigned grid_z,
                          unsigned block, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **arguments, void **extra) {
  (void)grid_y, (void)grid_z, (void)block_y, (void)block_z, (void)shared, (void)stream;
  (void)extra;
  const char *name = (const char *)kernel;
  ++launches;
  if (asked("DIVCOST_FAKE_REFUSES"))
    return ERROR;
  if (does_nothing(name))
    return 0;
  if (strcmp(name, "rest") == 0)
    run_rest(arguments, grid, block);
  else if (machine_plan_launches(name))
    run_machine(name, arguments, grid, block);
  else if (grid == 1 && block == LANES)
    run_warp(name, arguments);
  else
    run_crowd(arguments, grid, block);
  return 0;
}

EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, gpu_kernel kernel, int block,
                                                       size_t shared) {
  (void)kernel, (void)shared;
  *blocks = 2048 / block;
  return 0;
}
EXPORT int cuCtxSynchronize(void) { return 0; }
EXPORT int cuEventCreate(event *made, unsigned flags) {
  (void)flags;
  *made = (event)names;
  return 0;
}
EXPORT int cuEventRecord(event which, void *stream) {
  (void)stream;
  return which != (event)names;
}
EXPORT int cuEventElapsedTime(float *milliseconds, event before, event after) {
  *milliseconds = 1.0f;
  return before != after;
}
