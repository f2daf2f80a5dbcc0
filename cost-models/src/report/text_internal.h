// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the report for people share: text_page.c writes words, text_loops.c
// the loops of a kernel, text.c a kernel, text_findings.c what was found in all, text_kernels.c the
// whole.
#ifndef DIVCOST_REPORT_TEXT_INTERNAL_H
#define DIVCOST_REPORT_TEXT_INTERNAL_H

#include "divcost/report.h"
#include "divcost/words.h"

enum {
  DC_REPORT_WIDTH = 80, // columns
  DC_REPORT_TEXT = 600  // bytes of the longest name, expression or source line that is shown
};

// ---- words -------------------------------------------------------------------------------------

typedef enum dc_style {
  DC_STYLE_PLAIN,
  DC_STYLE_TITLE,
  DC_STYLE_BAD,   // loses a lot
  DC_STYLE_NOTE,  // loses something
  DC_STYLE_QUIET, // labels, source lines
} dc_style;

// The stream, and in which column the next character goes.
typedef struct dc_page {
  FILE *stream;
  bool colour;
  unsigned column;
} dc_page;

// Writes text as it is, with control characters as blanks (it may come from anywhere). Columns are
// counted in code points.
void dc__page_text(dc_page *page, dc_style style, const char *text);

// Writes text with line breaks at blanks; further lines begin in column `indent`.
void dc__page_wrap(dc_page *page, dc_style style, unsigned indent, const char *text);

// Moves to a column: with blanks, or on a new line where the column has been passed.
void dc__page_column(dc_page *page, unsigned column);
void dc__page_line(dc_page *page);

// Writes text with its end before column `end`.
void dc__page_right(dc_page *page, dc_style style, unsigned end, const char *text);

// The name of a function without its parameters and "void", cut to size - 1 bytes: first by the
// namespaces, then at the end.
void dc__short_name(const char *name, char *text, size_t size);

// The style that a lost share deserves: decided at its low end.
dc_style dc__share_style(dc_interval share);

// ---- what is reported --------------------------------------------------------------------------

typedef struct dc_report {
  dc_page page;
  const dc_report_options *options;
  const dc_unit_kernel *of;    // the kernel that is being written
  const dc_estimate *estimate; // its worst estimate, or NULL
  char *root;                  // folder that is left out of the names of files, with its slash
  size_t root_size;            // bytes of root that count
} dc_report;

// A line "name  words", broken where it is too long.
void dc__report_labelled(dc_report *report, unsigned indent, const char *name, const char *words);

// A text of the kernel; the file of a location; "file:line:column" as far as it is known, without
// folders where the file is `same`, else as seen from the folder that the compiler ran in.
const char *dc__report_text(const dc_report *report, dc_text text);
const char *dc__report_file(const dc_report *report, uint32_t location);
void dc__report_location(const dc_report *report, uint32_t location, const char *same, char *text,
                         size_t size);

// An expression with the kernel's names, cut where nobody would read on; "" if there is none.
void dc__report_expression(const dc_report *report, dc_expr e, char *text, size_t size);

// The line of source at a location, on a line of its own, if it can be had.
void dc__report_source_line(dc_report *report, unsigned indent, uint32_t location);

// What is sorted: by parent, then worst first (dc_worst_first), then as before.
typedef struct dc_rank {
  uint32_t index, parent;
  double measured;  // share of the program's time whose lane-slots idle; negative: not measured
  double time_lost; // dc_time_lost
  dc_interval share;
  bool leaves_out; // a kernel whose figures aren't all that it does
} dc_rank;
bool dc__share_is_worse(dc_interval x, dc_interval y);
int dc__compare_ranks(const void *a, const void *b);

// Compilers name files in full; a reader knows them as the unit's path begins. What comes before
// one of these paths ("a.cu, b.cu") in the name of a file becomes the root, which the caller frees.
// False: out of memory.
bool dc__report_set_root(dc_report *report, const char *file, const char *paths);

// Where something was found in the kernels, each place once, as SARIF and the page have it; nothing
// where nothing was. Sets r->of. Errors: DC_ERROR_MEMORY, or what getting a kernel met.
dc_status dc__report_findings(dc_report *report, const dc_kernels *kernels, dc_error *error);

// The kernel that is set, with its loops. False when memory is out.
bool dc__report_kernel(dc_report *report);
bool dc__report_loops(dc_report *report);

// The same without its loops; and one of them in full, at the margin, without its place.
void dc__report_kernel_alone(dc_report *report);
void dc__report_loop(dc_report *report, uint32_t index);

// A share that ends before column `end`, "-" where it isn't known.
void dc__report_share(dc_report *report, unsigned end, dc_interval share, bool coloured);

// Where an architecture's costs come from: in short what a kernel's figures depend on, in full once
// (kernel: NULL).
void dc__report_provenance(dc_report *report, const char *label, const dc_arch *arch,
                           const dc_kernel *kernel);

#endif
