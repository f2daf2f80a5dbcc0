// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include "report/merge_inputs.h"

#include "command.h"
#include "report/inputs.h"
#include "report/unit_file.h"

#include <time.h>
#include <unistd.h>

// A line on the terminal that is written over.
typedef struct progress {
  bool shown, terminal;
  struct timespec next; // when it is written again
} progress;

static void progress_after(progress *progress, double seconds) {
  clock_gettime(CLOCK_MONOTONIC, &progress->next);
  long more = progress->next.tv_nsec + (long)(seconds * 1e9);
  progress->next.tv_sec += more / 1000000000;
  progress->next.tv_nsec = more % 1000000000;
}

static void progress_say(progress *progress, uint32_t done, uint32_t all) {
  struct timespec now;
  if (!progress->terminal || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
    return;
  if (now.tv_sec < progress->next.tv_sec ||
      (now.tv_sec == progress->next.tv_sec && now.tv_nsec < progress->next.tv_nsec))
    return;
  fprintf(stderr, "\r%u of %u reports", done, all);
  progress->shown = true;
  progress_after(progress, 0.1);
}

static void progress_end(const progress *progress) {
  if (progress->shown)
    fputs("\r\033[K", stderr);
}

static int add_unit(report_stream *stream, const char *path) {
  dc_error error;
  dc_unit unit;
  int status = report_read_unit(path, &unit);
  if (status == 0 && report_stream_add(stream, &unit, &error) != DC_OK) {
    status = command_fail(path, error.text);
    dc_unit_free(&unit);
  }
  return status;
}

static int add_units(report_stream *stream, const report_inputs *inputs) {
  progress progress = {.terminal = isatty(STDERR_FILENO)};
  int status = 0;
  progress_after(&progress, 0.5);
  for (uint32_t k = 0; status == 0 && k < inputs->count; ++k) {
    progress_say(&progress, k, inputs->count);
    status = add_unit(stream, inputs->files[k]);
  }
  progress_end(&progress);
  return status;
}

int report_merge_inputs(int count, char *const *arguments, report_stream *stream,
                        dc_kernels *kernels) {
  dc_error error;
  report_inputs inputs = {.count = 0};
  int status = 0;
  dc_status made = report_stream_begin(stream, &error);
  if (made != DC_OK)
    return command_fail(NULL, error.text);
  for (int k = 0; k < count && status == 0; ++k)
    status = report_inputs_add(&inputs, arguments[k]);
  report_inputs_say(&inputs);
  if (status == 0)
    status = add_units(stream, &inputs);
  report_inputs_free(&inputs);
  if (status == 0 && report_stream_merge(stream, kernels, &error) != DC_OK)
    status = command_fail(NULL, error.text);
  return status;
}
