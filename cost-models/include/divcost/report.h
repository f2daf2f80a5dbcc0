// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports: kernels with their figures and findings, written in one of several formats.
//
//     status = dc_unit_write(&unit, &dc_format_json, NULL, stdout, &error);
#ifndef DIVCOST_REPORT_H
#define DIVCOST_REPORT_H

#include "divcost/unit.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// A finding of a baseline that isn't there any more.
typedef struct dc_absent_finding {
  dc_rule rule;
  uint64_t fingerprint;
  const char *file, *kernel, *message; // file and kernel may be empty
} dc_absent_finding;

// What a baseline says of the findings.
typedef struct dc_baseline {
  // "new", "unchanged" or "updated"; NULL: nothing.
  const char *(*state)(void *context, const dc_unit_kernel *kernel, const dc_finding *finding);
  // Entry `index` of those that are gone; false: there are no more.
  bool (*absent)(void *context, uint32_t index, dc_absent_finding *finding);
  void *context; // handed to both
} dc_baseline;

// All zeroes: plain, whole, no source lines.
typedef struct dc_report_options {
  bool colour;           // text: ANSI escapes
  const char *directory; // text: files below it are named as seen from there; NULL: in full
  uint32_t top;          // text: only the worst kernels, so many; 0: all
  // Text: stores the text of a source line, cut to size - 1 bytes, without its end; false: not
  // available. NULL: none is.
  bool (*read_line)(void *context, const char *file, uint32_t line, char *text, size_t size);
  // SARIF: the bytes of a source file, to be freed by the report, so that results have columns and
  // the fingerprints of their lines; NULL: not available. NULL: none is.
  char *(*read_file)(void *context, const char *file, size_t *length);
  void *context;               // handed to both
  const dc_baseline *baseline; // SARIF: the states of the findings; NULL: they have none
} dc_report_options;

typedef struct dc_report_format {
  const char *name; // "sarif": what `divcost report --sarif` takes
  const char *help; // what it writes
  bool takes_top;   // dc_report_options.top means something
  // Writes all kernels, which are asked for one at a time, in their order or the worst first, up to
  // four times, those with findings more often. options may be NULL: all zeroes. Errors:
  // DC_ERROR_FILE, DC_ERROR_MEMORY, or what getting a kernel met. O(size).
  dc_status (*write)(const dc_kernels *kernels, const dc_report_options *options, FILE *stream,
                     dc_error *error);
} dc_report_format;

// Writes a whole unit. Errors: those of the format.
dc_status dc_unit_write(const dc_unit *unit, const dc_report_format *format,
                        const dc_report_options *options, FILE *stream, dc_error *error);

// In libdivcost: for people, 80 columns wide, in ASCII but for what it quotes: kernels worst first,
// with cycles and losses for each architecture and launch; their loops worst first, nested ones
// indented, with source line, class, distribution and where it comes from, imbalance, efficiency,
// depth, cycles and reasons.
extern const dc_report_format dc_format_text;

// In libdivcost-json: schema version 1 (docs/json-schema.md), ending with a newline. Writing what
// dc_unit_read_json read gives the same bytes. DC_ERROR_ARGUMENT also for figures that aren't
// finite.
extern const dc_report_format dc_format_json;

// In libdivcost-report: figures as JSON lines, flat rows of a table, for each estimate of each
// kernel a row of the kernel and one of each loop (docs/divcost-rows-1.schema.json); findings alone
// as SARIF 2.1.0, a result for each, with the loop's reasons as a code flow and as related
// locations that the message links, its fingerprint as "divcost/v1", that of its line as
// "primaryLocationLineHash", and what an annotation ignores as suppressed; and a page for browsers
// (docs/html.md), which fails with DC_ERROR_ARGUMENT where the build had no compiler for
// WebAssembly.
extern const dc_report_format dc_format_json_lines, dc_format_sarif, dc_format_html;

// In libdivcost-report: format number `index` of all, from 0, that for people first; NULL: there
// are no more. And the one of that name, or NULL.
const dc_report_format *dc_format_at(unsigned index);
const dc_report_format *dc_format_find(const char *name);

// Parts of the report for people, for who shows one thing at a time: what it says of a kernel apart
// from its loops, and of one loop, which here begins with what it loses (not with its location) at
// the margin, is told in full though it lose nothing, and ends with its kernel's time, where known.
// `kernel` and `loop` are indices into the unit and the kernel. Errors as above.
dc_status dc_text_write_kernel(const dc_unit *unit, uint32_t kernel, FILE *stream, dc_error *error);
dc_status dc_text_write_loop(const dc_unit *unit, uint32_t kernel, uint32_t loop, FILE *stream,
                             dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
