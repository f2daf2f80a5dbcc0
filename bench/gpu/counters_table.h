// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table that NVIDIA's ncu prints with --csv --page raw --print-units base: a line with the
// names of the columns, one with units, and one for each launch, every field in quotes. Besides the
// metrics asked for it has some 280 columns on the device and the launch. Lines that don't begin
// with a quote are ncu's messages ("==PROF== ..."), or the program's; they may come anywhere.
#ifndef DIVCOST_BENCH_COUNTERS_TABLE_H
#define DIVCOST_BENCH_COUNTERS_TABLE_H

#include "counters.h"

// ncu's names of what is read.
#define COUNTERS_INSTRUCTIONS "smsp__inst_executed.sum"
#define COUNTERS_ACTIVE "smsp__thread_inst_executed_per_inst_executed.ratio"
#define COUNTERS_DIVERGENT "smsp__sass_branch_targets_threads_divergent.sum"

// Puts the figures of each launch into the cases, which say what was launched in which order.
// Errors: DC_ERROR_SYNTAX where the table isn't of these launches, lacks a column, or has no number
// in it.
dc_status counters_table_parse(const char *table, counters_case *cases, unsigned count,
                               dc_error *error);

#endif
