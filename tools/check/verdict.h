// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of a compiler that was to analyse a unit.
#ifndef DIVCOST_TOOLS_CHECK_VERDICT_H
#define DIVCOST_TOOLS_CHECK_VERDICT_H

#include "check/run.h"
#include "compile/child.h"

// Takes a compiler's output and looks at its exit status and at the report that it left: the unit's
// state is then CHECK_ANALYSED, and its result is kept; or CHECK_FAILED with the reason. Where no
// other unit can fare better (a plugin that isn't this compiler's), run->hopeless says why.
void verdict_pass(check_run *run, check_unit *unit, child *compiler, struct timespec started);

// Gives a unit up, for a reason.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void verdict_fail(check_unit *unit, const char *format, ...);

#endif
