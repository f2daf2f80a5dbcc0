// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `divcost`. `divcost report` reads what the plugin wrote as JSON, computes every
// figure again from the kernels' skeletons, merges the files, and prints the report. `divcost
// model` is in model.c.
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include "divcost/unit.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: divcost report [--json | --sarif] FILE.json [FILE.json ...]\n"
    "       divcost model LAW [options]       (divcost model --help says more)\n"
    "       divcost emulate FILE [--arch NAME] [--json | --trace | --csv | --svg] [OPTION ...]\n"
    "       divcost calibrate [--out FILE.json] [--from DIR]\n"
    "       divcost profile show | merge | diff ...   (divcost profile --help says more)\n"
    "       divcost --help | --version\n"
    "\n"
    "report   computes the figures of reports again, from the kernels that they hold, and prints\n"
    "         them together, worst kernel first. Source lines are shown where the files can be\n"
    "         read from the current directory.\n"
    "  --json   prints the report as JSON (see docs/json-schema.md) and not as text\n"
    "  --sarif  prints the findings alone, as SARIF 2.1.0, for code hosts and editors\n"
    "model    what a warp loses if the trip counts of its lanes follow a law, as text with the "
    "law\n"
    "         drawn, or as JSON\n"
    "emulate  executes warps of a kernel under the reconvergence rules of an architecture; see\n"
    "         divcost emulate --help\n"
    "calibrate measures what divergence costs on the GPU at hand; see divcost calibrate --help\n"
    "profile  shows, merges and compares what instrumented programs counted\n"
    "\n"
    "A report is what the compiler writes with -fplugin-arg-divcost-report=FILE.json.\n"
    "Exit status: 0 done, 1 a file can't be read, understood or written, 2 wrong usage.\n";

// Line `line` of a file, for the report: read anew each time, reports show few.
static bool read_line(void *context, const char *file, uint32_t line, char *text, size_t size) {
  (void)context;
  FILE *stream = fopen(file, "r");
  if (!stream)
    return false;
  uint32_t at = 1;
  bool found = false;
  while (!found && fgets(text, (int)size, stream)) {
    found = at == line;
    at += strchr(text, '\n') != NULL; // a part of a long line isn't the next line
  }
  fclose(stream);
  if (found)
    text[strcspn(text, "\r\n")] = 0;
  return found;
}

// The architectures that a kernel has estimates for, with the costs that these rest on; or else the
// unit's.
static dc_status architectures(const dc_unit *unit, const dc_unit_kernel *kernel, dc_arch *archs,
                               uint32_t *count, dc_error *error) {
  dc_status status = DC_OK;
  *count = 0;
  for (uint32_t k = 0; status == DC_OK && k < kernel->n_estimates; ++k) {
    const dc_estimate *estimate = &kernel->estimates[k];
    if (*count && archs[*count - 1].sm == estimate->sm)
      continue;
    if (!dc_estimate_arch(estimate, &archs[*count]))
      status = dc_arch_find_sm(estimate->sm, &archs[*count], error);
    ++*count;
  }
  for (uint32_t k = 0; status == DC_OK && kernel->n_estimates == 0 && k < unit->n_archs; ++k)
    status = dc_arch_find_sm(unit->archs[k], &archs[(*count)++], error);
  return status;
}

static dc_status estimate_again(const dc_unit *unit, dc_unit_kernel *kernel, dc_error *error) {
  dc_arch *archs = malloc(((size_t)unit->n_archs + kernel->n_estimates + 1) * sizeof *archs);
  uint32_t count;
  if (!archs)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u architectures", unit->n_archs);
  dc_status status = architectures(unit, kernel, archs, &count, error);
  if (status == DC_OK)
    status = dc_unit_estimate(kernel, archs, count, error);
  free(archs);
  return status;
}

// Reads a file and merges it into `all`.
static int add_file(const char *path, dc_unit *all) {
  dc_error error;
  dc_unit unit;
  FILE *stream = fopen(path, "r");
  if (!stream)
    return command_fail(path, strerror(errno));
  dc_status status = dc_unit_read_json(stream, &unit, &error);
  fclose(stream);
  if (status != DC_OK)
    return command_fail(path, error.text);
  for (uint32_t k = 0; k < unit.n_kernels && status == DC_OK; ++k) {
    status = estimate_again(&unit, &unit.kernels[k], &error);
    if (status != DC_OK) {
      char where[400];
      snprintf(where, sizeof where, "%s: kernel %s", path,
               dc_kernel_text(&unit.kernels[k].kernel, unit.kernels[k].kernel.name));
      command_fail(where, error.text);
    }
  }
  if (status == DC_OK && (status = dc_unit_merge(all, &unit, &error)) != DC_OK)
    command_fail(path, error.text);
  dc_unit_free(&unit);
  return status == DC_OK ? 0 : FAILURE;
}

typedef enum report_format { AS_TEXT, AS_JSON, AS_SARIF } report_format;

static dc_status write_report(const dc_unit *unit, report_format format, dc_error *error) {
  const dc_text_options options = {command_colour(), read_line, NULL};
  switch (format) {
  case AS_JSON:
    return dc_unit_write_json(unit, stdout, error);
  case AS_SARIF:
    return dc_unit_write_sarif(unit, DIVCOST_VERSION, stdout, error);
  default:
    return dc_unit_write_text(unit, stdout, &options, error);
  }
}

static int report(int count, char **arguments) {
  report_format format = AS_TEXT;
  int files = 0;
  for (int k = 0; k < count; ++k) {
    if (strcmp(arguments[k], "--json") == 0)
      format = AS_JSON;
    else if (strcmp(arguments[k], "--sarif") == 0)
      format = AS_SARIF;
    else if (arguments[k][0] == '-')
      return command_misuse("unknown option", arguments[k]);
    else
      ++files;
  }
  if (files == 0)
    return command_misuse("report needs a file", "");
  dc_unit all = {0};
  int result = 0;
  for (int k = 0; k < count && result == 0; ++k)
    if (arguments[k][0] != '-')
      result = add_file(arguments[k], &all);
  dc_error error;
  if (result == 0 && write_report(&all, format, &error) != DC_OK)
    result = command_fail(NULL, error.text);
  dc_unit_free(&all);
  return result;
}

int main(int count, char **arguments) {
  setlocale(LC_CTYPE, ""); // numbers stay as in C
  if (count < 2)
    return command_misuse("a command is missing", "");
  if (strcmp(arguments[1], "--help") == 0)
    return command_print(help);
  if (strcmp(arguments[1], "--version") == 0)
    return command_print("divcost " DIVCOST_VERSION "\n");
  if (strcmp(arguments[1], "report") == 0)
    return report(count - 2, arguments + 2);
  if (strcmp(arguments[1], "model") == 0)
    return command_model(count - 2, arguments + 2);
  if (strcmp(arguments[1], "calibrate") == 0)
    return command_calibrate(count - 2, arguments + 2);
  if (strcmp(arguments[1], "emulate") == 0)
    return command_emulate(count - 2, arguments + 2);
  if (strcmp(arguments[1], "profile") == 0)
    return command_profile(count - 2, arguments + 2);
  return command_misuse("unknown command", arguments[1]);
}
