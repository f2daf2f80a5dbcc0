// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files that a report quotes or identifies lines of, each read once.
#ifndef DIVCOST_SRC_SOURCE_FILES_H
#define DIVCOST_SRC_SOURCE_FILES_H

#include "divcost/report.h"

// What tells a line from others of its file, wherever it moves: GitHub's primaryLocationLineHash is
// "HASH:COUNT".
typedef struct dc_line_hash {
  uint64_t hash;
  uint32_t count; // how many lines up to this one have the hash
} dc_line_hash;

typedef struct dc_source_file {
  char *name, *text; // text NULL: it can't be read
  size_t length;
  size_t *starts;       // of lines, and behind them `length`
  dc_line_hash *hashes; // of lines
  uint32_t n_lines;
} dc_source_file;

// All zeroes: none so far.
typedef struct dc_source_files {
  dc_source_file *items;
  uint32_t count;
} dc_source_files;

// The file of that name, read if it wasn't yet; NULL: there is no memory, or options have no
// read_file, or it reads nothing. O(files), and the first time O(length).
const dc_source_file *dc__source_file(dc_source_files *known, const dc_report_options *options,
                                      const char *name);

void dc__source_files_free(dc_source_files *known);

// The hashes of all lines of a text, as GitHub's code scanning makes them (github/codeql-action,
// src/fingerprints.ts): over c(0) .. c(99), the first 100 UTF-16 units from a line's start on,
// blanks and tabs left out, line ends being \n, behind the text 0xffff and then zeroes, the sum of
// c(k) 37^(99 - k) modulo 2^64. The caller frees them. NULL: no memory. O(length).
dc_line_hash *dc__line_hashes(const char *text, size_t length, uint32_t *n_lines);

// The characters from `column` (from 1, in bytes) of a line (from 1) on that make up one name or
// sign, as columns in code points: those of its first character, and behind its last one. False:
// the file has no such place.
bool dc__token_columns(const dc_source_file *file, uint32_t line, uint32_t column, uint32_t *begin,
                       uint32_t *end);

#endif
