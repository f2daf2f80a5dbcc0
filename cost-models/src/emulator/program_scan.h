// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of an assembly line, for program_text.c.
#ifndef DIVCOST_PROGRAM_SCAN_H
#define DIVCOST_PROGRAM_SCAN_H

#include "divcost/program.h"

typedef struct dc_label {
  const char *name;
  size_t length;
  uint32_t pc;
} dc_label;

typedef struct dc_assembler {
  dc_program *program;
  dc_error *error;
  dc_status status;
  dc_label *labels;
  uint32_t n_labels, capacity, words_capacity;
  const char *at; // the rest of the line
  uint32_t line;
  bool second; // pass
} dc_assembler;

// Keeps the first failure: "line 3: ..." and the memory's end.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void dc__scan_complain(dc_assembler *a, const char *format, ...);
void dc__scan_out_of_memory(dc_assembler *a);

// Room for one more element, or NULL: capacities are powers of two.
void *dc__scan_grown(dc_assembler *a, void *array, uint32_t count, size_t size);

// What comes next on the line, for a complaint, and no more of the file: "'foo'", cut where it is
// long, or "the end of the line".
typedef struct dc_scan_rest {
  char text[32];
} dc_scan_rest;
dc_scan_rest dc__scan_next(dc_assembler *a);

// Nothing more on the line; the length of the name that comes next, or 0; a character if it comes
// next, or else a complaint.
bool dc__scan_at_end(dc_assembler *a);
size_t dc__scan_peek_name(dc_assembler *a);
bool dc__scan_take(dc_assembler *a, char c);
void dc__scan_expect(dc_assembler *a, char c);

// Whether a name is this word; the number in R5, P0, B15, or -1; the same, taken from the line.
bool dc__scan_same(const char *name, size_t length, const char *word);
int dc__scan_numbered(const char *name, size_t length, char letter, int count);
int dc__scan_take_numbered(dc_assembler *a, char letter, int count, const char *what);

// An integer of 32 bits, signed or not, if one comes next; a name.
bool dc__scan_take_integer(dc_assembler *a, int32_t *value);
void dc__scan_copy_name(dc_assembler *a, char *to, size_t size);

#endif
