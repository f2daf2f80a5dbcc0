// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms: trip counts that were counted, as a text of lines "value count", and what a
// distribution histogram("file") becomes once its file was read.
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

// Copies a distribution with its histograms read: each histogram("file") has its points, so the
// copy, and its text, stand for themselves. The copy keeps no pointer to the distribution;
// dc_distribution_spec_free releases it. Errors, *copy then being NULL: those of
// dc_distribution_spec_check and of the reader; DC_ERROR_ARGUMENT for a NULL reader where one is
// needed, or bad points; DC_ERROR_MEMORY. O(size + points).
dc_status dc_distribution_embed(const dc_distribution_spec *spec,
                                const dc_distribution_options *options, dc_distribution_spec **copy,
                                dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
