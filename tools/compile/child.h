// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that runs beside us: in a process group of its own, with nothing to read and its two
// outputs in one pipe. Nothing here waits but child_stop, which kills first.
#ifndef DIVCOST_TOOLS_COMPILE_CHILD_H
#define DIVCOST_TOOLS_COMPILE_CHILD_H

#include "compile/arguments.h"
#include "divcost/error.h"

#include <sys/types.h>

// What is kept of an output; the rest is read and thrown away.
#define CHILD_OUTPUT_MAX ((size_t)4 << 20)

// All zeroes is a child that never was. Not to be copied while it runs.
typedef struct child {
  pid_t process; // also its group; 0: none runs
  int ready;     // while it runs, to poll: readable when child_continue has something to do
  int exits;     // inside: readable once it ended
  int pipe;      // inside: its outputs; -1 when all who could write are gone
  char *text;    // what it printed so far, NUL-terminated; NULL: nothing
  size_t length; // of text, at most CHILD_OUTPUT_MAX
  size_t capacity;
  bool cut;   // there was more, or there is no memory for it
  int status; // when it has ended: the exit status, or -N if signal N ended it
} child;

// Starts the program words[0] (a path) in a directory. Signals are as after login: none blocked,
// none ignored. *c must be all zeroes, and is on error. Errors: DC_ERROR_FILE (it can't be started,
// and why), DC_ERROR_MEMORY.
dc_status child_start(child *c, const char *directory, const arguments *words, dc_error *error);

// Reads what is there, and sees whether the child ended; true: it has, it is reaped, and what it
// left running of its group is killed. To be called when c->ready is readable; never blocks.
bool child_continue(child *c);

// Kills the group if the child still runs (SIGKILL), and reaps it; c->status is then -SIGKILL
// unless it ended by itself. What it printed stays.
void child_stop(child *c);

// child_stop, and frees what was printed; *c is then all zeroes.
void child_free(child *c);

#endif
