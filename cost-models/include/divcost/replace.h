// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacing a file: the new one is written beside it and renamed when it is complete, so that
// readers see the old one or the new one, and a failure leaves the old one. A link stays, its
// target is replaced. What isn't a plain file (a terminal, a pipe), or has no name of its own (a
// deleted file that is standard output), is written to as it is. What is unfinished when the
// process is ended has no name and leaves nothing behind; where the file system has no such files,
// dc_replace_abandon removes it. In libdivcost-json, and in libdivcost-profile.
#ifndef DIVCOST_REPLACE_H
#define DIVCOST_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_replacement { // stays where it is until its end
  FILE *file;                   // what to write into
  int descriptor;               // of the file
  int reason;                   // errno of the first write that failed, or 0
  char *target;                 // what it replaces, or NULL: it is what is there
  char *temporary;              // room for a name beside the target
  size_t size;                  // of that room
  bool named;                   // the new file goes by that name until it is complete
} dc_replacement;

// Opens what is to be written. 0, or the errno of what failed; then there is nothing to end.
int dc_replace_begin(const char *path, dc_replacement *to);

// Closes it and, with keep, puts it in its place; else what was there stays. 0, or the errno of
// what failed, also of earlier writes and without keep: then what was there stays, too.
int dc_replace_end(dc_replacement *to, bool keep);

// Removes the names of new files that aren't complete. For handlers of signals that end the
// process: it is async-signal-safe.
void dc_replace_abandon(void);

// A stream that writes to a descriptor, closes it in the end, and keeps in *reason, 0 at first, the
// errno of the first write that failed. It waits where a non-blocking descriptor has no room. NULL:
// out of memory, and the descriptor stays open.
FILE *dc_writer_open(int descriptor, int *reason);

#ifdef __cplusplus
}
#endif

#endif
