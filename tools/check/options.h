// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `divcost check`.
#ifndef DIVCOST_TOOLS_CHECK_OPTIONS_H
#define DIVCOST_TOOLS_CHECK_OPTIONS_H

#include "compile/arguments.h"
#include "divcost/instances.h"
#include "report/gate.h"

enum { CHECK_REPORTS_MAX = 8 };

// Points into the command line, but for `files`.
typedef struct check_options {
  const char *build;  // -p: a folder with compile_commands.json, or that file; NULL: none
  arguments files;    // what is to be checked; none: all CUDA files of the build
  bool has_flags;     // there is a "--"
  char *const *flags; // what follows it
  size_t n_flags;
  unsigned jobs;             // -j
  double timeout;            // seconds for one file
  const char *results;       // --results, or NULL
  const char *clang;         // --clang, or NULL
  const char *plugin;        // --plugin, or NULL
  const char *architectures; // --arch, or NULL
  char *annotations;         // --annotations, as an absolute path, or NULL
  char *measured;            // --measured, likewise
  const char *reports[CHECK_REPORTS_MAX];
  unsigned n_reports;
  gate_options gate;
  bool print_config;    // --print-config: of each file, and no more
  bool print_commands;  // --print-command: of each file, and no more
  bool with_ptxas;      // --with-ptxas: compile each file, too, for the registers of its kernels
  bool quiet;           // --quiet: neither progress nor summary
  bool only_new;        // --only-new: print what the baseline doesn't list
  dc_fold_options fold; // --all-instances, --system-headers
  bool help;
} check_options;

// 0, or the exit status of wrong usage after a message. check_options_free in any case.
int check_options_read(int count, char **words, check_options *options);

void check_options_free(check_options *options);

extern const char check_help[];

#endif
