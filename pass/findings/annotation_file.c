// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads annotation files (JSON, through jansson).
#define _XOPEN_SOURCE 700 // strdup, strndup

#include "findings/annotations.h"

#include "divcost/config.h"
#include "divcost/files.h"
#include "divcost/histogram.h"
#include "divcost/input.h"
#include "findings/json_place.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where in a file the entry stands that is read.
typedef struct reader {
  const char *path;
  const char *list; // "loops"
  uint32_t index;
  dcp_json_place entry;
  dc_error *error;
} reader;

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

// Where the value of an entry's member stands, or its name, or the entry where it has none such.
static dcp_json_place value_of(const reader *in, const char *member, bool of_name) {
  dcp_json_place name, value;
  if (!member || !dcp_json_member(in->entry, member, &name, &value))
    return in->entry;
  return of_name ? name : value;
}

// The words follow "'PATH', line L, column C: loops[2]".
__attribute__((format(printf, 4, 5))) static dc_status
fail(reader *in, dc_status status, dcp_json_place at, const char *format, ...) {
  char words[sizeof in->error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  return dc_fail(in->error, status, "'%s', line %" PRIu32 ", column %" PRIu32 ": %s[%" PRIu32 "]%s",
                 in->path, at.line, at.column, in->list, in->index, words);
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
static dc_status check_trips(reader *in, dcp_annotation *entry) {
  const char *slash = strrchr(in->path, '/');
  char *folder = slash ? strndup(in->path, (size_t)(slash - in->path) + 1) : strdup("");
  char *distribution;
  if (!folder)
    return no_memory(in->error);
  dc_error reason;
  dc_status status =
      dc_trips_text(entry->distribution, folder, &distribution, &entry->correlation, &reason);
  free(folder);
  if (status != DC_OK)
    return fail(in, DC_ERROR_SYNTAX, dcp_json_in_text(value_of(in, "trips", false), reason.offset),
                ".trips: %s", reason.text);
  free(entry->distribution);
  entry->distribution = distribution;
  return DC_OK;
}

// Of a list that ends with a NULL.
static bool is_one_of(const char *const *names, const char *name) {
  while (*names && strcmp(name, *names) != 0)
    ++names;
  return *names != NULL;
}

// An entry is an object with members of a list: names that end with a NULL, which `possible` tells.
static dc_status check_keys(reader *in, json_t *object, const char *const *names,
                            const char *possible) {
  const char *key;
  json_t *value;
  if (!json_is_object(object))
    return fail(in, DC_ERROR_SYNTAX, in->entry, " is no object");
  json_object_foreach(object, key, value) {
    if (!is_one_of(names, key))
      return fail(in, DC_ERROR_SYNTAX, value_of(in, key, true),
                  " has an unknown key '%s'; possible: %s", key, possible);
  }
  return DC_OK;
}

// An id is 16 hexadecimal digits, as reports write it.
static dc_status read_id(reader *in, json_t *object, dcp_annotation *entry) {
  json_t *value = json_object_get(object, "id");
  const char *text = json_string_value(value);
  if (!value)
    return DC_OK;
  if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return fail(in, DC_ERROR_SYNTAX, value_of(in, "id", false),
                ".id is no text of 16 hexadecimal digits, as a loop's id in a JSON report");
  entry->has_id = true;
  entry->id = strtoull(text, NULL, 16);
  return DC_OK;
}

static dc_status read_line(reader *in, json_t *object, dcp_annotation *entry) {
  json_t *value = json_object_get(object, "line");
  json_int_t line = json_integer_value(value);
  if (value ? line < 1 || line > UINT32_MAX : !entry->has_id)
    return fail(in, DC_ERROR_SYNTAX, value_of(in, "line", false),
                " needs a number 'line', from 1%s", value ? "" : ", or an 'id'");
  entry->line = (uint32_t)line;
  return DC_OK;
}

static dc_status read_loop(reader *in, json_t *object, dcp_annotation *entry) {
  static const char *const keys[] = {"file", "function", "line", "id", "trips", "ignore", NULL};
  dc_status status = check_keys(in, object, keys, "file, function, line, id, trips, ignore");
  if (status != DC_OK)
    return status;
  bool wrong_file, wrong_function, wrong_trips, wrong_ignore;
  if (!take_text(object, "file", &entry->file, &wrong_file) ||
      !take_text(object, "function", &entry->function, &wrong_function) ||
      !take_text(object, "trips", &entry->distribution, &wrong_trips) ||
      !take_text(object, "ignore", &entry->ignored, &wrong_ignore))
    return no_memory(in->error);
  status = read_id(in, object, entry);
  if (status != DC_OK)
    return status;
  if (wrong_file || wrong_function || (!entry->file && !entry->function && !entry->has_id))
    return fail(in, DC_ERROR_SYNTAX, value_of(in, wrong_file ? "file" : "function", false),
                " needs a text 'file' or 'function', or an 'id'");
  status = read_line(in, object, entry);
  if (status != DC_OK)
    return status;
  if (wrong_trips || wrong_ignore || (!entry->distribution && !entry->ignored))
    return fail(in, DC_ERROR_SYNTAX, value_of(in, wrong_trips ? "trips" : "ignore", false),
                " needs a text 'trips', a distribution, or a text 'ignore', a reason");
  return entry->distribution ? check_trips(in, entry) : DC_OK;
}

// Where numbers stand in the file matters later, if the kernel can't have them.
static void place_numbers(dcp_json_place text, dcp_told_number *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k)
    numbers[k].column = dcp_json_in_text(text, numbers[k].offset).column;
}

static dc_status read_launch(reader *in, const char *text, dcp_kernel_annotation *entry) {
  dcp_json_place at = value_of(in, "launch", false);
  dc_error reason;
  dc_status status = dcp_launch_text(text, &entry->launch, &reason);
  if (status != DC_OK)
    return fail(in, status, dcp_json_in_text(at, reason.offset), ".launch: %s", reason.text);
  entry->line = at.line;
  entry->column = at.column;
  place_numbers(at, entry->launch.values, entry->launch.n_values);
  place_numbers(at, entry->launch.extents, entry->launch.n_extents);
  return DC_OK;
}

static dc_status read_kernel(reader *in, json_t *object, dcp_kernel_annotation *entry) {
  static const char *const keys[] = {"file", "function", "launch", NULL};
  dc_status status = check_keys(in, object, keys, "file, function, launch");
  if (status != DC_OK)
    return status;
  bool wrong_file, wrong_function;
  if (!take_text(object, "file", &entry->file, &wrong_file) ||
      !take_text(object, "function", &entry->function, &wrong_function))
    return no_memory(in->error);
  const char *wrong = wrong_file ? "file" : "function";
  if (wrong_file || !entry->function)
    return fail(in, DC_ERROR_SYNTAX, value_of(in, wrong, false), " needs a text '%s'", wrong);
  const char *launch = json_string_value(json_object_get(object, "launch"));
  if (!launch || !*launch)
    return fail(in, DC_ERROR_SYNTAX, value_of(in, "launch", false),
                " needs a text 'launch', as between the parentheses of "
                "'#pragma divcost launch(...)'");
  return read_launch(in, launch, entry);
}

// Room for the entries of a list, of which there are *count, and the reader before the first. None
// is there: 0 of them.
static dc_status begin_list(reader *in, dcp_json_place text, json_t *root, size_t size,
                            void **entries, size_t *count) {
  json_t *array = json_object_get(root, in->list);
  dcp_json_place name;
  *count = json_array_size(array);
  if (array && !json_is_array(array))
    return dc_fail(in->error, DC_ERROR_SYNTAX, "'%s': '%s' is no array", in->path, in->list);
  if (!dcp_json_member(text, in->list, &name, &in->entry) || !dcp_json_first(&in->entry))
    in->entry = text;
  *entries = calloc(*count ? *count : 1, size);
  return *entries ? DC_OK : no_memory(in->error);
}

static dc_status read_loops(reader *in, dcp_json_place text, json_t *root, dcp_annotations *out) {
  size_t count;
  in->list = "loops";
  dc_status status =
      begin_list(in, text, root, sizeof *out->entries, (void **)&out->entries, &count);
  json_t *loops = json_object_get(root, in->list);
  while (status == DC_OK && out->entries && out->n_entries < count) {
    in->index = out->n_entries++;
    status = read_loop(in, json_array_get(loops, in->index), &out->entries[in->index]);
    dcp_json_next(&in->entry);
  }
  return status;
}

static dc_status read_kernels(reader *in, dcp_json_place text, json_t *root, dcp_annotations *out) {
  size_t count;
  in->list = "kernels";
  dc_status status =
      begin_list(in, text, root, sizeof *out->kernels, (void **)&out->kernels, &count);
  json_t *kernels = json_object_get(root, in->list);
  while (status == DC_OK && out->kernels && out->n_kernels < count) {
    in->index = out->n_kernels++;
    status = read_kernel(in, json_array_get(kernels, in->index), &out->kernels[in->index]);
    dcp_json_next(&in->entry);
  }
  return status;
}

static dc_status check_root(const char *path, const json_t *root, dc_error *error) {
  static const char *const keys[] = {"divcost-annotations", "loops", "kernels", "$schema",
                                     NULL}; // by which editors know the schema
  json_t *version = json_object_get(root, keys[0]);
  if (!json_is_integer(version))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' is no annotation file: it has no \"divcost-annotations\": 1", path);
  if (json_integer_value(version) != 1)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' has version %" JSON_INTEGER_FORMAT "; this plugin reads version 1", path,
                   json_integer_value(version));
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)root, key, value) {
    if (!is_one_of(keys, key))
      return dc_fail(error, DC_ERROR_SYNTAX,
                     "'%s' has an unknown key '%s'; possible: loops, kernels", path, key);
  }
  if (!json_object_get(root, "loops") && !json_object_get(root, "kernels"))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s' has neither 'loops' nor 'kernels'", path);
  return DC_OK;
}

// A configuration has the members of an annotation file among its own, which its reader checks.
static dc_status read_root(const char *path, const char *text, json_t *root,
                           dcp_annotations *annotations, dc_error *error) {
  reader in = {.path = path, .error = error};
  dcp_json_place start = dcp_json_begin(text);
  dc_status status = DC_OK;
  if (!json_object_get(root, DC_CONFIG_VERSION_KEY))
    status = check_root(path, root, error);
  if (status == DC_OK)
    status = read_loops(&in, start, root, annotations);
  return status == DC_OK ? read_kernels(&in, start, root, annotations) : status;
}

static dc_status read_file(const char *path, dcp_annotations *annotations, dc_error *error) {
  dc_error reason;
  FILE *file = dc_input_open(path, &reason);
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read the annotations '%s': %s", path, reason.text);
  json_t *root;
  char *text = NULL;
  size_t length;
  dc_status status =
      dc_input_json(file, DC_INPUT_TEXT_MOST, JSON_REJECT_DUPLICATES, &root, &reason);
  if (status != DC_OK) {
    dc_fail(error, status, "'%s', %s", path, reason.text);
  } else {
    status = fseek(file, 0, SEEK_SET) == 0
                 ? dc_input_read_stream(file, DC_INPUT_TEXT_MOST, &text, &length, error)
                 : dc_fail(error, DC_ERROR_FILE, "'%s' can't be read twice", path);
    if (status == DC_OK)
      status = read_root(path, text, root, annotations, error);
    json_decref(root);
  }
  free(text);
  fclose(file);
  return status;
}

dc_status dcp_annotation_file(const char *path, dcp_annotations *annotations, dc_error *error) {
  *annotations = (dcp_annotations){.path = strdup(path)};
  if (!annotations->path)
    return no_memory(error);
  dc_status status = read_file(path, annotations, error);
  if (status != DC_OK)
    dcp_annotations_free(annotations);
  return status;
}

void dcp_annotations_free(dcp_annotations *annotations) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e) {
    free(annotations->entries[e].file);
    free(annotations->entries[e].function);
    free(annotations->entries[e].distribution);
    free(annotations->entries[e].ignored);
    free(annotations->entries[e].overruled);
  }
  for (uint32_t k = 0; k < annotations->n_kernels; ++k) {
    free(annotations->kernels[k].file);
    free(annotations->kernels[k].function);
    dcp_told_launch_free(&annotations->kernels[k].launch);
  }
  free(annotations->entries);
  free(annotations->kernels);
  free(annotations->path);
  *annotations = (dcp_annotations){.path = NULL};
}
