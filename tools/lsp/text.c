// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See text.h. Text from an editor should be UTF-8, and may be anything.
#include "lsp/text.h"

#include <stdlib.h>
#include <string.h>

void text_free(text *t) {
  free(t->bytes);
  free(t->lines);
  *t = (text){0};
}

// Behind the next line break, or SIZE_MAX.
static size_t next_line(const char *bytes, size_t size, size_t from) {
  for (size_t k = from; k < size; ++k) {
    if (bytes[k] == '\n')
      return k + 1;
    if (bytes[k] == '\r')
      return k + 1 < size && bytes[k + 1] == '\n' ? k + 2 : k + 1;
  }
  return SIZE_MAX;
}

bool text_set(text *t, const char *bytes, size_t size) {
  return text_replace(t, 0, t->size, bytes, size);
}

bool text_replace(text *t, size_t begin, size_t end, const char *bytes, size_t size) {
  text new = {.size = t->size - (end - begin) + size, .n_lines = 1};
  new.bytes = malloc(new.size + 1);
  if (!new.bytes)
    return false;
  if (begin)
    memcpy(new.bytes, t->bytes, begin);
  if (size)
    memcpy(new.bytes + begin, bytes, size);
  if (end < t->size)
    memcpy(new.bytes + begin + size, t->bytes + end, t->size - end);
  for (size_t at = 0; (at = next_line(new.bytes, new.size, at)) != SIZE_MAX;)
    ++new.n_lines;
  new.lines = malloc(new.n_lines * sizeof *new.lines);
  if (!new.lines) {
    text_free(&new);
    return false;
  }
  new.lines[0] = 0;
  for (size_t k = 1; k < new.n_lines; ++k)
    new.lines[k] = next_line(new.bytes, new.size, new.lines[k - 1]);
  text_free(t);
  *t = new;
  return true;
}

static bool is_break(char byte) { return byte == '\n' || byte == '\r'; }

size_t text_line_end(const text *t, size_t line) {
  if (line + 1 >= t->n_lines)
    return t->size;
  size_t begin = t->lines[line], end = t->lines[line + 1];
  while (end > begin && is_break(t->bytes[end - 1]))
    --end;
  return end;
}

// ---- positions ----------------------------------------------------------------------------------

// The bytes of the character at `at`, at most those until `end`: what isn't UTF-8 is a character
// for each byte.
static size_t character_size(const text *t, size_t at, size_t end) {
  unsigned char first = (unsigned char)t->bytes[at];
  size_t size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (size > end - at)
    return 1;
  for (size_t k = 1; k < size; ++k)
    if (((unsigned char)t->bytes[at + k] & 0xc0) != 0x80)
      return 1;
  return size;
}

// What a character of so many bytes counts.
static size_t units_of(size_t size, text_encoding encoding) {
  return encoding == TEXT_UTF8 ? size : size == 4 ? 2 : 1;
}

size_t text_offset(const text *t, text_position position, text_encoding encoding) {
  if (position.line >= t->n_lines)
    return t->size;
  size_t at = t->lines[position.line], end = text_line_end(t, position.line), passed = 0;
  while (at < end) {
    size_t size = character_size(t, at, end);
    passed += units_of(size, encoding);
    if (passed > position.character)
      break;
    at += size;
  }
  return at;
}

text_position text_position_of(const text *t, size_t offset, text_encoding encoding) {
  size_t low = 0, high = t->n_lines; // the line is in low ... high - 1
  if (high == 0)
    return (text_position){0, 0};
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (t->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  size_t end = text_line_end(t, low), units = 0;
  for (size_t at = t->lines[low]; at < offset && at < end;) {
    size_t size = character_size(t, at, end);
    if (at + size > offset)
      break;
    units += units_of(size, encoding);
    at += size;
  }
  return (text_position){low, units};
}

// ---- lines that stay ----------------------------------------------------------------------------

bool text_lines_begin(text_lines *lines, size_t count) {
  text_lines_free(lines);
  lines->now = malloc((count ? count : 1) * sizeof *lines->now);
  if (!lines->now)
    return false;
  lines->count = count;
  for (size_t k = 0; k < count; ++k)
    lines->now[k] = (uint32_t)k;
  return true;
}

void text_lines_free(text_lines *lines) {
  free(lines->now);
  *lines = (text_lines){0};
}

// How many lines at the beginning are the same.
static size_t same_before(const text *a, const text *b) {
  size_t most = a->size < b->size ? a->size : b->size, same = 0, line = 0;
  while (same < most && a->bytes[same] == b->bytes[same])
    ++same;
  if (same == a->size && same == b->size)
    return a->n_lines;
  while (line + 1 < a->n_lines && line + 1 < b->n_lines && a->lines[line + 1] <= same &&
         b->lines[line + 1] == a->lines[line + 1])
    ++line;
  return line;
}

static bool same_line(const text *a, size_t line, const text *b, size_t other) {
  size_t begin = a->lines[line], end = line + 1 < a->n_lines ? a->lines[line + 1] : a->size,
         begins = b->lines[other], ends = other + 1 < b->n_lines ? b->lines[other + 1] : b->size;
  return end - begin == ends - begins &&
         memcmp(a->bytes + begin, b->bytes + begins, end - begin) == 0;
}

void text_lines_follow(text_lines *lines, const text *before, const text *after) {
  size_t first = same_before(before, after), tail = 0;
  size_t most = (before->n_lines < after->n_lines ? before->n_lines : after->n_lines);
  while (first + tail < most &&
         same_line(before, before->n_lines - 1 - tail, after, after->n_lines - 1 - tail))
    ++tail;
  for (size_t k = 0; k < lines->count; ++k) {
    size_t now = lines->now[k];
    if (now == TEXT_GONE || now < first)
      continue;
    bool stays = now < before->n_lines && now >= before->n_lines - tail;
    lines->now[k] = stays ? (uint32_t)(now + after->n_lines - before->n_lines) : TEXT_GONE;
  }
}

uint32_t text_lines_now(const text_lines *lines, size_t line) {
  if (!lines->now)
    return line < TEXT_GONE ? (uint32_t)line : TEXT_GONE;
  return line < lines->count ? lines->now[line] : TEXT_GONE;
}
