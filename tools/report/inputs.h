// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports as arguments name them: files; folders, which are searched for reports (files *.json that
// begin as one, sorted by name); and @FILE, a file with one such argument a line (@-: standard
// input).
#ifndef DIVCOST_TOOLS_REPORT_INPUTS_H
#define DIVCOST_TOOLS_REPORT_INPUTS_H

#include "divcost/unit.h"

typedef struct report_inputs {
  char **files; // owned, in the order of the arguments
  uint32_t count, capacity;
  uint32_t n_other; // JSON files in folders that are no reports
  char *other;      // the first of these
} report_inputs;

// Adds what an argument names. 0, or the exit status after a message on standard error; in any case
// report_inputs_free is the end.
int report_inputs_add(report_inputs *inputs, const char *argument);

// Says on standard error what was left out of the folders.
void report_inputs_say(const report_inputs *inputs);

void report_inputs_free(report_inputs *inputs);

#endif
