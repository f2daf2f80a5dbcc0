// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that runs beside us: in a process group of its own, with nothing to read and its two
// outputs in one pipe. Nothing here waits but process_stop, which kills first.
#ifndef DIVCOST_TOOLS_COMPILE_PROCESS_H
#define DIVCOST_TOOLS_COMPILE_PROCESS_H

#include "compile/arguments.h"
#include "divcost/error.h"

#include <sys/types.h>

// What is kept of an output; the rest is read and thrown away.
#define PROCESS_OUTPUT_MAX ((size_t)4 << 20)

// All zeroes is a process that never was. Of no use to copy while it runs.
typedef struct process {
  pid_t id;      // also of the group; 0: not running
  int ready;     // to poll (readable): there is something for process_continue to do
  int exits;     // inside: readable once the process ended
  int pipe;      // inside: its outputs
  char *text;    // what it printed so far, NUL-terminated; NULL: nothing
  size_t length; // of text, at most PROCESS_OUTPUT_MAX
  bool cut;      // there was more
  bool ended;
  int status; // once it ended: the exit status, or -N if signal N ended it
} process;

// Starts the program words[0] (a path) in a directory. Signals are as after login: none blocked,
// none ignored. Errors: DC_ERROR_FILE (it can't be started, and why), DC_ERROR_MEMORY. *p then
// needs no process_free.
dc_status process_start(process *p, const char *directory, const arguments *words, dc_error *error);

// Reads what is there, and sees whether the process ended; true: it has, and its group is killed,
// should it have left anything running. To be called when p->ready is readable; never blocks.
bool process_continue(process *p);

// Kills the group if it still runs (SIGKILL) and reaps the process. What it printed stays.
void process_stop(process *p);

// process_stop, and frees what was printed; *p is then all zeroes.
void process_free(process *p);

#endif
