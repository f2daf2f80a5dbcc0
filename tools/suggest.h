// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Did you mean": the name that somebody has mistyped.
#ifndef DIVCOST_TOOLS_SUGGEST_H
#define DIVCOST_TOOLS_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#define SUGGEST_NAME 32 // bytes of a name with its NUL; longer ones are never suggested

typedef struct suggestion {
  const char *typed;
  char name[SUGGEST_NAME]; // the nearest name so far; empty: none is near
  uint32_t distance;       // edits from `typed` to it
} suggestion;

// Begins a search for what `typed` may have meant.
suggestion suggest_begin(const char *typed);

// Considers a name of `length` bytes. A name is near that is no more than
// dc_edits_allowed away from what was typed. Of equally near ones the first is kept.
void suggest_from(suggestion *of, const char *name, size_t length);

// Considers all words of a text that begin with "--".
void suggest_from_help(suggestion *of, const char *help);

#endif
