// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements as files: tab-separated values, a line for each, and before them lines that begin
// with # and say where they come from. What was measured on a GPU is read back and analysed on any
// machine.
#ifndef DIVCOST_BENCH_RESULTS_H
#define DIVCOST_BENCH_RESULTS_H

#include <stdio.h>

#include "measure.h"

typedef struct result {
  char build[8]; // what compiled the kernel: "clang" or "nvcc"
  char kernel[32];
  pattern lanes;      // what the lanes of each warp do
  unsigned parameter; // of the pattern
  unsigned warps;     // on each multiprocessor; 0: one on the whole GPU
  int argument;       // of the kernel: runs, or rounds
  unsigned row;       // which of the kernel's clocks
  sample cycles;
} result;

typedef struct results {
  result *items;
  unsigned count;
  char origin[512]; // the first line, without its "# "
} results;

// The line that says where measurements come from: device, driver, date.
void results_origin(const gpu *device, char *text, size_t bytes);

// Writes the lines of a file: what it begins with, and one result.
void results_begin(FILE *file, const char *origin);
void results_write(FILE *file, const result *item);

// Adds one, or those of a file; `all` is {0} at first. Errors name the line. results_free releases
// what was added.
dc_status results_add(results *all, const result *item, dc_error *error);
dc_status results_read(const char *path, results *all, dc_error *error);
void results_free(results *all);

// The result of this case, or NULL.
const result *results_find(const results *all, const char *build, const char *kernel, pattern lanes,
                           unsigned parameter, unsigned row);

#endif
