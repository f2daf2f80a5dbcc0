// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From arguments to the kernels of a build.
#ifndef DIVCOST_TOOLS_REPORT_MERGE_INPUTS_H
#define DIVCOST_TOOLS_REPORT_MERGE_INPUTS_H

#include "report/stream.h"

// Reads the reports that `count` arguments name (report/inputs.h) and merges them; says how far it
// is where standard error is a terminal and it takes its time. 0, or the exit status after a
// message on standard error. In any case report_stream_end is the end, of the kernels too.
int report_merge_inputs(int count, char *const *arguments, report_stream *stream,
                        dc_kernels *kernels);

#endif
