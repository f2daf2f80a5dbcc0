// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline: a file with the findings that a project knows of. It is JSON, one finding a line,
// sorted, for version control; docs/report.md describes it.
#ifndef DIVCOST_TOOLS_REPORT_BASELINE_FILE_H
#define DIVCOST_TOOLS_REPORT_BASELINE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A finding that is known. Rule and fingerprint identify it, the rest is for people.
typedef struct baseline_entry {
  char *rule, *file, *kernel, *message; // owned; file and kernel may be empty
  uint64_t fingerprint;
  bool met;     // some finding of the run is this one
  bool seen;    // its kernel, or its file, was looked at
  bool unknown; // its kernel was not analysed, or not as a whole
  bool failed;  // its file could not be looked at
} baseline_entry;

typedef struct baseline {
  baseline_entry *entries; // sorted: see baseline_compare
  uint32_t count;
} baseline;

// By file, rule, fingerprint, kernel and message: the order of the file.
int baseline_compare(const baseline_entry *x, const baseline_entry *y);

// Reads a baseline; entries with the same fingerprint count each. 0, or the exit status after a
// message on standard error; *to is then empty.
int baseline_read(const char *path, baseline *to);

// Writes entries in their order; the file is replaced when it is complete. 0, or the exit status
// after a message.
int baseline_write(const char *path, const baseline *from);

void baseline_free(baseline *baseline);

// The folder that paths in a baseline are from: its own, in full; NULL: memory is out, or there is
// no such folder. Released with free.
char *baseline_folder(const char *path);

#endif
