// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `divcost`: its subcommands are in files and folders of their names.
#include "command.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>

static const char help[] =
    "usage: divcost check [-p BUILD] [FILE ...] [-- FLAGS]   (divcost check --help says more)\n"
    "       divcost report [OPTION ...] REPORT ...\n"
    "       divcost diff BEFORE AFTER\n"
    "       divcost what-if [OPTION ...] REPORT ...\n"
    "       divcost model LAW [options]\n"
    "       divcost emulate FILE [--arch NAME] [--json | --trace | --csv | --svg] [OPTION ...]\n"
    "       divcost calibrate [--out FILE.json] [--from DIR]\n"
    "       divcost profile show | merge | diff ...\n"
    "       divcost COMMAND --help\n"
    "       divcost --help | --version\n"
    "\n"
    "check    analyses CUDA files, or all of a build, with clang and the plugin, and fails where "
    "it\n"
    "         should (for CI)\n"
    "report   merges the reports of a build and prints them for people, as JSON, JSON lines or\n"
    "         SARIF; fails on findings that a baseline doesn't know\n"
    "diff     what got worse and better between two builds\n"
    "what-if  the same kernels with other blocks, parameters, trip counts, on another\n"
    "         architecture, or with several lanes per item of work\n"
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

typedef struct subcommand {
  const char *name;
  int (*run)(int count, char **arguments); // on what follows the name; gives the exit status
} subcommand;

static const subcommand subcommands[] = {
    {"check", command_check},     {"report", command_report},       {"model", command_model},
    {"emulate", command_emulate}, {"calibrate", command_calibrate}, {"profile", command_profile},
    {"diff", command_diff},       {"what-if", command_what_if},
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
