// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fields.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fields_split(char *line, char *fields[], unsigned count) {
  line[strcspn(line, "\n")] = '\0';
  for (unsigned f = 0; f < count; ++f) {
    fields[f] = line;
    line = strchr(line, '\t');
    if (!line)
      return f + 1 == count;
    *line++ = '\0';
  }
  return false;
}

// strtoll and strtod also take blanks, signs, hexadecimal numbers, infinities.
static bool consists_of(const char *text, const char *characters) {
  return text[strspn(text, characters)] == '\0';
}

// What is too large for strtoll becomes its greatest or least, which no int is.
static bool whole(const char *text, long long least, long long most, long long *value) {
  char *end;
  *value = strtoll(text, &end, 10);
  return consists_of(text, "-0123456789") && end != text && *end == '\0' && *value >= least &&
         *value <= most;
}

bool field_int(const char *text, int *value) {
  long long number;
  bool good = whole(text, INT_MIN, INT_MAX, &number);
  *value = (int)number;
  return good;
}

bool field_unsigned(const char *text, unsigned *value) {
  long long number;
  bool good = whole(text, 0, UINT_MAX, &number);
  *value = (unsigned)number;
  return good;
}

bool field_double(const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  return consists_of(text, "+-.0123456789e") && end != text && *end == '\0' && isfinite(*value);
}
