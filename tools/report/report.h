// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report`: what it shares with other commands that write reports of builds.
#ifndef DIVCOST_TOOLS_REPORT_REPORT_H
#define DIVCOST_TOOLS_REPORT_REPORT_H

#include "divcost/instances.h"
#include "divcost/report.h"
#include "report/gate.h"

// What reports show of kernels: dc_instances_fold; says, but for quiet, what is left out. 0, or the
// exit status after a message; *folded is released in any case.
int report_fold(const dc_kernels *kernels, const dc_fold_options *options, bool quiet,
                dc_folded **folded, dc_kernels *shown);

// The member that an option sets; NULL: it is none of these.
bool *report_fold_option(dc_fold_options *options, const char *word);
extern const char report_fold_help[];

// Writes kernels that the gate has judged (it may know of no baseline), with source lines where the
// files can be read. Errors are said by the caller.
dc_status report_write(const dc_report_format *format, dc_report_options options,
                       const dc_kernels *kernels, gate *gate, FILE *to, dc_error *error);

// The same on standard output, in colours where that shows them; the `top` worst kernels of the
// report for people, 0: all. 0, or the exit status after a message.
int report_print(const dc_report_format *format, uint32_t top, const dc_kernels *kernels,
                 gate *gate);

// Adds all kernels to a gate, which then judges. 0, or the exit status after a message.
int report_add_to_gate(gate *gate, const dc_kernels *kernels);

#endif
