// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions that a report puts behind a class, as a user reads them: text, of which each
// phrase must be known.
#ifndef DIVCOST_ORACLE_CONDITION_H
#define DIVCOST_ORACLE_CONDITION_H

#include "divcost/kernel.h"
#include "interface.h"

#include <stdbool.h>

enum { MOST_DIMS = 16, MOST_NEEDS = 4 };

// "if k * w <= 33", "if |k| <= 33", "if step >= 31".
typedef struct need {
  char product[256];
  bool absolute, least;
  int64_t number;
} need;

typedef struct condition {
  uint32_t dims[MOST_DIMS][3]; // blocks of these dimensions only
  uint32_t n_dims;
  bool no_wrap;     // neither the loop's start nor its bound wraps
  bool index_fits;  // the thread's index in the grid fits its type
  bool single_rows; // no warp lies in two rows of the block
  bool if_whole;    // `whole` if blockDim.x is a multiple of 32
  dc_class whole;   // the class that it has then
  bool whole_no_wrap, whole_index_fits;
  need whole_needs[MOST_NEEDS]; // ... and if these hold, too
  uint32_t n_whole_needs;
  need needs[MOST_NEEDS];
  uint32_t n_needs;
} condition;

// Reads a condition. False: it has a phrase that isn't known, which *unknown then points to.
bool parse_condition(const char *text, condition *out, const char **unknown);

typedef enum truth { HOLDS, FAILS, UNDECIDED } truth;

// Whether a launch, as one lane sees it, is one that the condition speaks of. `wraps`: values were
// lost on the way. UNDECIDED: it is about values that only the device has.
truth decide_condition(const condition *c, const probe_state *lane, const probe_program *program,
                       const int64_t *arguments, bool wraps);

// The class of a loop in a launch that the condition speaks of, where the report says `reported`.
dc_class class_under(const condition *c, dc_class reported, const probe_state *lane,
                     const probe_program *program, const int64_t *arguments, bool wraps);

// Whether no warp of a block of these dimensions lies in two of its rows.
bool has_single_rows(const probe_dim3 *block);

#endif
