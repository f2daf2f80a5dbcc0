// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacing a file: the new one is written beside it and renamed when it is complete, so that
// readers see the old one or the new one, and a failure leaves the old one. A link stays, its
// target is replaced. What isn't a plain file (a terminal, a pipe), or has no name of its own (a
// deleted file that is standard output), is written to as it is. In libdivcost-json, and in
// libdivcost-profile.
#ifndef DIVCOST_REPLACE_H
#define DIVCOST_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_replacement {
  FILE *file;      // what to write into
  char *target;    // what it replaces, or NULL: it is what is there
  char *temporary; // its name until then, or NULL
} dc_replacement;

// Opens what is to be written. 0, or the errno of what failed; then there is nothing to end.
int dc_replace_begin(const char *path, dc_replacement *to);

// Closes it and, with keep, puts it in its place; else what was there stays. 0, or the errno of
// what failed: then what was there stays, too.
int dc_replace_end(dc_replacement *to, bool keep);

#ifdef __cplusplus
}
#endif

#endif
