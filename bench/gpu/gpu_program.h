// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that measures on GPU 0 and writes into a folder, its only option.
#ifndef DIVCOST_BENCH_GPU_PROGRAM_H
#define DIVCOST_BENCH_GPU_PROGRAM_H

#include "gpu.h"

typedef struct gpu_program {
  const char *name, *help;
  dc_status (*measure)(gpu *device, const char *folder, dc_error *error);
} gpu_program;

// Its main: [--out FOLDER] or --help, the folder that it is in by default. The exit status: 0, 1
// with a message where something failed, 2 for wrong usage.
int gpu_program_main(const gpu_program *what, int count, char **arguments);

#endif
