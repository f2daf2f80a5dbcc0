// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows when all units are done: reports, the gate, a summary.
#ifndef DIVCOST_TOOLS_CHECK_CONCLUDE_H
#define DIVCOST_TOOLS_CHECK_CONCLUDE_H

#include "check/run.h"
#include "report/stream.h"

// 0, or the exit status after a message: a report's name has no format, or what is to be written
// has no place.
int conclude_check_reports(const check_options *options);

// Reads the results of all units that have one, if a report or the gate is asked for; the folder
// isn't needed afterwards. 0, or the exit status of a failure; the caller ends the stream.
int conclude_read(const check_run *run, report_stream *stream, dc_kernels *kernels);

// With --only-new: forgets the findings that are held and known to the baseline. 0, or the exit
// status of a failure.
int conclude_new(check_run *run, const dc_kernels *kernels);

// Writes the reports that are asked for and asks the gate, about these. 0, or the exit status of a
// failure.
int conclude_reports(const check_run *run, const dc_kernels *kernels);

// Says on standard error what was done, what wasn't, and which options of nvcc aren't known.
void conclude_summary(const check_run *run);

#endif
