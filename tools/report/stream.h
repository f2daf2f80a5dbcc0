// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units of a whole build as one, in bounded memory: units are added one after the other, and
// their kernels wait in a temporary file (report/spool.h). In memory stay the names of kernels and
// files and a few words for each kernel. The result is that of dc_unit_merge, in the order in which
// they were added.
//
//     report_stream stream;
//     status = report_stream_begin(&stream, &error);
//     for each unit, while (status == DC_OK): status = report_stream_add(&stream, &unit, &error);
//     status = report_stream_merge(&stream, &kernels, &error);
//     ... kernels: to the gate, and to a writer ...
//     report_stream_end(&stream);
//
// A format is a function that takes dc_kernels (divcost/unit.h), as dc_kernels_write_text does: it
// asks for kernels one at a time, in their order or, with dc_worst_first, the worst one first, as
// often as it likes. tools/report/report.c has the table of formats.
#ifndef DIVCOST_TOOLS_REPORT_STREAM_H
#define DIVCOST_TOOLS_REPORT_STREAM_H

#include "divcost/string_set.h"
#include "report/spool.h"

// A kernel that waits.
typedef struct report_piece {
  uint32_t file, symbol; // in the set of names
  uint32_t line;
  unsigned sm;   // of its first estimate; 0: it has none
  uint32_t unit; // the how manieth, or of a merged one its place among those of its name
  int64_t offset;
} report_piece;

typedef struct report_stream {
  spool spool;
  dc_string_set names; // files and symbols of kernels
  dc_string_set paths; // of the units
  report_piece *pieces;
  uint32_t n_pieces, capacity;
  uint32_t n_units;
  unsigned *archs;
  uint32_t n_archs;
  char *path;             // all paths in one text
  dc_unit_kernel current; // what was asked for last
} report_stream;

// DC_ERROR_FILE: there is no room for a temporary file. In any case report_stream_end is the end.
dc_status report_stream_begin(report_stream *stream, dc_error *error);

// Takes the kernels of a unit, which is empty afterwards, or whole on error (DC_ERROR_FILE,
// DC_ERROR_MEMORY).
dc_status report_stream_add(report_stream *stream, dc_unit *unit, dc_error *error);

// Merges what was added, once, and gives the kernels, which are good until report_stream_end.
// O(size
// + n log n).
dc_status report_stream_merge(report_stream *stream, dc_kernels *kernels, dc_error *error);

// A copy of a kernel of the merged ones, which belongs to the caller. DC_ERROR_FILE,
// DC_ERROR_MEMORY.
dc_status report_stream_copy(report_stream *stream, uint32_t index, dc_unit_kernel *kernel,
                             dc_error *error);

void report_stream_end(report_stream *stream);

#endif
