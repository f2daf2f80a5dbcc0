// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report`: reads what the plugin wrote as JSON, computes every figure again from the
// kernels' skeletons, merges the files, and prints the report.
#define _POSIX_C_SOURCE 200809L

#include "report/report.h"

#include "command.h"
#include "divcost/input.h"
#include "report/merge_inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help_begin[] =
    "usage: divcost report [OPTION ...] REPORT [REPORT ...]\n"
    "\n"
    "Computes the figures of reports again, from the kernels that they hold, and prints them\n"
    "together, worst kernel first. REPORT is a file that the compiler wrote with\n"
    "-fplugin-arg-divcost-report=FILE.json, an object file or library that was compiled with\n"
    "-fplugin-arg-divcost-embed, a folder with such JSON files, or @LIST: a file with one of "
    "these\n"
    "a line (@-: standard input). Source lines are shown where the files can be read from the\n"
    "current directory.\n"
    "\n";
static const char help_end[] =
    "  --top N  only the worst N kernels, in the report for people\n"
    "  --help   prints this\n"
    "\n"
    "Exit status: 0 done, 1 a file can't be read, understood or written, or a finding fails,\n"
    "2 wrong usage. docs/report.md has examples.\n";

// ---- arguments ---------------------------------------------------------------------------------

typedef struct report_request {
  const dc_report_format *format;
  const char *option; // that asked for it, or NULL
  gate_options gate;
  uint32_t top; // kernels for people; 0: all
  dc_fold_options fold;
} report_request;

static int print_help(void) {
  fputs(help_begin, stdout);
  for (unsigned k = 1; dc_format_at(k); ++k)
    printf("  --%-6s %s\n", dc_format_at(k)->name, dc_format_at(k)->help);
  gate_print_help();
  fputs(report_fold_help, stdout);
  return command_print(help_end);
}

// The format that an option asks for; NULL: none does. That for people is no option.
static const dc_report_format *format_of(const char *option) {
  bool other = strncmp(option, "--", 2) != 0 || strcmp(option + 2, dc_format_text.name) == 0;
  return other ? NULL : dc_format_find(option + 2);
}

static int read_top(report_request *request, int count, char **arguments, int *at) {
  if (++*at == count)
    return command_misuse("a number is missing after", "--top");
  char *end;
  const char *text = arguments[*at];
  unsigned long number = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || number < 1 || number > 1000000000)
    return command_misuse("--top takes a number from 1, not", text);
  request->top = (uint32_t)number;
  return 0;
}

// Takes the options out of the arguments; what is left are names of reports.
static int read_arguments(report_request *request, int *count, char **arguments) {
  int kept = 0, status = 0;
  request->format = &dc_format_text;
  for (int k = 0; k < *count && status == 0; ++k) {
    const dc_report_format *format = format_of(arguments[k]);
    gate_taken taken = gate_option(&request->gate, *count, arguments, &k);
    if (taken == GATE_MISUSE)
      return USAGE;
    if (taken == GATE_TAKEN)
      continue;
    if (format && request->option && request->format != format)
      return command_exclusive(request->option, arguments[k]);
    if (format) {
      request->format = format;
      request->option = arguments[k];
      continue;
    }
    bool *flag = report_fold_option(&request->fold, arguments[k]);
    if (flag)
      *flag = true;
    else if (strcmp(arguments[k], "--top") == 0)
      status = read_top(request, *count, arguments, &k);
    else if (arguments[k][0] == '-')
      return command_unknown_option(arguments[k]);
    else
      arguments[kept++] = arguments[k];
  }
  *count = kept;
  if (status == 0 && request->top && !request->format->takes_top)
    return command_misuse("--top is for the report for people, not for", request->option);
  if (status == 0 && kept == 0)
    return command_misuse("report needs a file", "");
  return status;
}

// ---- the command -------------------------------------------------------------------------------

int report_add_to_gate(gate *gate, const dc_kernels *kernels) {
  int status = 0;
  for (uint32_t k = 0; status == 0 && k < kernels->n_kernels; ++k) {
    dc_error error;
    const dc_unit_kernel *kernel;
    if (kernels->get(kernels->context, k, &kernel, &error) != DC_OK)
      return command_fail(NULL, error.text);
    status = gate_add(gate, kernel);
  }
  gate_judge(gate);
  return status;
}

const char report_fold_help[] =
    "  --all-instances\n"
    "           reports have all instances of templates, not the worst of each, and of each "
    "finding\n"
    "  --system-headers\n"
    "           reports have kernels whose code is all in system headers, too\n";

bool *report_fold_option(dc_fold_options *options, const char *word) {
  return strcmp(word, "--all-instances") == 0    ? &options->all_instances
         : strcmp(word, "--system-headers") == 0 ? &options->system_headers
                                                 : NULL;
}

int report_fold(const dc_kernels *kernels, const dc_fold_options *options, bool quiet,
                dc_folded **folded, dc_kernels *shown) {
  dc_error error;
  dc_status status = dc_instances_fold(kernels, options, folded, shown, &error);
  if (status != DC_OK)
    return command_fail(NULL, error.text);
  uint32_t left_out = dc_folded_left_out(*folded);
  if (left_out && !quiet)
    fprintf(stderr, "divcost: %u kernel%s of system headers left out: --system-headers has %s\n",
            left_out, left_out == 1 ? "" : "s", left_out == 1 ? "it" : "them");
  return 0;
}

dc_status report_write(const dc_report_format *format, dc_report_options options,
                       const dc_kernels *kernels, gate *gate, FILE *to, dc_error *error) {
  const dc_baseline baseline = gate_baseline(gate);
  char here[4096];
  options.directory = getcwd(here, sizeof here);
  options.read_line = dc_input_line;
  options.read_file = dc_input_text;
  options.baseline = gate->options->baseline ? &baseline : NULL;
  return format->write(kernels, &options, to, error);
}

int report_print(const dc_report_format *format, uint32_t top, const dc_kernels *kernels,
                 gate *gate) {
  dc_error error;
  const dc_report_options options = {.colour = command_colour(), .top = top};
  dc_status status = report_write(format, options, kernels, gate, stdout, &error);
  if (command_output_failed())
    return FAILURE; // command_end says why
  return status != DC_OK ? command_fail(NULL, error.text) : 0;
}

static int write_report(const report_request *request, const dc_kernels *kernels) {
  gate gate;
  int status = gate_begin(&gate, &request->gate);
  if (status == 0 && gate_is_asked(&request->gate))
    status = report_add_to_gate(&gate, kernels);
  dc_folded *folded = NULL;
  dc_kernels shown = *kernels;
  if (status == 0)
    status = report_fold(kernels, &request->fold, false, &folded, &shown);
  if (status == 0)
    status = report_print(request->format, request->top, &shown, &gate);
  dc_folded_free(folded);
  if (status == 0)
    status = gate_end(&gate, stderr);
  gate_free(&gate);
  return status;
}

int command_report(int count, char **arguments) {
  report_request request = {.top = 0};
  if (count == 1 && strcmp(arguments[0], "--help") == 0)
    return print_help();
  int status = read_arguments(&request, &count, arguments);
  if (status != 0)
    return status;
  report_stream stream;
  dc_kernels kernels;
  status = report_merge_inputs(count, arguments, &stream, &kernels);
  if (status == 0)
    status = write_report(&request, &kernels);
  report_stream_end(&stream);
  return status;
}
