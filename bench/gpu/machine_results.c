// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

static const char columns[] =
    "test\tsms\twarps\tn\tbytes\tsteps\tunit\tmedian\tleast\tgreatest\tlaunches\n";
static const char *const units[MACHINE_UNITS] = {"cycles", "seconds", "hertz", "bytes"};

// The fields of a line, in the order of `columns`.
enum { TEST, SMS, WARPS, N, BYTES, STEPS, UNIT, MEDIAN, LEAST, GREATEST, LAUNCHES };
enum { FIELDS = LAUNCHES + 1, LINE = 640 };

void machine_results_begin(FILE *file, const char *origin) {
  fprintf(file, "# %s\n%s", origin, columns);
}

void machine_results_write(FILE *file, const machine_result *item) {
  fprintf(file, "%s\t%u\t%u\t%u\t%" PRIu64 "\t%u\t%s\t%.9g\t%.9g\t%.9g\t%u\n", item->test,
          item->sms, item->warps, item->n, item->bytes, item->steps, units[item->unit],
          item->value.median, item->value.least, item->value.greatest, item->value.launches);
}

static bool parse_unit(const char *text, machine_unit *unit) {
  for (unsigned k = 0; k < MACHINE_UNITS; ++k)
    if (strcmp(text, units[k]) == 0) {
      *unit = (machine_unit)k;
      return true;
    }
  return false;
}

static bool parse_values(char *fields[FIELDS], sample *value) {
  return field_double(fields[MEDIAN], &value->median) &&
         field_double(fields[LEAST], &value->least) &&
         field_double(fields[GREATEST], &value->greatest) && value->least > 0 &&
         value->least <= value->median && value->median <= value->greatest &&
         field_unsigned(fields[LAUNCHES], &value->launches);
}

static bool parse_line(const char *line, machine_result *item) {
  char copy[LINE], *fields[FIELDS];
  double bytes;
  snprintf(copy, sizeof copy, "%s", line);
  if (!fields_split(copy, fields, FIELDS))
    return false;
  size_t length = strlen(fields[TEST]);
  bool good = length > 0 && length < sizeof item->test && field_unsigned(fields[SMS], &item->sms) &&
              field_unsigned(fields[WARPS], &item->warps) && field_unsigned(fields[N], &item->n) &&
              field_double(fields[BYTES], &bytes) && bytes >= 0 && bytes <= 1e15 &&
              field_unsigned(fields[STEPS], &item->steps) &&
              parse_unit(fields[UNIT], &item->unit) && parse_values(fields, &item->value);
  if (!good)
    return false;
  memcpy(item->test, fields[TEST], length + 1);
  item->bytes = (uint64_t)bytes;
  return true;
}

dc_status machine_results_add(machine_results *all, const machine_result *item, dc_error *error) {
  if ((all->count & (all->count - 1)) == 0) {
    machine_result *items = realloc(all->items, (all->count ? 2 * all->count : 1) * sizeof *items);
    if (!items)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
    all->items = items;
  }
  all->items[all->count++] = *item;
  return DC_OK;
}

static dc_status read_lines(FILE *file, const char *path, machine_results *all, dc_error *error) {
  char line[LINE];
  unsigned number = 0;
  dc_status status = DC_OK;
  while (status == DC_OK && fgets(line, sizeof line, file)) {
    machine_result item;
    ++number;
    if (number == 1 && strncmp(line, "# ", 2) == 0)
      snprintf(all->origin, sizeof all->origin, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
    else if (line[0] == '#' || strcmp(line, columns) == 0)
      continue;
    else if (parse_line(line, &item))
      status = machine_results_add(all, &item, error);
    else
      status = dc_fail(error, DC_ERROR_SYNTAX, "%s, line %u: not a measurement: %.60s", path,
                       number, line);
  }
  if (status == DC_OK && ferror(file))
    status = dc_fail(error, DC_ERROR_FILE, "cannot read '%s'", path);
  return status;
}

dc_status machine_results_read(const char *path, machine_results *all, dc_error *error) {
  FILE *file = fopen(path, "r");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%s': %s", path, strerror(errno));
  dc_status status = read_lines(file, path, all, error);
  fclose(file);
  return status;
}

void machine_results_free(machine_results *all) {
  free(all->items);
  memset(all, 0, sizeof *all);
}
