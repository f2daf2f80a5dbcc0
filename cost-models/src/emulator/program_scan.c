// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading assembly word by word.
#include "emulator/program_scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dc__scan_complain(dc_assembler *a, const char *format, ...) {
  char detail[200];
  va_list arguments;
  if (a->status != DC_OK)
    return;
  va_start(arguments, format);
  vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  a->status = dc_fail(a->error, DC_ERROR_SYNTAX, "line %u: %s", (unsigned)a->line, detail);
  if (a->error)
    a->error->offset = (unsigned)(a->at - a->program->text);
}

void dc__scan_out_of_memory(dc_assembler *a) {
  if (a->status == DC_OK)
    a->status = dc_fail(a->error, DC_ERROR_MEMORY, "out of memory at line %u", (unsigned)a->line);
}

void *dc__scan_grown(dc_assembler *a, void *array, uint32_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *larger = realloc(array, (count ? 2 * (size_t)count : 1) * size);
  if (!larger)
    dc__scan_out_of_memory(a);
  return larger;
}

// ---- words --------------------------------------------------------------------------------------

static void skip_blanks(dc_assembler *a) {
  while (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')
    ++a->at;
}

bool dc__scan_at_end(dc_assembler *a) {
  skip_blanks(a);
  return !*a->at || *a->at == '\n' || *a->at == ';' || (a->at[0] == '/' && a->at[1] == '/');
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

size_t dc__scan_peek_name(dc_assembler *a) {
  skip_blanks(a);
  size_t length = 0;
  while (is_name(a->at[length]))
    ++length;
  return length;
}

bool dc__scan_take(dc_assembler *a, char c) {
  skip_blanks(a);
  if (*a->at != c)
    return false;
  ++a->at;
  return true;
}

dc_scan_rest dc__scan_next(dc_assembler *a) {
  dc_scan_rest rest = {"the end of the line"};
  size_t length = dc__scan_peek_name(a);
  length += length == 0 && !dc__scan_at_end(a); // a sign
  if (length > 0)
    snprintf(rest.text, sizeof rest.text, "'%.*s%s'", (int)(length < 24 ? length : 24), a->at,
             length > 24 ? "..." : "");
  for (char *c = rest.text; *c; ++c)
    *c = iscntrl((unsigned char)*c) ? '?' : *c;
  return rest;
}

void dc__scan_expect(dc_assembler *a, char c) {
  if (!dc__scan_take(a, c))
    dc__scan_complain(a, "expected '%c' before %s", c, dc__scan_next(a).text);
}

bool dc__scan_same(const char *name, size_t length, const char *word) {
  return strlen(word) == length && strncmp(name, word, length) == 0;
}

// A number after its letter: R5, P0, B15. -1: something else.
int dc__scan_numbered(const char *name, size_t length, char letter, int count) {
  if (length < 2 || length > 3 || name[0] != letter)
    return -1;
  int value = 0;
  for (size_t k = 1; k < length; ++k) {
    if (!isdigit((unsigned char)name[k]))
      return -1;
    value = 10 * value + name[k] - '0';
  }
  return value < count ? value : -1;
}

int dc__scan_take_numbered(dc_assembler *a, char letter, int count, const char *what) {
  size_t length = dc__scan_peek_name(a);
  int value = dc__scan_numbered(a->at, length, letter, count);
  if (value < 0)
    dc__scan_complain(a, "expected %s %c0 to %c%d before %s", what, letter, letter, count - 1,
                      dc__scan_next(a).text);
  a->at += length;
  return value < 0 ? 0 : value;
}

bool dc__scan_take_integer(dc_assembler *a, int32_t *value) {
  skip_blanks(a);
  char *end;
  if (isspace((unsigned char)*a->at)) // strtoll would look for a number on the next line
    return false;
  long long number = strtoll(a->at, &end, 0);
  if (end == a->at || is_name(*end))
    return false;
  if (number < INT32_MIN || number > UINT32_MAX)
    dc__scan_complain(a, "%.*s does not fit 32 bits", (int)(end - a->at < 40 ? end - a->at : 40),
                      a->at);
  *value = (int32_t)(uint32_t)number;
  a->at = end;
  return true;
}

void dc__scan_copy_name(dc_assembler *a, char *to, size_t size) {
  size_t length = dc__scan_peek_name(a);
  if (length == 0 || isdigit((unsigned char)*a->at))
    dc__scan_complain(a, "expected a name before %s", dc__scan_next(a).text);
  else if (length >= size)
    dc__scan_complain(a, "the name %.*s is longer than %zu characters", (int)length, a->at,
                      size - 1);
  snprintf(to, size, "%.*s", (int)length, a->at);
  a->at += length;
}
