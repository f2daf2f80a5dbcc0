// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of files as one number each, so that it can be seen whether a file has changed. Each
// file is read once a run.
#ifndef DIVCOST_TOOLS_CHECK_CONTENTS_H
#define DIVCOST_TOOLS_CHECK_CONTENTS_H

#include "divcost/string_set.h"

#include <time.h>

// All zeroes is the empty table.
typedef struct contents {
  dc_string_set paths;
  uint64_t *hashes; // of the file of this number; 0: it can't be read
  uint32_t capacity;
} contents;

void contents_free(contents *table);

// The hash of a file's bytes, as they were when it was first asked for; 0: it can't be read (or
// memory ran out). `path` is absolute, or from `directory`.
uint64_t contents_of_file(contents *table, const char *directory, const char *path);

// Whether the file has changed, or might have, since a moment (of CLOCK_REALTIME).
bool contents_changed_since(const char *directory, const char *path, struct timespec moment);

#endif
