// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters_table.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"

enum { LINE = 4096, COLUMNS = 64 };

// Columns that are read; the place of each in a line.
enum { ID, KERNEL, INSTRUCTIONS, ACTIVE, DIVERGENT, READ };
static const char *const names[READ] = {"ID", "Kernel Name", COUNTERS_INSTRUCTIONS, COUNTERS_ACTIVE,
                                        COUNTERS_DIVERGENT};

typedef struct table_line {
  char text[LINE];
  const char *fields[COLUMNS];
  unsigned count;
} table_line;

// Cuts "a","b" into a and b, which have no quotes in them; without a closing one: up to the end.
static void split(table_line *line) {
  char *at = line->text;
  line->count = 0;
  while (*at == '"' && line->count < COLUMNS) {
    line->fields[line->count++] = ++at;
    at += strcspn(at, "\"");
    if (*at)
      *at++ = '\0';
    at += *at == ',';
  }
}

// The next line of the table, after messages; false at the end.
static bool next_line(const char **table, table_line *line) {
  while (**table) {
    size_t length = strcspn(*table, "\r\n");
    const char *begin = *table;
    *table += length;
    *table += strspn(*table, "\r\n");
    if (*begin != '"' || length >= LINE)
      continue;
    memcpy(line->text, begin, length);
    line->text[length] = '\0';
    split(line);
    return true;
  }
  return false;
}

static dc_status find_columns(const table_line *header, unsigned places[READ], dc_error *error) {
  for (unsigned n = 0; n < READ; ++n) {
    unsigned c = 0;
    while (c < header->count && strcmp(header->fields[c], names[n]) != 0)
      ++c;
    if (c == header->count)
      return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has no column '%s'", names[n]);
    places[n] = c;
  }
  return DC_OK;
}

// "1,234.5", as ncu writes it.
static dc_status read_number(const char *text, const char *column, unsigned launch, double *number,
                             dc_error *error) {
  char plain[64];
  size_t length = 0;
  for (const char *c = text; *c && length + 1 < sizeof plain; ++c)
    if (*c != ',')
      plain[length++] = *c;
  plain[length] = '\0';
  if (!field_double(plain, number) || *number < 0)
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has '%.40s' as %s of launch %u", text,
                   column, launch);
  return DC_OK;
}

static bool is_kernel(const char *field, const char *kernel) {
  size_t length = strlen(kernel);
  return strncmp(field, kernel, length) == 0 && (field[length] == '\0' || field[length] == '(');
}

static dc_status read_launch(const table_line *line, const unsigned places[READ], unsigned launch,
                             counters_case *to, dc_error *error) {
  const char *fields[READ];
  for (unsigned n = 0; n < READ; ++n)
    fields[n] = places[n] < line->count ? line->fields[places[n]] : "";
  if (!is_kernel(fields[KERNEL], to->kernel))
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has '%.60s' as launch %u, not %s",
                   fields[KERNEL], launch, to->kernel);
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
  static table_line line;
  unsigned places[READ] = {0}, launches = 0;
  if (!next_line(&table, &line))
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu printed no table");
  dc_status status = find_columns(&line, places, error);
  while (status == DC_OK && next_line(&table, &line)) {
    if (places[ID] >= line.count || line.fields[places[ID]][0] == '\0') // units
      continue;
    if (launches < count)
      status = read_launch(&line, places, launches + 1, &cases[launches], error);
    ++launches;
  }
  if (status == DC_OK && launches != count)
    return dc_fail(error, DC_ERROR_SYNTAX, "ncu's table has %u launches, not %u", launches, count);
  return status;
}
