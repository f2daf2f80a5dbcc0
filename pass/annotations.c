// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads annotation files (JSON, through jansson) and matches their entries with loop statements.
#define _XOPEN_SOURCE 700 // strdup, strndup

#include "annotations.h"

#include "divcost/histogram.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

static bool take_text(json_t *object, const char *key, char **out, bool *wrong) {
  json_t *value = json_object_get(object, key);
  *wrong = value && (!json_is_string(value) || !*json_string_value(value));
  if (!value || *wrong)
    return true;
  *out = strdup(json_string_value(value));
  return *out != NULL;
}

// Checks a distribution; histograms are relative to the file that names them.
static dc_status check_trips(const char *path, size_t index, dcp_annotation *entry,
                             dc_error *error) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(""), *text;
  if (!folder)
    return no_memory(error);
  dc_error reason;
  dc_status status = dc_distribution_text(entry->distribution, folder, &text, &reason);
  free(folder);
  if (status != DC_OK)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu].trips, character %u: %s", path, index,
                   reason.offset + 1, reason.text);
  free(entry->distribution);
  entry->distribution = text;
  return DC_OK;
}

static dc_status read_entry(const char *path, size_t index, json_t *object, dcp_annotation *entry,
                            dc_error *error) {
  const char *key;
  json_t *value;
  if (!json_is_object(object))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu] is no object", path, index);
  json_object_foreach(object, key, value) if (strcmp(key, "file") && strcmp(key, "function") &&
                                              strcmp(key, "line") && strcmp(key, "trips")) {
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s': loops[%zu] has an unknown key '%s'; possible: file, function, line, "
                   "trips",
                   path, index, key);
  }
  bool wrong_file, wrong_function, wrong_trips;
  if (!take_text(object, "file", &entry->file, &wrong_file) ||
      !take_text(object, "function", &entry->function, &wrong_function) ||
      !take_text(object, "trips", &entry->distribution, &wrong_trips))
    return no_memory(error);
  if (wrong_file || wrong_function || (!entry->file && !entry->function))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu] needs a text 'file' or 'function'",
                   path, index);
  json_int_t line = json_integer_value(json_object_get(object, "line"));
  if (line < 1 || line > UINT32_MAX)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu] needs a number 'line', from 1", path,
                   index);
  entry->line = (uint32_t)line;
  if (wrong_trips || !entry->distribution)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu] needs a text 'trips'", path, index);
  return check_trips(path, index, entry, error);
}

static dc_status read_root(const char *path, json_t *root, dcp_annotations *annotations,
                           dc_error *error) {
  json_t *version = json_object_get(root, "divcost-annotations");
  if (!json_is_object(root) || !json_is_integer(version))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' is no annotation file: it has no \"divcost-annotations\": 1", path);
  if (json_integer_value(version) != 1)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' has version %" JSON_INTEGER_FORMAT "; this plugin reads version 1", path,
                   json_integer_value(version));
  json_t *loops = json_object_get(root, "loops");
  if (!json_is_array(loops))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': 'loops' is no array", path);
  size_t count = json_array_size(loops);
  annotations->entries = calloc(count ? count : 1, sizeof *annotations->entries);
  if (!annotations->entries)
    return no_memory(error);
  for (size_t index = 0; index < count; ++index) {
    ++annotations->n_entries;
    dc_status status =
        read_entry(path, index, json_array_get(loops, index), &annotations->entries[index], error);
    if (status != DC_OK)
      return status;
  }
  return DC_OK;
}

dc_status dcp_annotations_read(const char *path, dcp_annotations *annotations, dc_error *error) {
  memset(annotations, 0, sizeof *annotations);
  FILE *file = fopen(path, "re");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read the annotations '%s': %s", path,
                   strerror(errno));
  json_error_t where;
  errno = 0;
  json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &where);
  int reason = ferror(file) ? errno : 0;
  fclose(file);
  if (reason)
    return dc_fail(error, DC_ERROR_FILE, "cannot read the annotations '%s': %s", path,
                   strerror(reason));
  if (!root)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s', line %d, column %d: %s", path, where.line,
                   where.column, where.text);
  dc_status status = read_root(path, root, annotations, error);
  json_decref(root);
  if (status != DC_OK)
    dcp_annotations_free(annotations);
  return status;
}

void dcp_annotations_free(dcp_annotations *annotations) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e) {
    free(annotations->entries[e].file);
    free(annotations->entries[e].function);
    free(annotations->entries[e].distribution);
  }
  free(annotations->entries);
  memset(annotations, 0, sizeof *annotations);
}

// Whether `part` is the end of `whole`, from the start or after `separator` on.
static bool ends_with(const char *whole, const char *part, char separator) {
  size_t length = strlen(whole), part_length = strlen(part);
  return part_length <= length && !strcmp(whole + length - part_length, part) &&
         (part_length == length || *part == separator ||
          whole[length - part_length - 1] == separator);
}

static bool matches(const dcp_annotation *entry, const dcp_loop_statement *loop) {
  if (entry->line != loop->line)
    return false;
  const char *file = entry->file;
  while (file && !strncmp(file, "./", 2))
    file += 2;
  if (file && !ends_with(loop->file, file, '/'))
    return false;
  return !entry->function || (loop->function && ends_with(loop->function, entry->function, ':'));
}

dc_status dcp_annotations_apply(dcp_annotations *annotations, const char *path, dcp_source *source,
                                dc_error *error) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e) {
    dcp_annotation *entry = &annotations->entries[e];
    for (uint32_t l = 0; l < source->n_loops; ++l) {
      dcp_loop_statement *loop = &source->loops[l];
      if (!matches(entry, loop))
        continue;
      entry->used = true;
      if (loop->distribution)
        continue;
      loop->distribution = strdup(entry->distribution);
      loop->distribution_at = strdup(path);
      if (!loop->distribution || !loop->distribution_at)
        return no_memory(error);
    }
  }
  return DC_OK;
}

void dcp_annotation_describe(const dcp_annotation *annotation, const char *path, char *text,
                             size_t size) {
  snprintf(text, size, "'%s': no loop begins at line %" PRIu32 " of %s%s%s%s", path,
           annotation->line, annotation->function ? annotation->function : "",
           annotation->function && annotation->file ? " in " : "",
           annotation->file ? annotation->file : "",
           annotation->function && !annotation->file ? "()" : "");
}
