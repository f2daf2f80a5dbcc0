// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit's findings: what the plugin hands to reports and what reports read back.
// Reading and writing JSON is libdivcost-json's (it needs jansson); the schema is
// docs/json-schema.md.
#ifndef DIVCOST_UNIT_H
#define DIVCOST_UNIT_H

#include "divcost/estimate.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_finding {
  dc_rule rule;
  uint32_t loop;        // in the kernel, or DC_NONE
  uint32_t location;    // in the kernel, or DC_NONE
  char *message;        // owned; one sentence
  uint64_t fingerprint; // stable under edits elsewhere: rule and loop id or function
  bool suppressed;
} dc_finding;

typedef struct dc_unit_kernel {
  dc_kernel kernel;
  dc_estimate *estimates; // for each architecture and launch: first arch all launches, worst first
  uint32_t n_estimates;
  dc_finding *findings;
  uint32_t n_findings;
} dc_unit_kernel;

typedef struct dc_unit {
  char *path;      // of the main file; owned
  unsigned *archs; // sm numbers, ascending
  uint32_t n_archs;
  dc_unit_kernel *kernels;
  uint32_t n_kernels;
} dc_unit;

// All zeroes is the empty unit.
void dc_unit_free(dc_unit *unit);

// Moves the kernels of `from` into `into`: a kernel with the same symbol gains the estimates for
// architectures that it lacks (those it has are replaced); loops with equal ids are one loop.
// `from` is empty afterwards.
dc_status dc_unit_merge(dc_unit *into, dc_unit *from, dc_error *error);

// Writes the report for people: kernels worst first, per loop the source line, class, distribution
// and where it comes from, imbalance, efficiency, depth, cycles. `colour` adds ANSI escapes.
dc_status dc_unit_write_text(const dc_unit *unit, FILE *stream, bool colour, dc_error *error);

// JSON, schema version 1, ending with a newline. Reading checks everything (dc_kernel_validate
// included): the error names the place ("kernels[2].skeleton.loops[0].parent: ..."), and *unit
// stays empty.
dc_status dc_unit_write_json(const dc_unit *unit, FILE *stream, dc_error *error);
dc_status dc_unit_read_json(FILE *stream, dc_unit *unit, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
