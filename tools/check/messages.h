// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compilers said, for people: a loop in a header is reported by every unit that has it, and
// shown once.
#ifndef DIVCOST_TOOLS_CHECK_MESSAGES_H
#define DIVCOST_TOOLS_CHECK_MESSAGES_H

#include "divcost/string_set.h"

#include <stdio.h>

// All zeroes is one that has shown nothing.
typedef struct messages {
  dc_string_set shown; // places and rules of findings; other messages as a whole
  size_t findings;     // shown
  size_t repeated;     // not shown again
  size_t known;        // not shown, by messages_hide
  bool colour;         // as clang's are on a terminal
  bool hold;           // show nothing before messages_show_held
  struct held_message *held;
  size_t n_held;
  size_t texts; // given so far
  struct unmatched_entry *unmatched;
  size_t n_unmatched;
} messages;

void messages_free(messages *m);

// Takes from the text what is no message (clang's count of them), and makes bytes that are no UTF-8
// question marks.
void messages_clean(char *text);

// Prints the messages in a text that weren't shown before; relative paths in it are from
// `directory`. A message is its first line (FILE:LINE:COLUMN: warning: ...) with the notes and
// source lines after it and the lines "In file included from" before it. That an entry of an
// annotation file matches nothing is kept: another unit may have what it names.
void messages_show(messages *m, const char *text, const char *directory, FILE *to);

// What tells a finding from the others of a run; a relative FILE is from `directory`. Owned by the
// caller; NULL: out of memory.
char *messages_identity(const char *directory, const char *file, uint32_t line, uint32_t column,
                        const char *rule);

// Forgets findings that are held, those with such an identity.
void messages_hide(messages *m, dc_string_set *identities);

// Prints what was held: what was measured comes first, by the share of the program's time that
// idles by it, then the others in the order in which they came.
void messages_show_held(messages *m, FILE *to);

// Prints which entries of annotation files name nothing in any unit that has the file: as many of
// them as `units_with` says of a path.
typedef size_t messages_count(const void *context, const char *path, size_t length);
void messages_show_unmatched(messages *m, messages_count *units_with, const void *context,
                             FILE *to);

#endif
