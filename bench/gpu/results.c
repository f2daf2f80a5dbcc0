// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fields.h"

static const char columns[] =
    "build\tkernel\tpattern\tparameter\twarps\targument\trow\tcycles\tleast"
    "\tgreatest\tlaunches\n";

void results_origin(const gpu *device, char *text, size_t bytes) {
  const gpu_facts *facts = gpu_what(device);
  char date[16] = "";
  time_t now = time(NULL);
  struct tm parts;
  if (gmtime_r(&now, &parts))
    strftime(date, sizeof date, "%Y-%m-%d", &parts);
  snprintf(text, bytes, "%s (sm_%u, %u multiprocessors), driver for CUDA %u.%u, %s", facts->name,
           facts->sm, facts->multiprocessors, facts->driver / 1000, facts->driver % 1000 / 10,
           date);
}

void results_begin(FILE *file, const char *origin) { fprintf(file, "# %s\n%s", origin, columns); }

void results_write(FILE *file, const result *item) {
  fprintf(file, "%s\t%s\t%s\t%u\t%u\t%d\t%u\t%.17g\t%.17g\t%.17g\t%u\n", item->build, item->kernel,
          pattern_name(item->lanes), item->parameter, item->warps, item->argument, item->row,
          item->cycles.median, item->cycles.least, item->cycles.greatest, item->cycles.launches);
}

// --- reading -------------------------------------------------------------------------------------

// The fields of a line, in the order of `columns`.
enum { BUILD, KERNEL, PATTERN, PARAMETER, WARPS, ARGUMENT, ROW, MEDIAN, LEAST, GREATEST, LAUNCHES };
enum { FIELDS = LAUNCHES + 1, LINE = 640 };

static bool keep(const char *name, char *to, size_t bytes) {
  size_t length = strlen(name);
  if (length == 0 || length >= bytes)
    return false;
  memcpy(to, name, length + 1);
  return true;
}

// Time passes: of none, no error of a prediction could be told.
static bool is_sample(const sample *cycles) {
  return cycles->least > 0 && cycles->least <= cycles->median && cycles->median <= cycles->greatest;
}

static bool parse_line(const char *line, result *item) {
  char copy[LINE], *fields[FIELDS];
  sample *cycles = &item->cycles;
  snprintf(copy, sizeof copy, "%s", line);
  if (!fields_split(copy, fields, FIELDS))
    return false;
  item->lanes = pattern_parse(fields[PATTERN]);
  return keep(fields[BUILD], item->build, sizeof item->build) &&
         keep(fields[KERNEL], item->kernel, sizeof item->kernel) && item->lanes != PATTERN_COUNT &&
         field_unsigned(fields[PARAMETER], &item->parameter) &&
         field_unsigned(fields[WARPS], &item->warps) &&
         field_int(fields[ARGUMENT], &item->argument) && field_unsigned(fields[ROW], &item->row) &&
         field_double(fields[MEDIAN], &cycles->median) &&
         field_double(fields[LEAST], &cycles->least) &&
         field_double(fields[GREATEST], &cycles->greatest) && is_sample(cycles) &&
         field_unsigned(fields[LAUNCHES], &cycles->launches);
}

dc_status results_add(results *all, const result *item, dc_error *error) {
  if ((all->count & (all->count - 1)) == 0) {
    result *items = realloc(all->items, (all->count ? 2 * all->count : 1) * sizeof *items);
    if (!items)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
    all->items = items;
  }
  all->items[all->count++] = *item;
  return DC_OK;
}

static dc_status read_lines(FILE *file, const char *path, results *all, dc_error *error) {
  char line[LINE];
  unsigned number = 0;
  dc_status status = DC_OK;
  while (status == DC_OK && fgets(line, sizeof line, file)) {
    result item;
    ++number;
    if (number == 1 && strncmp(line, "# ", 2) == 0)
      snprintf(all->origin, sizeof all->origin, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
    else if (line[0] == '#' || strcmp(line, columns) == 0)
      continue;
    else if (parse_line(line, &item))
      status = results_add(all, &item, error);
    else
      status = dc_fail(error, DC_ERROR_SYNTAX, "%s, line %u: not a measurement: %.60s", path,
                       number, line);
  }
  if (status == DC_OK && ferror(file))
    status = dc_fail(error, DC_ERROR_FILE, "cannot read '%s'", path);
  return status;
}

dc_status results_read(const char *path, results *all, dc_error *error) {
  FILE *file = fopen(path, "r");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%s': %s", path, strerror(errno));
  dc_status status = read_lines(file, path, all, error);
  fclose(file);
  return status;
}

void results_free(results *all) {
  free(all->items);
  memset(all, 0, sizeof *all);
}

const result *results_find(const results *all, const char *build, const char *kernel, pattern lanes,
                           unsigned parameter, unsigned row) {
  for (unsigned i = 0; i < all->count; ++i) {
    const result *item = &all->items[i];
    if (item->lanes == lanes && item->parameter == parameter && item->row == row &&
        strcmp(item->build, build) == 0 && strcmp(item->kernel, kernel) == 0)
      return item;
  }
  return NULL;
}
