// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report`: what its formats share. A format is a function in a file of its own, declared
// here, with its option in the table of report.c.
#ifndef DIVCOST_TOOLS_REPORT_REPORT_H
#define DIVCOST_TOOLS_REPORT_REPORT_H

#include "report/gate.h"

typedef struct report_request report_request;

typedef struct report_format {
  const char *option, *help; // "--json", and what it does
  // Writes all kernels, which are asked for one at a time, in their order or the worst first (see
  // dc_kernels and dc_worst_first in divcost/unit.h). The gate has judged (it may know of no
  // baseline). Errors are said by the caller.
  dc_status (*write)(const report_request *request, const dc_kernels *kernels, gate *gate, FILE *to,
                     dc_error *error);
} report_format;

struct report_request {
  const report_format *format;
  gate_options gate;
  uint32_t top; // kernels for people; 0: all
};

// The format of an option ("--json"), that for people if it is ""; NULL: there is none.
const report_format *report_find_format(const char *option);

// Adds all kernels to a gate, which then judges. 0, or the exit status after a message.
int report_add_to_gate(gate *gate, const dc_kernels *kernels);

// In report_sarif.c: with the states that the gate's baseline gives.
dc_status report_write_sarif(const report_request *request, const dc_kernels *kernels, gate *gate,
                             FILE *to, dc_error *error);

// In html/html.c: a page for browsers, in one file.
dc_status report_write_html(const report_request *request, const dc_kernels *kernels, gate *gate,
                            FILE *to, dc_error *error);

#endif
