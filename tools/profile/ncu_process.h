// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of a .ncu-rep, which only ncu itself can read.
#ifndef DIVCOST_TOOLS_NCU_PROCESS_H
#define DIVCOST_TOOLS_NCU_PROCESS_H

#include "divcost/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct ncu_process {
  pid_t process;
  FILE *stream; // what it prints
} ncu_process;

// Starts the ncu of PATH on a report: its source page, or its raw page. Errors: DC_ERROR_FILE, with
// what to do where there is no ncu.
dc_status ncu_process_begin(ncu_process *out, const char *report, bool raw, dc_error *error);

// Closes the stream and waits. DC_ERROR_FILE: it failed.
dc_status ncu_process_end(ncu_process *process, dc_error *error);

#endif
