// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a document, its lines, and positions in it as the protocol counts them. Lines end
// with
// "\n", "\r\n" or "\r", as they do for clang.
#ifndef DIVCOST_TOOLS_LSP_TEXT_H
#define DIVCOST_TOOLS_LSP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What counts as one character of a position: what editor and server agreed on.
typedef enum text_encoding { TEXT_UTF16, TEXT_UTF8 } text_encoding;

// Both from 0.
typedef struct text_position {
  size_t line, character;
} text_position;

// All zeroes is a text without bytes and lines.
typedef struct text {
  char *bytes; // owned; not terminated
  size_t size;
  size_t *lines; // where each begins; at least one
  size_t n_lines;
} text;

void text_free(text *t);

// Makes it these bytes; false: memory is out, and it is as before. O(size).
bool text_set(text *t, const char *bytes, size_t size);

// Replaces the bytes from begin to end, which are in the text; false as above. O(size).
bool text_replace(text *t, size_t begin, size_t end, const char *bytes, size_t size);

// Where a line ends, without its line break; of no line: the text's end.
size_t text_line_end(const text *t, size_t line);

// The byte at a position. One behind the end of its line is the line's end, one behind the text the
// text's end, one within a character that character's begin. O(bytes of the line).
size_t text_offset(const text *t, text_position position, text_encoding encoding);

// The position of a byte. O(log lines + bytes of the line).
text_position text_position_of(const text *t, size_t offset, text_encoding encoding);

// The lines of a text that are still there, as they were, after changes.
typedef struct text_lines {
  uint32_t *now; // for each line from 0: where it is now, or TEXT_GONE; owned
  size_t count;
} text_lines;
#define TEXT_GONE UINT32_MAX

// All lines of a text with `count` of them, in their place; false: memory is out.
bool text_lines_begin(text_lines *lines, size_t count);
void text_lines_free(text_lines *lines);

// Follows one change of the text, from `before` to `after`: what is the same at the beginning and
// at the end has stayed. O(size).
void text_lines_follow(text_lines *lines, const text *before, const text *after);

// Where line `line` is now, or TEXT_GONE. All zeroes follow no text: then it is where it was.
uint32_t text_lines_now(const text_lines *lines, size_t line);

#endif
