// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/histogram.h"

#include "distribution/distribution_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
  const char *text, *at, *end;
  size_t line;
  dc_error *error;
} reader;

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static dc_status fail_at(const reader *r, const char *where, dc_status status, const char *format,
                         ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dc_fail(r->error, status, "line %zu: %s", r->line, text);
  if (r->error)
    r->error->offset = (unsigned)(where - r->text);
  return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(reader *r) {
  while (r->at < r->end && is_blank(*r->at))
    ++r->at;
}

static bool at_line_end(const reader *r) {
  return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

// The number is copied first: the text has no zero at its end.
static dc_status read_number(reader *r, const char *what, double *value) {
  char copy[DC_NUMBER_MAX + 2] = "";
  size_t left = (size_t)(r->end - r->at), taken = left < sizeof copy - 1 ? left : sizeof copy - 1;
  memcpy(copy, r->at, taken);
  size_t length = dc__number_length(copy);
  if (length == 0)
    return fail_at(r, r->at, DC_ERROR_SYNTAX, "expected %s, as in \"17 2\", a value and its count",
                   what);
  if (length > DC_NUMBER_MAX)
    return fail_at(r, r->at, DC_ERROR_SYNTAX, "a number may have %d characters, but this has more",
                   DC_NUMBER_MAX);
  *value = dc__number_read(copy, length);
  r->at += length;
  return DC_OK;
}

static dc_status read_pair(reader *r, dc_point *point) {
  const char *value_at = r->at;
  double value = 0, mass = 0;
  dc_status status = read_number(r, "a value", &value);
  if (status != DC_OK)
    return status;
  const char *after = r->at;
  skip_blanks(r);
  if (r->at < r->end && *r->at == ',') {
    ++r->at;
    skip_blanks(r);
  } else if (r->at == after && !at_line_end(r)) {
    return fail_at(r, r->at, DC_ERROR_SYNTAX, "expected a blank or a comma behind the value");
  }
  const char *mass_at = r->at;
  status = read_number(r, "a count", &mass);
  if (status != DC_OK)
    return status;
  skip_blanks(r);
  if (!at_line_end(r))
    return fail_at(r, r->at, DC_ERROR_SYNTAX, "expected the end of the line behind the count");
  if (!(value >= 0 && value <= (double)DC_TRIPS_MAX && value == floor(value)))
    return fail_at(r, value_at, DC_ERROR_ARGUMENT,
                   "the value is %.10g, but must be a whole number from 0 to %lld", value,
                   (long long)DC_TRIPS_MAX);
  if (!(mass >= 0) || isinf(mass))
    return fail_at(r, mass_at, DC_ERROR_ARGUMENT,
                   "the count is %g, but must be finite and not negative", mass);
  *point = (dc_point){(int64_t)value, mass};
  return DC_OK;
}

static void skip_line(reader *r) {
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->at = newline ? newline + 1 : r->end;
}

dc_status dc_histogram_parse(const char *text, size_t length, dc_point *points, size_t capacity,
                             size_t *count, dc_error *error) {
  if (!text)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the text of the histogram is NULL");
  reader r = {text, text, text + length, 1, error};
  double total = 0;
  *count = 0;
  for (; r.at < r.end; ++r.line, skip_line(&r)) {
    skip_blanks(&r);
    if (at_line_end(&r))
      continue;
    dc_point point = {0, 0};
    dc_status status = read_pair(&r, &point);
    if (status != DC_OK)
      return status;
    if (*count == DC_POINTS_MAX)
      return fail_at(&r, r.at, DC_ERROR_LIMIT, "the histogram has more than %zu lines with values",
                     DC_POINTS_MAX);
    if (*count < capacity)
      points[*count] = point;
    ++*count;
    total += point.mass;
  }
  if (*count == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "it has no values, but needs at least one");
  if (total <= 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the counts are all 0, but one must be positive");
  if (isinf(total))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the counts sum to more than a number can hold, 1.8e308");
  return DC_OK;
}
