// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses units: several compilers at a time, the units' messages in their order.
#ifndef DIVCOST_TOOLS_CHECK_RUN_H
#define DIVCOST_TOOLS_CHECK_RUN_H

#include "check/messages.h"
#include "check/results.h"
#include "check/unit.h"

#include <signal.h>

// The signals that end a run when it is ready for that: they are read, not handled.
void check_run_signals(sigset_t *set);

typedef struct check_run {
  const check_options *options;
  const toolchain *tools;
  check_units *units;
  results *results;
  messages messages;
  size_t kept, analysed, failed;
  int signal;     // that ended it, or 0
  char *hopeless; // why no unit can be analysed, or NULL; owned
  bool unheard;   // standard output can't be written
} check_run;

// Runs until every unit is kept, analysed or failed, or until SIGINT, SIGTERM or SIGHUP, which end
// the compilers too; or until a compiler shows that none can do it. Findings go to standard output,
// failures and progress to standard error.
void check_run_all(check_run *run);

void check_run_free(check_run *run);

#endif
