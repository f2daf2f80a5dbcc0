// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel before and after: what `divcost diff` and `divcost what-if` show. Loops are the same
// where their ids are. What differs by less than a reader would care for is the same: 1% of a
// figure, half a percentage point of a share.
#ifndef DIVCOST_TOOLS_COMPARE_COMPARE_H
#define DIVCOST_TOOLS_COMPARE_COMPARE_H

#include "divcost/unit.h"

#include <jansson.h>

typedef enum compare_state {
  COMPARE_SAME,
  COMPARE_CHANGED,
  COMPARE_NEW,
  COMPARE_GONE
} compare_state;

// A figure on both sides; both ends negative: not known, or there is no such side.
typedef struct compare_figure {
  const char *name;  // as in the JSON
  const char *label; // for people
  bool share;        // of something: shown in percent
  dc_interval before, after;
  bool differs;
} compare_figure;

enum { KERNEL_FIGURES = 9, LOOP_FIGURES = 6 };

typedef struct compare_loop {
  compare_state state;
  uint32_t before, after;  // in the kernels, or DC_NONE
  const dc_kernel *kernel; // with the loop: afterwards, or where it is gone before
  const dc_loop *loop;
  compare_figure figures[LOOP_FIGURES];
} compare_loop;

// The kernels are borrowed. Their figures are those of the worst estimate on each side.
typedef struct comparison {
  compare_state state;
  const dc_unit_kernel *before, *after; // one may be NULL
  const dc_estimate *estimates[2];
  compare_figure figures[KERNEL_FIGURES];
  compare_loop *loops; // those of `after` in their order, then those that are gone
  uint32_t n_loops;
} comparison;

// Compares; comparison_free releases what it holds. False: out of memory.
bool compare_kernels(const dc_unit_kernel *before, const dc_unit_kernel *after, comparison *out);
void comparison_free(comparison *comparison);

// How much more of its issue cycles the kernel certainly loses afterwards, -1 to 1; a side that
// isn't there, or isn't known, loses nothing; 0 where a side was not analysed.
double comparison_worse(const comparison *comparison);

// Why a side (which may be NULL) was not analysed; empty: it was.
const char *comparison_not_analysed(const dc_unit_kernel *of);

const char *compare_state_name(compare_state state); // "same", "changed", "new", "gone"

// ---- compare_print.c ---------------------------------------------------------------------------

typedef struct compare_words {
  const char *before, *after; // heads of the columns
  const char *cycles;         // label of the kernel's issue cycles, or NULL: as they are
} compare_words;

// Writes the kernel with all that differs in it.
void compare_print(const comparison *comparison, const compare_words *words, FILE *to);

// The same as JSON (docs/report.md); NULL: out of memory.
json_t *compare_json(const comparison *comparison);

// A text with control characters as blanks: it may come from anywhere.
void compare_put(const char *text, FILE *to);

// "file:line" of a location, from the current directory where it is below; "" where not known.
void compare_place(const dc_kernel *kernel, uint32_t location, char *text, size_t size);

#endif
