// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "images.h"

// Launches of one case.
enum { LAUNCHES = 256, CROWD_LAUNCHES = 32, ROWS_MAX = LANES + 1 };

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

dc_status kernels_load(gpu *device, const char *file, kernels *from, dc_error *error) {
  const char *image = image_find(file);
  *from = (kernels){.file = file, .build = "clang", .launches = from->launches};
  if (!image)
    return dc_fail(error, DC_ERROR_FILE,
                   "this program was built where no clang was found to compile its kernels");
  return gpu_load(device, file, image, &from->module, error);
}

sample sample_of(double *values, unsigned count) {
  qsort(values, count, sizeof *values, by_value);
  return (sample){.median = values[count / 2],
                  .least = values[0],
                  .greatest = values[count - 1],
                  .launches = count};
}

// What a kernel reads, its sums, and its clocks.
typedef struct buffers {
  gpu_memory at[3];
} buffers;

// Releases what there is.
static void release(gpu *device, const buffers *all) {
  for (int m = 0; m < 3; ++m)
    if (all->at[m])
      gpu_free(device, all->at[m]);
}

static dc_status reserve(gpu *device, const size_t bytes[3], const int lanes[LANES], buffers *all,
                         dc_error *error) {
  dc_status status = DC_OK;
  *all = (buffers){{0}};
  for (int m = 0; status == DC_OK && m < 3; ++m)
    status = gpu_allocate(device, bytes[m], &all->at[m], error);
  if (status == DC_OK)
    status = gpu_write(device, all->at[0], lanes, LANES * sizeof *lanes, error);
  if (status != DC_OK)
    release(device, all);
  return status;
}

// --- one warp ------------------------------------------------------------------------------------

// The slowest lane's cycles in each row of one launch.
static void slowest(const long long *cycles, unsigned rows, unsigned launch,
                    double values[][LAUNCHES]) {
  for (unsigned row = 0; row < rows; ++row) {
    long long most = -1;
    for (unsigned lane = 0; lane < LANES; ++lane)
      most = cycles[row * LANES + lane] > most ? cycles[row * LANES + lane] : most;
    values[row][launch] = (double)most;
  }
}

static dc_status launch_warps(gpu *device, gpu_kernel kernel, const gpu_memory memory[3],
                              unsigned rows, unsigned launches, double values[][LAUNCHES],
                              dc_error *error) {
  int runs = MEASURE_RUNS;
  gpu_memory at[3] = {memory[0], memory[1], memory[2]};
  void *arguments[] = {&at[0], &at[1], &at[2], &runs};
  long long cycles[ROWS_MAX * LANES];
  dc_status status = DC_OK;
  for (unsigned launch = 0; status == DC_OK && launch < launches; ++launch) {
    status = gpu_launch(device, kernel, (gpu_launch_dims){.grid = 1, .block = LANES}, arguments,
                        NULL, error);
    if (status == DC_OK)
      status = gpu_read(device, cycles, memory[2], rows * LANES * sizeof *cycles, error);
    if (status == DC_OK)
      slowest(cycles, rows, launch, values);
  }
  return status;
}

dc_status measure_warp(gpu *device, const kernels *from, const char *name, const int lanes[LANES],
                       unsigned rows, sample *result, dc_error *error) {
  static double values[ROWS_MAX][LAUNCHES];
  unsigned launches = from->launches && from->launches < LAUNCHES ? from->launches : LAUNCHES;
  size_t bytes[3] = {LANES * sizeof(int), LANES * sizeof(float),
                     ROWS_MAX * LANES * sizeof(long long)};
  buffers all;
  gpu_kernel kernel;
  dc_status status = gpu_find(device, from->module, name, &kernel, error);
  if (status == DC_OK)
    status = reserve(device, bytes, lanes, &all, error);
  if (status != DC_OK)
    return status;
  status = launch_warps(device, kernel, all.at, rows, launches, values, error);
  release(device, &all);
  for (unsigned row = 0; status == DC_OK && row < rows; ++row)
    result[row] = sample_of(values[row], launches);
  return status;
}

// --- many warps ----------------------------------------------------------------------------------

typedef struct span { // as in kernels/throughput.cu
  long long multiprocessor, start, end;
} span;

// The median over the multiprocessors that ran as many warps as asked for, of the time from the
// first start to the last end; -1 where none did.
static double busiest(const span *spans, unsigned count, unsigned warps) {
  enum { MOST = 1024 };
  struct {
    long long start, end;
    unsigned warps;
  } at[MOST] = {{0, 0, 0}};
  for (unsigned s = 0; s < count; ++s) {
    if (spans[s].multiprocessor < 0 || spans[s].multiprocessor >= MOST)
      continue;
    long long m = spans[s].multiprocessor;
    if (at[m].warps == 0 || spans[s].start < at[m].start)
      at[m].start = spans[s].start;
    if (at[m].warps == 0 || spans[s].end > at[m].end)
      at[m].end = spans[s].end;
    ++at[m].warps;
  }
  double values[MOST];
  unsigned full = 0;
  for (unsigned m = 0; m < MOST; ++m)
    if (at[m].warps == warps)
      values[full++] = (double)(at[m].end - at[m].start);
  return full ? sample_of(values, full).median : -1.0;
}

static dc_status launch_crowd(gpu *device, gpu_kernel kernel, gpu_launch_dims shape, crowd how,
                              const gpu_memory memory[3], unsigned launches, double *values,
                              dc_error *error) {
  unsigned count = shape.grid * shape.block / LANES;
  span *spans = malloc(count * sizeof *spans);
  if (!spans)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  gpu_memory at[3] = {memory[0], memory[1], memory[2]};
  void *arguments[] = {&at[0], &at[1], &at[2], &how.argument};
  dc_status status = DC_OK;
  for (unsigned launch = 0; status == DC_OK && launch < launches; ++launch) {
    status = gpu_launch(device, kernel, shape, arguments, NULL, error);
    if (status == DC_OK)
      status = gpu_read(device, spans, memory[2], count * sizeof *spans, error);
    if (status == DC_OK)
      values[launch] = busiest(spans, count, how.warps);
  }
  free(spans);
  return status;
}

dc_status measure_crowd(gpu *device, const kernels *from, const char *name, const int lanes[LANES],
                        crowd how, sample *result, dc_error *error) {
  unsigned blocks = how.warps > 32 ? how.warps / 32 : 1; // on each multiprocessor
  gpu_launch_dims shape = {.grid = gpu_what(device)->multiprocessors * blocks,
                           .block = LANES * (how.warps / blocks)};
  size_t threads = (size_t)shape.grid * shape.block;
  size_t bytes[3] = {LANES * sizeof(int), threads * 4 * sizeof(double),
                     threads / LANES * sizeof(span)};
  double values[CROWD_LAUNCHES];
  unsigned launches =
      from->launches && from->launches < CROWD_LAUNCHES ? from->launches : CROWD_LAUNCHES;
  buffers all;
  gpu_kernel kernel;
  dc_status status = gpu_find(device, from->module, name, &kernel, error);
  if (status == DC_OK)
    status = reserve(device, bytes, lanes, &all, error);
  if (status != DC_OK)
    return status;
  status = launch_crowd(device, kernel, shape, how, all.at, launches, values, error);
  release(device, &all);
  if (status == DC_OK)
    *result = sample_of(values, launches);
  return status;
}
