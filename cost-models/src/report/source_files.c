// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/source_files.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool find_lines(dc_source_file *file) {
  uint32_t n = 1;
  for (size_t k = 0; k < file->length; ++k)
    n += file->text[k] == '\n';
  file->starts = malloc(((size_t)n + 1) * sizeof *file->starts);
  if (!file->starts)
    return false;
  uint32_t line = 0;
  file->starts[line++] = 0;
  for (size_t k = 0; k < file->length; ++k)
    if (file->text[k] == '\n')
      file->starts[line++] = k + 1;
  file->starts[line] = file->length;
  uint32_t hashed;
  file->hashes = dc__line_hashes(file->text, file->length, &hashed);
  // A lone \r ends lines for GitHub alone; no compiler's numbers are of such a file.
  file->n_lines = n < hashed ? n : hashed;
  return file->hashes != NULL;
}

static void release(dc_source_file *file) {
  free(file->name);
  free(file->text);
  free(file->starts);
  free(file->hashes);
}

static dc_source_file *add(dc_source_files *known, const dc_report_options *options,
                           const char *name) {
  dc_source_file *more = realloc(known->items, (known->count + 1) * sizeof *more);
  if (!more)
    return NULL;
  known->items = more;
  dc_source_file file = {.name = malloc(strlen(name) + 1)};
  if (file.name) {
    strcpy(file.name, name);
    file.text = options->read_file(options->context, name, &file.length);
  }
  if (!file.name || (file.text && !find_lines(&file))) {
    release(&file);
    return NULL;
  }
  known->items[known->count] = file;
  return &known->items[known->count++];
}

const dc_source_file *dc__source_file(dc_source_files *known, const dc_report_options *options,
                                      const char *name) {
  const dc_source_file *found = NULL;
  if (!options || !options->read_file)
    return NULL;
  for (uint32_t k = 0; k < known->count && !found; ++k)
    if (!strcmp(known->items[k].name, name))
      found = &known->items[k];
  if (!found)
    found = add(known, options, name);
  return found && found->text ? found : NULL;
}

void dc__source_files_free(dc_source_files *known) {
  for (uint32_t k = 0; k < known->count; ++k)
    release(&known->items[k]);
  free(known->items);
  *known = (dc_source_files){0};
}

static bool is_of_name(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || ((unsigned char)byte & 0x80);
}

bool dc__token_columns(const dc_source_file *file, uint32_t line, uint32_t column, uint32_t *begin,
                       uint32_t *end) {
  if (line == 0 || line > file->n_lines || column == 0)
    return false;
  size_t start = file->starts[line - 1], stop = file->starts[line], at = start + column - 1;
  if (at >= stop || file->text[at] == '\n' || file->text[at] == '\r')
    return false;
  size_t behind = at + 1;
  while (behind < stop && is_of_name(file->text[at]) && is_of_name(file->text[behind]))
    ++behind;
  *begin = *end = 1;
  for (size_t k = start; k < behind; ++k) {
    *begin += k < at && dc__begins_character(file->text[k]);
    *end += dc__begins_character(file->text[k]);
  }
  return true;
}
