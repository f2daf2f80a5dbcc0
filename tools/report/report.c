// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report`: reads what the plugin wrote as JSON, computes every figure again from the
// kernels' skeletons, merges the files, and prints the report.
#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "report/gate.h"
#include "report/unit_file.h"

#include <string.h>

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

// Reads a file and merges it into `all`.
static int add_file(const char *path, dc_unit *all) {
  dc_error error;
  dc_unit unit;
  int result = report_read_unit(path, &unit);
  if (result == 0 && dc_unit_merge(all, &unit, &error) != DC_OK) {
    result = command_fail(path, error.text);
    dc_unit_free(&unit);
  }
  return result;
}

typedef enum report_format { AS_TEXT, AS_JSON, AS_SARIF } report_format;

static dc_status write_report(const dc_unit *unit, report_format format, dc_error *error) {
  const dc_text_options options = {.colour = command_colour(), .read_line = read_line};
  switch (format) {
  case AS_JSON:
    return dc_unit_write_json(unit, stdout, error);
  case AS_SARIF: {
    dc_kernels kernels = dc_unit_kernels(unit);
    return dc_kernels_write_sarif(&kernels, DIVCOST_VERSION, NULL, stdout, error);
  }
  default:
    return dc_unit_write_text(unit, stdout, &options, error);
  }
}

int command_report(int count, char **arguments) {
  report_format format = AS_TEXT;
  int files = 0;
  gate_options options = {0};
  for (int k = 0; k < count; ++k) {
    gate_taken taken = gate_option(&options, count, arguments, &k);
    if (taken == GATE_MISUSE)
      return USAGE;
    if (taken == GATE_TAKEN)
      continue;
    if (strcmp(arguments[k], "--json") == 0)
      format = AS_JSON;
    else if (strcmp(arguments[k], "--sarif") == 0)
      format = AS_SARIF;
    else if (arguments[k][0] == '-')
      return command_misuse("unknown option", arguments[k]);
    else
      arguments[files++] = arguments[k];
  }
  if (files == 0)
    return command_misuse("report needs a file", "");
  dc_unit all = {0};
  int result = 0;
  for (int k = 0; k < files && result == 0; ++k)
    result = add_file(arguments[k], &all);
  dc_error error;
  if (result == 0 && write_report(&all, format, &error) != DC_OK)
    result = command_fail(NULL, error.text);
  gate gate;
  if (result == 0)
    result = gate_begin(&gate, &options);
  for (unsigned k = 0; k < all.n_kernels && result == 0; ++k)
    result = gate_add(&gate, &all.kernels[k]);
  if (result == 0)
    result = gate_end(&gate, stderr);
  dc_unit_free(&all);
  return result;
}
