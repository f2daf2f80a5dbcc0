// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include "check/verdict.h"

#include "divcost/files.h"
#include "divcost/unit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void verdict_fail(check_unit *unit, const char *format, ...) {
  char text[600];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  free(unit->failure);
  unit->failure = strdup(text);
  unit->state = CHECK_FAILED;
}

static bool says(const check_unit *unit, const char *words) {
  return unit->messages && strstr(unit->messages, words);
}

static void give_up(check_run *run, const char *why) {
  arguments text = {0};
  arguments_addf(&text, "%s (plugin %s, compiler %s)", why, run->tools->plugin, run->tools->clang);
  if (!run->hopeless && !text.failed)
    run->hopeless = strdup(text.words[0]);
  arguments_free(&text);
}

// Whether the plugin can't work in this compiler; then it can't for any unit.
static bool is_mismatch(check_run *run, check_unit *unit) {
  if (!says(unit, "divcost: this plugin was built for"))
    return false;
  give_up(run, "the plugin and the compiler are of different versions of LLVM; name those that "
               "belong together with --plugin and --clang");
  verdict_fail(unit, "the plugin is for another compiler");
  free(unit->messages); // errors in code that was compiled without it
  unit->messages = NULL;
  return true;
}

// An exit status other than 0.
static void explain_status(check_run *run, check_unit *unit, int status) {
  if (says(unit, "unable to load plugin")) {
    give_up(run, "the plugin can't be loaded");
    verdict_fail(unit, "the plugin can't be loaded");
  } else if (says(unit, "PLEASE submit a bug report")) {
    verdict_fail(unit, "the compiler crashed");
  } else if (status < 0) {
    verdict_fail(unit, "the compiler was ended by signal %d (%s)", -status, strsignal(-status));
  } else if (status == 1) {
    verdict_fail(unit, "doesn't compile");
  } else {
    verdict_fail(unit, "the compiler ended with status %d", status);
  }
}

// Says it where ptxas was asked, and has said nothing of some kernels.
static void note_without_registers(check_unit *unit, const dc_unit *read) {
  unsigned without = 0;
  for (uint32_t k = 0; k < read->n_kernels; ++k)
    without +=
        read->kernels[k].kernel.n_blocks > 0 && read->kernels[k].kernel.resources.n_ptxas == 0;
  if (without == 0)
    return;
  arguments note = {0};
  arguments_addf(&note, "registers of %u of %u kernels are estimated: ptxas says nothing of them",
                 without, (unsigned)read->n_kernels);
  unit->note = note.failed ? NULL : strdup(note.words[0]);
  arguments_free(&note);
}

// Whether the report is one.
static bool check_report(check_unit *unit, const char *path, bool with_ptxas) {
  FILE *stream = fopen(path, "re");
  if (!stream) {
    verdict_fail(unit, "the compiler left no report: %s", strerror(errno));
    return false;
  }
  dc_unit read;
  dc_error error;
  dc_status status = dc_unit_read_json(stream, &read, &error);
  fclose(stream);
  if (status != DC_OK) {
    verdict_fail(unit, "the compiler left a report that cannot be read: %s", error.text);
    return false;
  }
  if (with_ptxas && !unit->note)
    note_without_registers(unit, &read);
  dc_unit_free(&read);
  return true;
}

static void keep_report(check_run *run, check_unit *unit, struct timespec started) {
  dc_error error;
  if (results_keep(run->results, unit, started, &error) == DC_OK)
    unit->state = CHECK_ANALYSED;
  else
    verdict_fail(unit, "%s", error.text);
}

void verdict_pass(check_run *run, check_unit *unit, child *compiler, struct timespec started) {
  unit->messages = compiler->text;
  compiler->text = NULL;
  compiler->length = compiler->capacity = 0;
  char *report = results_running(run->results, unit, ".json");
  if (unit->messages)
    messages_clean(unit->messages);
  if (!is_mismatch(run, unit)) {
    if (compiler->status != 0)
      explain_status(run, unit, compiler->status);
    else if (!report)
      verdict_fail(unit, "out of memory");
    else if (check_report(unit, report, run->options->with_ptxas))
      keep_report(run, unit, started);
  }
  free(report);
}
