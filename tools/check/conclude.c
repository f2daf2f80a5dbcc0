// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include "check/conclude.h"

#include "command.h"
#include "divcost/path.h"
#include "divcost/replace.h"
#include "report/merge_inputs.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- reports -------------------------------------------------------------------------------------

static bool is_output(const char *file) { return strcmp(file, "-") == 0; }

// The format of a file by its ending: .txt is for people, as is standard output, .json what
// `divcost report --json` prints, and so on.
static const dc_report_format *format_of(const char *file) {
  const char *dot = strrchr(dc_base_name(file), '.');
  if (is_output(file))
    return &dc_format_text;
  if (!dot)
    return NULL;
  return strcmp(dot, ".txt") == 0 ? &dc_format_text : dc_format_find(dot + 1);
}

// Whether a report can be put there: tried before the analysis, which may take hours.
static int check_place(const char *path) {
  struct stat facts;
  dc_replacement to;
  if (is_output(path))
    return 0;
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    return 0; // a pipe: opening it is already something that its reader sees
  int reason = dc_replace_begin(path, &to);
  if (reason)
    return command_fail(path, strerror(reason));
  dc_replace_end(&to, false);
  return 0;
}

int conclude_check_reports(const check_options *options) {
  int result = 0;
  for (unsigned k = 0; k < options->n_reports; ++k)
    if (!format_of(options->reports[k]))
      return command_misuse("no format of reports goes by the name", options->reports[k]);
  for (unsigned k = 0; k < options->n_reports && result == 0; ++k)
    result = check_place(options->reports[k]);
  if (result == 0 && options->gate.write_baseline)
    result = check_place(options->gate.write_baseline);
  return result;
}

static int write_report(const char *path, const dc_kernels *kernels, gate *gate) {
  const dc_report_format *format = format_of(path);
  if (is_output(path))
    return report_print(&dc_format_text, 0, kernels, gate);
  dc_replacement to;
  dc_error error;
  if (!format)
    return FAILURE; // conclude_check_reports has seen to it
  int reason = dc_replace_begin(path, &to);
  if (reason)
    return command_fail(path, strerror(reason));
  dc_status status =
      report_write(format, (dc_report_options){.top = 0}, kernels, gate, to.file, &error);
  reason = dc_replace_end(&to, status == DC_OK);
  if (reason) // which the error depends on, if there is one
    return command_fail(path, strerror(reason));
  return status != DC_OK ? command_fail(path, error.text) : 0;
}

// What a failed file had in the baseline isn't gone, also where the baseline is only written.
// `files` becomes the failed ones.
static int spare_failed(const check_run *run, gate_options *asked, arguments *files) {
  if (run->failed == 0)
    return 0;
  for (size_t k = 0; k < run->units->count; ++k) {
    const check_unit *unit = &run->units->items[k];
    char *path = unit->state == CHECK_FAILED ? compile_command_path(&unit->command) : NULL;
    if (path)
      arguments_add(files, path);
    files->failed |= unit->state == CHECK_FAILED && !path;
    free(path);
  }
  if (files->failed)
    return command_fail(NULL, "out of memory for the failed files");
  asked->failed = (const char *const *)files->words;
  asked->n_failed = files->count;
  asked->partial = true;
  if (!asked->baseline && asked->write_baseline && access(asked->write_baseline, F_OK) == 0)
    asked->baseline = asked->write_baseline;
  return 0;
}

static int write_reports(const check_run *run, const dc_kernels *kernels) {
  const check_options *options = run->options;
  gate_options asked = options->gate;
  gate gate = {0};
  arguments failed = {0};
  int result = spare_failed(run, &asked, &failed);
  if (result == 0)
    result = gate_begin(&gate, &asked);
  if (result == 0 && gate_is_asked(&asked))
    result = report_add_to_gate(&gate, kernels);
  dc_folded *folded = NULL;
  dc_kernels shown = *kernels;
  if (result == 0 && options->n_reports > 0)
    result = report_fold(kernels, &options->fold, options->quiet, &folded, &shown);
  for (unsigned k = 0; k < options->n_reports && result == 0; ++k)
    result = write_report(options->reports[k], &shown, &gate);
  dc_folded_free(folded);
  if (result == 0)
    result = gate_end(&gate, stderr);
  gate_free(&gate);
  arguments_free(&failed);
  return result;
}

// --- what is new ---------------------------------------------------------------------------------

// Adds the identities of findings that the baseline has.
static bool add_known(const gate *gate, dc_string_set *to) {
  bool room = true;
  for (uint32_t k = 0; k < gate->n_items && room; ++k) {
    const gate_item *item = &gate->items[k];
    if (item->in_new_place || item->line == 0)
      continue;
    char *identity = messages_identity(gate->folder ? gate->folder : "", item->file, item->line,
                                       item->column, item->rule);
    bool added;
    room = identity && dc_string_set_add(to, identity, strlen(identity), &added) != UINT32_MAX;
    free(identity);
  }
  return room;
}

int conclude_new(check_run *run, const dc_kernels *kernels) {
  gate gate = {0};
  dc_string_set known = {0};
  gate_options asked = {.baseline = run->options->gate.baseline};
  if (!run->options->only_new)
    return 0;
  int result = gate_begin(&gate, &asked);
  if (result == 0)
    result = report_add_to_gate(&gate, kernels);
  if (result == 0)
    gate_judge(&gate);
  if (result == 0 && !add_known(&gate, &known))
    result = command_fail(NULL, "out of memory for the findings");
  if (result == 0)
    messages_hide(&run->messages, &known);
  dc_string_set_free(&known);
  gate_free(&gate);
  return result;
}

static bool is_asked(const check_options *options) {
  return options->n_reports > 0 || gate_is_asked(&options->gate);
}

int conclude_read(const check_run *run, report_stream *stream, dc_kernels *kernels) {
  arguments files = {0};
  if (!is_asked(run->options))
    return 0;
  for (size_t k = 0; k < run->units->count; ++k) {
    const check_unit *unit = &run->units->items[k];
    if (unit->state != CHECK_KEPT && unit->state != CHECK_ANALYSED)
      continue;
    char *path = results_path(run->results, unit, ".json");
    if (path)
      arguments_add(&files, path);
    files.failed |= !path;
    free(path);
  }
  int result = files.failed ? command_fail(NULL, "out of memory for the list of reports") : 0;
  if (result == 0)
    result = report_merge_inputs((int)files.count, files.words, stream, kernels);
  arguments_free(&files);
  return result;
}

int conclude_reports(const check_run *run, const dc_kernels *kernels) {
  return is_asked(run->options) ? write_reports(run, kernels) : 0;
}

// --- the summary ---------------------------------------------------------------------------------

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

// Options that aren't known, each once with the number of its files.
static void say_unknown(const check_units *units) {
  dc_string_set names = {0};
  size_t counts[64] = {0};
  for (size_t u = 0; u < units->count; ++u)
    for (size_t k = 0; k < units->items[u].unknown.count; ++k) {
      const char *word = units->items[u].unknown.words[k];
      bool added;
      uint32_t number = dc_string_set_add(&names, word, strcspn(word, "="), &added);
      if (number < sizeof counts / sizeof *counts)
        ++counts[number];
    }
  for (uint32_t k = 0; k < names.count && k < sizeof counts / sizeof *counts; ++k)
    fprintf(stderr, "%s%s (%zu file%s)",
            k == 0 ? "divcost: left out, since these options of nvcc are not known: " : ", ",
            names.texts[k], counts[k], plural(counts[k]));
  if (names.count > 0)
    fputc('\n', stderr);
  dc_string_set_free(&names);
}

static void say_failed(const check_units *units, size_t failed) {
  enum { NAMED_MAX = 20 };
  size_t named = 0;
  fprintf(stderr, "divcost: %zu file%s could not be analysed:\n", failed, plural(failed));
  for (size_t k = 0; k < units->count && named < NAMED_MAX; ++k)
    if (units->items[k].state == CHECK_FAILED) {
      fprintf(stderr, "  %s: %s\n", units->items[k].name, units->items[k].failure);
      ++named;
    }
  if (failed > named)
    fprintf(stderr, "  and %zu more\n", failed - named);
}

static void say_findings(const check_run *run) {
  const check_units *units = run->units;
  const messages *shown = &run->messages;
  fprintf(stderr, "divcost: %zu finding%s in %zu of %zu file%s", shown->findings,
          plural(shown->findings), run->kept + run->analysed, units->count, plural(units->count));
  if (shown->repeated)
    fprintf(stderr, ", %zu more of the same in other files", shown->repeated);
  if (shown->known)
    fprintf(stderr, "; %zu that the baseline has", shown->known);
  if (run->kept)
    fprintf(stderr, "; %zu unchanged since an earlier run", run->kept);
  if (units->host_only)
    fprintf(stderr, "; %zu that %s not CUDA left out", units->host_only,
            units->host_only == 1 ? "is" : "are");
  fputc('\n', stderr);
}

void conclude_summary(const check_run *run) {
  say_unknown(run->units);
  if (!run->options->quiet)
    say_findings(run);
  if (run->failed && run->units->count > 1)
    say_failed(run->units, run->failed);
}
