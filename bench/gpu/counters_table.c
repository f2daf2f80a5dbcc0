// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters_table.h"

#include <string.h>

#include "fields.h"

// Columns that are read; the place of each in a line.
enum { ID, KERNEL, INSTRUCTIONS, ACTIVE, DIVERGENT, READ };
static const char *const names[READ] = {"ID", "Kernel Name", COUNTERS_INSTRUCTIONS, COUNTERS_ACTIVE,
                                        COUNTERS_DIVERGENT};

// A part of the table's text, which isn't copied: its lines are of any length, with hundreds of
// columns about the device that nobody asked ncu for.
typedef struct span {
  const char *text;
  size_t length;
} span;

static bool is(span field, const char *text) {
  return field.length == strlen(text) && memcmp(field.text, text, field.length) == 0;
}

// Of a field that is shown in an error.
static int shown(span field) { return field.length < 60 ? (int)field.length : 60; }

// The first of a line's "a","b", which have no quotes in them, and the line behind it; false at the
// end. Without a closing quote: up to the end.
static bool next_field(span *line, span *field) {
  if (line->length == 0 || line->text[0] != '"')
    return false;
  const char *begin = line->text + 1, *end = line->text + line->length;
  const char *quote = memchr(begin, '"', line->length - 1);
  *field = (span){begin, (size_t)((quote ? quote : end) - begin)};
  const char *behind = quote ? quote + 1 : end;
  behind += behind < end && *behind == ',';
  *line = (span){behind, (size_t)(end - behind)};
  return true;
}

// The next line of the table, after messages; false at the end.
static bool next_line(const char **table, span *line) {
  while (**table) {
    *line = (span){*table, strcspn(*table, "\r\n")};
    *table += line->length;
    *table += strspn(*table, "\r\n");
    if (line->text[0] == '"')
      return true;
  }
  return false;
}

static dc_status find_columns(span header, unsigned places[READ], dc_error *error) {
  for (unsigned n = 0; n < READ; ++n) {
    span rest = header, field = {"", 0};
    unsigned c = 0;
    while (next_field(&rest, &field) && !is(field, names[n]))
      ++c;
    if (!is(field, names[n]))
      return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has no column '%s'", names[n]);
    places[n] = c;
  }
  return DC_OK;
}

// What a line has in these places; what it lacks is empty.
static void take_fields(span line, const unsigned places[READ], span fields[READ]) {
  span field;
  for (unsigned n = 0; n < READ; ++n)
    fields[n] = (span){"", 0};
  for (unsigned c = 0; next_field(&line, &field); ++c)
    for (unsigned n = 0; n < READ; ++n)
      if (places[n] == c)
        fields[n] = field;
}

// "1,234.5", as ncu writes it.
static dc_status read_number(span field, const char *column, unsigned launch, double *number,
                             dc_error *error) {
  char plain[64];
  size_t length = 0;
  for (size_t k = 0; k < field.length && length + 1 < sizeof plain; ++k)
    if (field.text[k] != ',')
      plain[length++] = field.text[k];
  plain[length] = '\0';
  if (!field_double(plain, number) || *number < 0)
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has '%.*s' as %s of launch %u",
                   shown(field), field.text, column, launch);
  return DC_OK;
}

static bool is_kernel(span field, const char *kernel) {
  size_t length = strlen(kernel);
  return field.length >= length && memcmp(field.text, kernel, length) == 0 &&
         (field.length == length || field.text[length] == '(');
}

static dc_status read_launch(const span fields[READ], unsigned launch, counters_case *to,
                             dc_error *error) {
  if (!is_kernel(fields[KERNEL], to->kernel))
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has '%.*s' as launch %u, not %s",
                   shown(fields[KERNEL]), fields[KERNEL].text, launch, to->kernel);
  double *const numbers[READ] = {
      [INSTRUCTIONS] = &to->instructions, [ACTIVE] = &to->active, [DIVERGENT] = &to->divergent};
  dc_status status = DC_OK;
  for (unsigned n = INSTRUCTIONS; status == DC_OK && n < READ; ++n)
    status = read_number(fields[n], names[n], launch, numbers[n], error);
  if (status == DC_OK && (to->active == 0 || to->instructions == 0))
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has no instructions of launch %u", launch);
  return status;
}

dc_status counters_table_parse(const char *table, counters_case *cases, unsigned count,
                               dc_error *error) {
  span line, fields[READ];
  unsigned places[READ] = {0}, launches = 0;
  if (!next_line(&table, &line))
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu printed no table");
  dc_status status = find_columns(line, places, error);
  while (status == DC_OK && next_line(&table, &line)) {
    take_fields(line, places, fields);
    if (fields[ID].length == 0) // units
      continue;
    if (launches < count)
      status = read_launch(fields, launches + 1, &cases[launches], error);
    ++launches;
  }
  if (status == DC_OK && launches != count)
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has %u launches, not %u", launches, count);
  return status;
}
