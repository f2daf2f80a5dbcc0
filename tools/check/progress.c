// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // struct winsize

#include "check/progress.h"

#include "divcost/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double progress_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress *p) {
  const char *terminal = getenv("TERM");
  *p = (progress){.started = progress_now()};
  p->enabled = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static unsigned columns(void) {
  struct winsize size = {0};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void progress_draw(progress *p, size_t done, size_t total, size_t analysed,
                   const char *const *running, size_t n_running) {
  double now = progress_now(), elapsed = now - p->started;
  if (!p->enabled || (p->shown && now - p->drawn < 0.1))
    return;
  char line[512];
  size_t room = columns() < sizeof line ? columns() : sizeof line; // the last column stays free
  int length = snprintf(line, room, "[%zu/%zu]", done, total);
  if (analysed > 0 && elapsed > 0.5 && length > 0 && (size_t)length < room)
    length += snprintf(line + length, room - (size_t)length, " %.1f/s", (double)analysed / elapsed);
  for (size_t k = 0; k < n_running && length > 0 && (size_t)length < room; ++k)
    length += snprintf(line + length, room - (size_t)length, " %s", dc_base_name(running[k]));
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
  p->shown = true;
  p->drawn = now;
}

void progress_clear(progress *p) {
  if (!p->shown)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  p->shown = false;
}
