// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `divcost`: its subcommands are in files and folders of their names.
#include "command.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>

static const char help[] =
    "usage: divcost report [--json | --sarif] FILE.json [FILE.json ...]\n"
    "       divcost model LAW [options]       (divcost model --help says more)\n"
    "       divcost emulate FILE [--arch NAME] [--json | --trace | --csv | --svg] [OPTION ...]\n"
    "       divcost calibrate [--out FILE.json] [--from DIR]\n"
    "       divcost profile show | merge | diff ...   (divcost profile --help says more)\n"
    "       divcost lsp                       (divcost lsp --help says more)\n"
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
    "lsp      is a language server, for editors\n"
    "\n"
    "A report is what the compiler writes with -fplugin-arg-divcost-report=FILE.json.\n"
    "Exit status: 0 done, 1 a file can't be read, understood or written, 2 wrong usage.\n";

typedef struct subcommand {
  const char *name;
  int (*run)(int count, char **arguments); // on what follows the name; gives the exit status
} subcommand;

static const subcommand subcommands[] = {
    {"report", command_report},       {"model", command_model},     {"emulate", command_emulate},
    {"calibrate", command_calibrate}, {"profile", command_profile}, {"lsp", command_lsp},
};

int main(int count, char **arguments) {
  setlocale(LC_CTYPE, ""); // numbers stay as in C
  if (count < 2)
    return command_misuse("a command is missing", "");
  if (strcmp(arguments[1], "--help") == 0)
    return command_print(help);
  if (strcmp(arguments[1], "--version") == 0)
    return command_print("divcost " DIVCOST_VERSION "\n");
  for (size_t k = 0; k < sizeof subcommands / sizeof *subcommands; ++k)
    if (strcmp(arguments[1], subcommands[k].name) == 0)
      return subcommands[k].run(count - 2, arguments + 2);
  return command_misuse("unknown command", arguments[1]);
}
