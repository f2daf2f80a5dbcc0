// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line at the bottom of a terminal on standard error: how far a run is. Nothing where standard
// error is no terminal.
#ifndef DIVCOST_TOOLS_CHECK_PROGRESS_H
#define DIVCOST_TOOLS_CHECK_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
  bool enabled;
  bool shown;     // the line is on the screen
  double started; // seconds of CLOCK_MONOTONIC
  double drawn;   // the last time
} progress;

void progress_begin(progress *p);

// Draws the line, at most ten times a second: `done` of `total`, of which `analysed` took time, and
// what is running.
void progress_draw(progress *p, size_t done, size_t total, size_t analysed,
                   const char *const *running, size_t n_running);

// Removes the line; to be called before anything else is printed.
void progress_clear(progress *p);

// Seconds of a clock that never goes back.
double progress_now(void);

#endif
