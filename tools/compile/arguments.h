// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a command line, as execve takes them.
#ifndef DIVCOST_TOOLS_COMPILE_ARGUMENTS_H
#define DIVCOST_TOOLS_COMPILE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

// All zeroes is the empty list. Words are owned, and NULL follows the last one; words itself is
// NULL as long as nothing was added. Memory that runs out sets `failed`, and what is added after
// that is lost: who builds a list asks once, at its end.
typedef struct arguments {
  char **words;
  size_t count, capacity;
  bool failed;
} arguments;

void arguments_free(arguments *list);

// Adds a word: a copy of `text`, of its first `length` bytes, or what a format makes.
void arguments_add(arguments *list, const char *text);
void arguments_add_part(arguments *list, const char *text, size_t length);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void arguments_addf(arguments *list, const char *format, ...);

// Adds copies of the words of another list.
void arguments_add_all(arguments *list, const arguments *more);

// Adds the words of a text: separated by blanks and ends of lines, with a shell's quotes and
// backslashes, and comments as the files of nvcc's --options-file have them (from a word that
// starts with # to the end of the line).
void arguments_add_text(arguments *list, const char *text);

bool arguments_contain(const arguments *list, const char *text);

// The words as a line that a shell reads as these words; owned by the caller, NULL if memory ran
// out.
char *arguments_line(const arguments *list);

#endif
