// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another program's output, from a program that may hang, print without end, or leave files.
#ifndef DIVCOST_BENCH_PROCESS_H
#define DIVCOST_BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "divcost/error.h"

typedef struct process_result {
  char *output; // what it wrote to stdout and stderr, as text; free() releases it
  int status;   // its exit status; 128 + N where signal N ended it
} process_result;

// Runs a program (its path first, NULL at the end) in a process group of its own and waits. Its
// HOME and TMPDIR are a folder that is made for it and removed with all that is in it. After
// `limit` seconds, or where somebody ends this program (SIGINT, SIGTERM, SIGHUP: they come after
// the folder is removed), all its processes are killed. Errors: DC_ERROR_FILE where it can't be
// started, DC_ERROR_LIMIT for the time and for more than 4 MiB of output.
dc_status process_run(char *const arguments[], double limit, process_result *result,
                      dc_error *error);

// The file that a command of this name is, in the PATH; false if there is none.
bool process_find(const char *name, char *path, size_t bytes);

#endif
