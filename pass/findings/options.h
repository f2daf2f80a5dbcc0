// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's options: one table with name, meaning and check of each, from which the parser, the
// error that lists what is possible and the help text are made. docs/options.md is checked against
// it.
#ifndef DIVCOST_PASS_FINDINGS_OPTIONS_H
#define DIVCOST_PASS_FINDINGS_OPTIONS_H

#include "divcost/arch.h"
#include "divcost/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DCP_DEFAULT_PROFILE "default.divprof"

typedef struct dcp_options {
  char *report;                // path, or NULL
  char *first_report;          // path, or NULL
  bool embed;                  // into the host's object, too
  bool nvcc;                   // what nvcc makes of the kernels is foreseen, not what clang does
  char *annotations;           // path, or NULL
  bool annotations_of_project; // they are for all files, so some of them are of others
  char *header_filter;         // regular expression, or NULL
  char *measured;              // path, or NULL
  char *ptxas;                 // path, or NULL
  char *profile_use;           // path, or NULL
  char *profile_generate;      // path, or NULL
  bool profile_check;          // instrument every loop, and compare lanes where none should part
  dc_arch arch;                // to estimate for; arch.sm 0: the one compiled for
  char *arch_file;             // that it is from, or NULL
  uint32_t block[3];           // 0: not given
  double threshold;            // in [0, 1]
  unsigned verbosity; // 0: warnings without notes, 1: with the chain of reasons (default), 2: every
                      // step and every divergent branch
  bool warn[DC_RULE_COUNT]; // rules that may warn
  bool help;                // print dcp_options_help()
} dcp_options;

void dcp_options_init(dcp_options *options);
void dcp_options_free(dcp_options *options);

// Takes one "name=value". The error's text names the option, what is wrong with it, and what is
// possible.
dc_status dcp_options_set(dcp_options *options, const char *argument, dc_error *error);

// What to estimate for: the option's architecture, else the one compiled for, by number. Errors: as
// dc_arch_find.
dc_status dcp_options_arch(const dcp_options *options, unsigned compiled_for, dc_arch *arch,
                           dc_error *error);

// Whether a rule was switched off that warns from the start: its findings are suppressed, where
// those of one that nobody has asked for just don't warn.
bool dcp_options_silence(const dcp_options *options, dc_rule rule);

// Whether the architecture file is of another architecture than the one compiled for (0: not
// known), and what is to be said of that.
bool dcp_options_foreign(const dcp_options *options, unsigned compiled_for, char *text,
                         size_t size);

// All options with their meaning, one per line, for -fplugin-arg-divcost-help.
const char *dcp_options_help(void);

#ifdef __cplusplus
}
#endif

#endif
