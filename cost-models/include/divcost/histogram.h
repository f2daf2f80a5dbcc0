// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms: trip counts that were counted, as a text of lines "value count", and what a law
// histogram("file") becomes once its file was read.
//
//     # trips of the inner loop, 3 runs
//     0 1200
//     1 34.5          a count may be any number that is not negative: only ratios matter
//     17, 2           a comma may stand between the two
//
// A line holds one value, a whole number from 0 to DC_TRIPS_MAX, and its count; blanks, blank lines
// and comments from '#' to the end of the line don't matter; lines end with LF or CRLF. Values may
// stand in any order, and repeat: their counts are added.
#ifndef DIVCOST_HISTOGRAM_H
#define DIVCOST_HISTOGRAM_H

#include "divcost/distribution.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads a text of length bytes, which may hold anything. Stores up to capacity points, in the order
// of the text, and sets *count to how many there are, even if that is more. Errors:
// DC_ERROR_SYNTAX, with "line N: " in front and the byte as offset, for a line that is no value and
// count; DC_ERROR_ARGUMENT likewise for a value or count outside its range, for a text without
// values, and for counts that are all 0; DC_ERROR_LIMIT for more than DC_POINTS_MAX values.
// O(length).
dc_status dc_histogram_parse(const char *text, size_t length, dc_point *points, size_t capacity,
                             size_t *count, dc_error *error);

// Bytes of memory that dc_law_embed needs. Errors: those of dc_law_check and of the reader;
// DC_ERROR_ARGUMENT for a NULL reader where one is needed. O(size of the law).
dc_status dc_law_embed_bytes(const dc_law *law, const dc_distribution_options *options,
                             size_t *bytes, dc_error *error);

// Copies a law into memory, with its histograms read: each histogram("file") has its points, so the
// copy, and its text, stand for themselves. The copy keeps no pointer to the law. Errors: as
// dc_law_embed_bytes; DC_ERROR_ARGUMENT for too little memory, or bad points. O(size + points).
dc_status dc_law_embed(const dc_law *law, const dc_distribution_options *options, void *memory,
                       size_t bytes, const dc_law **copy, dc_error *error);

// ---- files (libdivcost-json, which may touch files)
// ----------------------------------------------

// A dc_histogram_read that reads the file `name`; context is the folder that a relative name starts
// from, as a text, or NULL for the current directory. Errors: those of dc_input_read, of at most
// DC_INPUT_TEXT_MOST bytes, and of dc_histogram_parse, with the path in front.
dc_status dc_histogram_read_file(void *context, const char *name, dc_point *points, size_t capacity,
                                 size_t *count, dc_error *error);

// Checks a text as users write it, all of it: that it parses, that its histograms' files (relative
// to folder, or NULL) can be read, and that a distribution can be built from it. *out is then the
// text itself, or where it named files the one that holds their points; the caller frees it.
// Errors: all of these, with the offset of the text at fault; DC_ERROR_MEMORY.
dc_status dc_distribution_text(const char *text, const char *folder, char **out, dc_error *error);

// What users say of a loop's trip counts, in a pragma or an annotation file:
//
//     trips = law [ "," "per_warp_correlated" "(" R ")" ]
//
// *law is as dc_distribution_text has it, and released by the caller with free; R, in [0, 1], is
// the correlation of two lanes of a warp as divcost/estimate.h defines it, to nine decimal places;
// 0 without that clause. Errors: those of dc_distribution_text; DC_ERROR_SYNTAX and
// DC_ERROR_ARGUMENT for the clause, with the offset of the text at fault; *law is then NULL.
dc_status dc_trips_text(const char *text, const char *folder, char **law, double *correlation,
                        dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
