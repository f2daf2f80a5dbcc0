// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `divcost`: its subcommands are in files and folders of their names.
#include "command.h"
#include "suggest.h"

#include "divcost/version.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>

static const char help[] =
    "usage: divcost COMMAND ...          (divcost COMMAND --help says more)\n"
    "       divcost --help | --version\n"
    "\n"
    "  check      analyses CUDA files, or all of a build, with clang and the plugin; for CI\n"
    "  report     merges the reports of a build and prints them for people or programs\n"
    "  diff       what got worse and better between two builds\n"
    "  what-if    reports with other blocks, parameters, trip counts, or on another architecture\n"
    "  lsp        a language server, for editors\n"
    "  profile    shows, merges and compares what instrumented programs counted\n"
    "  model      what a warp loses if the trip counts of its lanes follow a distribution\n"
    "  emulate    executes warps of a kernel under the reconvergence rules of an architecture\n"
    "  calibrate  measures what divergence costs on the GPU at hand\n"
    "\n"
    "A report is what the compiler writes with -fplugin-arg-divcost-report=FILE.json.\n"
    "Exit status: 0 done, 1 it can't be done, or something was found that --fail-on names, 2 "
    "wrong\n"
    "usage.\n";

typedef struct subcommand {
  const char *name;
  command_main *run;
} subcommand;

static const subcommand subcommands[] = {
    {"check", command_check},     {"report", command_report},   {"diff", command_diff},
    {"what-if", command_what_if}, {"lsp", command_lsp},         {"profile", command_profile},
    {"model", command_model},     {"emulate", command_emulate}, {"calibrate", command_calibrate},
};

static int run(int count, char **arguments) {
  if (count < 2)
    return command_misuse("a command is missing", "");
  if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0)
    return command_print(help);
  if (strcmp(arguments[1], "--version") == 0)
    return command_print("divcost " DIVCOST_VERSION "\n");
  suggestion meant = suggest_begin(arguments[1]);
  for (size_t k = 0; k < sizeof subcommands / sizeof *subcommands; ++k) {
    const subcommand *of = &subcommands[k];
    if (strcmp(arguments[1], of->name) == 0)
      return command_run(of->name, of->run, count - 2, arguments + 2);
    suggest_from(&meant, of->name, strlen(of->name));
  }
  return command_unknown("unknown command", arguments[1], meant.name);
}

int main(int count, char **arguments) {
  int status = command_begin();
  if (status != 0)
    return status;
  setlocale(LC_CTYPE, ""); // numbers stay as in C
  return command_end(run(count, arguments));
}
